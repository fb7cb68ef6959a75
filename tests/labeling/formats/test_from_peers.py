"""Archives that other people's packages wrote (``peers/README.md``): recognised, and all that they say is read."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from automl.contracts.annotation import Box
from automl.contracts.dataset import Split
from automl.contracts.modality import Modality
from studio.datasets.files.formats import (
    LabelFileProblem,
    ParsedLabels,
    format_detect,
    format_load,
    format_names,
    reading_whole,
)
from studio.datasets.items.annotation_scale import annotations_scaled
from studio.datasets.items.outlines import boxes_around
from studio.datasets.uploads.mask_files import mask_files

PEERS = Path(__file__).parent / "peers"
PICTURES = {
    "one": (Split.TRAIN, "cat", [("cat", (2, 3, 10, 5)), ("traffic light", (20, 10, 15, 12))]),
    "sub_two": (Split.TRAIN, "traffic light", [("traffic light", (1, 2, 8, 9))]),
    "花": (Split.VALIDATION, "cat", [("cat", (5, 6, 7, 8))]),
    "none": (Split.TEST, "traffic light", []),
}
"""What ``peers/make_peers.py`` says of its pictures, which are 40 x 30."""


@dataclass(frozen=True)
class Case:
    """An archive and what comes of it."""

    file: str
    form: str
    carries: str = "boxes"
    """``boxes``, ``classes`` or ``several``: classes of what boxes show."""
    unsaid: frozenset[str] = frozenset()
    """Pictures of which the format cannot say anything."""
    has_splits: bool = True
    notes: tuple[str, ...] = ()
    modality: Modality = field(default=Modality.IMAGE)


NONE = frozenset({"none"})
CASES = [
    *(Case(f"datasets-{way}-{carries}", "huggingface", carries.replace("objects", "boxes"))
      for way in ("parquet", "save_to_disk") for carries in ("classes", "objects", "several")),
    Case("datumaro-kitti_detection", "kitti", unsaid=NONE),
    Case("datumaro-open_images", "open_images", unsaid=NONE),
    Case("datumaro-wider_face", "wider_face"),
    Case("datumaro-datumaro", "datumaro_json"),
    Case("datumaro-dota", "dota"),
    Case("datumaro-imagenet_txt", "image_list", "classes"),
    Case("datumaro-imagenet_with_subset_dirs", "image_folder", "classes"),
    Case("datumaro-voc_classification", "voc_classes", "classes"),
    Case("datumaro-imagenet-no_label", "image_folder", "classes", unsaid=NONE),
    *(Case(f"datumaro-{form}", form, "classes") for form in ("cifar", "mnist_csv")),
    *(Case(f"datumaro-{form}-sizes", form, "classes", unsaid=NONE) for form in ("cifar", "mnist_csv")),
    *(Case(f"webdataset-{kind}", "webdataset", "classes") for kind in ("json", "txt")),
    *(Case(f"label_studio-{way}-{carries}", "label_studio" if way == "json" else "label_studio_min", carries, has_splits=False)
      for way in ("json", "json_min", "csv", "tsv") for carries in ("boxes", "classes")),
]  # fmt: skip


def files_of(name: str) -> dict[str, bytes]:
    path = next(PEERS.glob(f"{name}.*"))
    if path.suffix == ".tar":
        with tarfile.open(path) as archive:
            return {one.name: archive.extractfile(one).read() for one in archive.getmembers()}
    with zipfile.ZipFile(path) as archive:
        return {one: archive.read(one) for one in archive.namelist()}


def claimed(files: dict[str, bytes], modality: Modality) -> dict[str, bytes]:
    forms = [format_load(name) for name in format_names(modality)]
    return {name: data for name, data in files.items() if any(form.is_label_file(name) for form in forms)}


def read(case: Case, files: dict[str, bytes]) -> tuple[ParsedLabels, list[str]]:
    """What is read and the names of all items, as an upload does it."""
    masks = mask_files(files)
    files = {name: data for name, data in files.items() if name not in masks}
    form = format_load(case.form)
    own = {name: data for name, data in files.items() if form.is_label_file(name)}
    data = [name for name in files if name not in own]
    reading = reading_whole(form.read(data, own))
    return reading, [*data, *(one[0] for one in reading.contents if not isinstance(one, LabelFileProblem))]


def stem(name: str) -> str:
    """The picture's key in ``PICTURES``: ``a/sub/two.png`` and ``x/sub_two.png`` are one."""
    found = re.sub(r"\.\w+$", "", name)
    return "sub_two" if found.endswith(("sub/two", "sub_two")) else found.rpartition("/")[2]


@pytest.mark.parametrize("case", CASES, ids=[one.file for one in CASES])
def test_an_archive_of_a_peer_is_recognised_and_read_whole(case):
    files = files_of(case.file)
    masks = mask_files(files)
    supported = {name: data for name, data in files.items() if name not in masks}
    assert format_detect(list(supported), claimed(supported, case.modality), case.modality) == case.form
    reading, items = read(case, files)
    assert tuple(one.code for one in reading.complaints) == case.notes
    assert sorted(map(stem, items)) == sorted(PICTURES)
    by_stem = {stem(name): found for name, found in reading.annotations.items()}
    assert by_stem.keys() == PICTURES.keys() - case.unsaid
    for name, found in by_stem.items():
        _, label, boxes = PICTURES[name]
        if case.carries == "boxes":
            scaled = annotations_scaled(found, width=40, height=30) if reading.is_relative else found
            around, _ = boxes_around(scaled)
            assert all(isinstance(one, Box) for one in around)
            assert [one.label for one in around] == [one for one, _ in boxes]
            for one, (_, expected) in zip(around, boxes, strict=True):
                assert (one.x, one.y, one.width, one.height) == pytest.approx(expected, abs=1e-3)
        else:
            labels = [label] if case.carries == "classes" else sorted({one for one, _ in boxes})
            assert [(one.kind, one.label) for one in found] == [("class", one) for one in labels]
    if case.has_splits:
        assert {stem(name): split for name, split in reading.splits.items()} == {k: v[0] for k, v in PICTURES.items()}


@pytest.mark.parametrize("case", CASES, ids=[one.file for one in CASES])
def test_no_value_that_cannot_be_read_makes_a_picture_empty(case):
    """Each number and label of the text files is spoilt, one at a time: a picture with objects never ends as one without."""
    files = files_of(case.file)
    form = format_load(case.form)
    whole, _ = read(case, files)
    empty = {name for name, annotations in whole.annotations.items() if not annotations}
    texts = [name for name in files if form.is_label_file(name) and not name.lower().endswith(BINARY)]
    for place in texts:
        text = files[place].decode()
        for found in list(re.finditer(r"(?<![\w.])-?\d+(\.\d+)?(?![\w.])|traffic light", text))[:200]:
            spoilt = text[: found.start()] + "\x01" + text[found.end() :]
            reading, _ = read(case, files | {place: spoilt.encode()})
            assert {name for name, annotations in reading.annotations.items() if not annotations} <= empty, (place, found)


TEXTS = {"a fine day": ["good"], 'a sad day, "really"': ["bad"], "neither 花": ["good", "bad"]}


@pytest.mark.parametrize("way", ["json", "json_min", "csv", "tsv"])
def test_texts_of_label_studio(way):
    files = files_of(f"label_studio-{way}-texts")
    form = "label_studio" if way == "json" else "label_studio_min"
    assert format_detect(list(files), claimed(files, Modality.TEXT), Modality.TEXT) == form
    reading = format_load(form).read([], files)
    assert reading.complaints == []
    labels = {data.decode(): [one.label for one in reading.annotations[name]] for name, data in reading.contents}
    assert labels == TEXTS


def test_texts_that_save_to_disk_wrote():
    files = files_of("datasets-save_to_disk-texts")
    assert format_detect(list(files), claimed(files, Modality.TEXT), Modality.TEXT) == "text_table"
    form = format_load("text_table")
    reading = form.read([], {name: data for name, data in files.items() if form.is_label_file(name)})
    assert reading.complaints == []
    labels = {
        data.decode(): (reading.annotations[name][0].label, reading.splits[name].value) for name, data, _ in reading.contents
    }
    assert labels == {"a fine day": ("good", "train"), "a sad day": ("bad", "train"), "so very fine": ("good", "test")}


def test_masks_of_peers_are_no_pictures():
    for name in ("camvid", "cityscapes", "kitti_segmentation", "voc_segmentation"):
        files = files_of(f"datumaro-{name}")
        pictures = [one for one in files if one.endswith(".png") and one not in mask_files(files)]
        assert sorted(stem(one.replace("_leftImg8bit", "")) for one in pictures) == sorted(PICTURES), name


BINARY = (".png", ".parquet", ".arrow", ".feather", "batches.meta", "train", "test", "val")


def test_a_file_of_columns_whose_categories_do_not_fit_its_boxes_leaves_pictures_unlabelled():
    import pyarrow as pa
    import pyarrow.parquet as pq

    picture = files_of("datumaro-dota")["train/images/one.png"]
    rows = [
        {"image": {"bytes": picture, "path": "a.png"}, "objects": {"bbox": [[1.0, 1, 2, 2]], "category": []}},
        {"image": {"bytes": picture, "path": "b.png"}, "objects": {"bbox": [[1.0, 1, -2, 2]], "category": [1]}},
        {"image": {"bytes": picture, "path": "c.png"}, "objects": {"bbox": [], "category": []}},
        {"image": {"bytes": picture, "path": "d.png"}, "objects": None},
    ]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    reading = reading_whole(format_load("huggingface").read([], {"x.parquet": out.getvalue()}))
    assert reading.annotations == {"c.png": ()}
    assert [(one.name, one.code) for one in reading.complaints] == [
        ("x.parquet:1", "annotation_invalid"),
        ("x.parquet:2", "annotation_invalid"),
    ]
    assert [one[0] for one in reading.contents] == ["a.png", "b.png", "c.png", "d.png"]


def test_boxes_that_can_only_be_corners_are_read_as_corners():
    import pyarrow as pa
    import pyarrow.parquet as pq

    picture = files_of("datumaro-dota")["train/images/one.png"]
    rows = [{"image": {"bytes": picture, "path": "a.png"}, "objects": {"bbox": [[30, 20, 39, 29]], "category": ["cat"]}}]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    reading = format_load("huggingface").read([], {"x.parquet": out.getvalue()})
    assert reading.annotations["a.png"] == (Box(label="cat", x=30, y=20, width=9, height=9),)
    assert [one.code for one in reading.complaints] == ["boxes_as_corners"]
