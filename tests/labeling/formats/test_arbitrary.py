"""Whatever bytes lie in label files, and whatever those are called, every format ends in annotations and complaints."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
import zlib

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from automl.contracts.annotation import Annotations
from studio.datasets.files.formats import LabelFileProblem, LabelFormat, ParsedLabels, format_detect, format_load, format_names
from studio.datasets.files.reasons import REASONS
from tests.labeling.formats.material import versions, write
from tests.labeling.formats.test_broken import NAMES, NASTY, labelme, studio

FORMATS = format_names()
PLACES = (
    "a.json", ".json", "train/a.json", "a.txt", ".txt", "data.yaml", "classes.txt", "ImageSets/Main/train.txt", "labelmap.txt",
    "a.xml", "a.csv", "items.csv", "a.tsv", "a.xlsx", "a.parquet", "a.jsonl", "a.conll", "a.cls", "masks/a.png", "obj.names",
    "__meta__/labels",
    "__meta__/labels.json", "labeling_config.xml", "metadata.jsonl", "README.md", "a.arrow", "a.feather", "label_2/a.txt",
    "labelTxt/b.txt", "wider_face_split/wider_face_train_bbx_gt.txt", "ImageSets/Main/cat_train.txt", "data_batch_1",
    "batches.meta", "class-descriptions.csv", "a.ft",
)  # fmt: skip
JUNK = [
    b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"-1", b"1e400", b"NaN", b"null", b"true", b"[]", b"{}", b'"', b"9" * 5000,
    b"[[[[", b"<a>", b"\t", b"\r\n", b",", b"|", b":", b"\\ud800", b"\\u0000", b"99999999999999999999", b"../../x",
    "²".encode(), "١".encode(), b"http://[", b"!!timestamp 9", b"{.inf: x}",
]  # fmt: skip


def check(form: LabelFormat, names: list[str], label_files: dict[str, bytes]) -> ParsedLabels:
    """What every reading keeps to; detection looks at the same files."""
    reading = form.read([name for name in names if name not in label_files], label_files)
    assert all(one.code in REASONS and one.name for one in reading.complaints)
    for one in reading.contents:
        assert one.code in REASONS if isinstance(one, LabelFileProblem) else isinstance(one[1], bytes)
    for stored in (*reading.annotations.values(), *reading.predictions.values()):
        assert Annotations.validate_json(Annotations.dump_json(stored)) == stored  # no number that JSON cannot carry
    format_detect(names, label_files)
    return reading


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_arbitrary_bytes_under_any_name_are_complained_of_at_most(name, data):
    form = format_load(name)
    content = st.binary(max_size=200) | st.lists(st.sampled_from(JUNK), max_size=6).map(b"".join)
    content |= st.sampled_from([one[2] for one in NASTY])
    files = data.draw(st.dictionaries(st.sampled_from(PLACES), content, max_size=4))
    check(form, [*NAMES, *files], {place: found for place, found in files.items() if form.is_label_file(place)})


@pytest.mark.parametrize("name", format_names(is_written=True))
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_valid_file_with_anything_put_in_is_complained_of_at_most(name, data):
    form = format_load(name)
    written = write(form, data.draw(versions(form)))
    files = dict(written.label_files)
    for place in data.draw(st.lists(st.sampled_from(sorted(files)), max_size=3)) if files else ():
        content = files[place]
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(start + 30, len(content))))
        files[place] = content[:start] + data.draw(st.sampled_from(JUNK) | st.binary(max_size=8)) + content[end:]
    check(form, written.names, files)


def sheet() -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in (("file", "label", "score"), ("a.png", "cat", 0.5), ("b.png", None, None)):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def parquet() -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table({"file": ["a.png", "b.png"], "label": ["cat", None], "score": [0.5, None]}), out)
    return out.getvalue()


@pytest.mark.parametrize(("place", "content"), [("a.xlsx", sheet()), ("a.parquet", parquet())])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_sheet_is_complained_of_at_most(place, content, data):
    body = bytearray(content)
    for at, value in data.draw(
        st.dictionaries(st.integers(0, len(body) - 1), st.integers(0, 255), min_size=1, max_size=6)
    ).items():
        body[at] = value
    check(format_load("csv_labels"), [*NAMES, place], {place: bytes(body)})


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_sheet_whose_parts_are_damaged_is_complained_of_at_most(data):
    """The archive is whole, what lies in it is not."""
    source, out = zipfile.ZipFile(io.BytesIO(sheet())), io.BytesIO()
    spoiled = data.draw(st.sampled_from(source.namelist()))
    with zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            start = data.draw(st.integers(0, len(content))) if name == spoiled else 0
            junk = data.draw(st.sampled_from(JUNK)) if name == spoiled else b""
            target.writestr(name, content[:start] + junk + content[start + len(junk) :])
    check(format_load("csv_labels"), [*NAMES, "a.xlsx"], {"a.xlsx": out.getvalue()})


def png(width: int, height: int, *extra: tuple[bytes, bytes]) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunk(*one) for one in extra) + chunk(b"IDAT", b"x") + chunk(b"IEND", b"")


PNGS = [png(*size) for size in ((0, 0), (4, 4), (10_001, 10_001), (60_000, 60_000), (2**31 - 1, 2**31 - 1))]
PNGS += [png(4, 4, (kind, b"x")) for kind in (b"PLTE", b"tRNS", b"iCCP", b"gAMA", b"pHYs", b"zTXt", b"acTL", b"eXIf")]


@pytest.mark.parametrize("content", PNGS, ids=range(len(PNGS)))
def test_a_mask_that_is_no_picture_or_a_bomb_is_complained_of(content):
    reading = check(format_load("mask_png"), ["images/a.png", "masks/a.png"], {"masks/a.png": content})
    assert [one.name for one in reading.complaints] == ["masks/a.png"]
    shape = {"label": "cat", "points": [[0, 0], [1, 1]], "shape_type": "mask", "mask": base64.b64encode(content).decode()}
    reading = check(format_load("labelme"), ["a.png", "a.json"], {"a.json": labelme(shape)})
    assert [one.name for one in reading.complaints] == ["a.json: shapes[0]"]


BRUSH = {"type": "brushlabels", "original_width": 4, "original_height": 4, "value": {"brushlabels": ["cat"], "rle": 10**15}}


@pytest.mark.parametrize(
    ("name", "place", "content"),
    [
        ("webdataset", "a.cls", "²".encode()),
        ("webdataset", "a.cls", b"9" * 5000),
        ("webdataset", ".json", b"{}"),
        ("mask_png", "labelmap.txt", b"cat:" + b"9" * 5000 + b",0,0::"),
        ("yolo", "data.yaml", b"names: {.inf: cat}"),
        ("label_studio", "l.json", studio({}, image="http://[")),
        ("label_studio", "l.json", studio(BRUSH)),
        ("coco", "l.json", json.dumps({"images": [{"id": {}, "file_name": "a.png"}], "annotations": [[]]}).encode()),
    ],
)
def test_what_once_ended_in_an_error_is_read(name, place, content):
    check(format_load(name), [*NAMES, place], {place: content})
