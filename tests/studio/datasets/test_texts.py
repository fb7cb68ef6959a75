"""Texts become items: in any encoding the same words are one text, and what is no text is refused by its reason."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.common.blobs import blobs
from studio.datasets.files.reasons import REASONS
from studio.datasets.files.text import MAX_CHARACTERS, TextRefusedError, text_read
from studio.datasets.handlers import job_run
from studio.datasets.models import Item, LabelSource, Reject, Upload
from studio.datasets.uploads.sources.collect import source_collect
from studio.datasets.uploads.sources.kinds import FolderSource
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, ProjectSetup, home, ingest, picture, setup, setup_make, tar_of, zip_of

__all__ = ["home", "setup"]

WORDS = "服务很好，\n下次还来！ Café №5"


@pytest.fixture
def texts(db, home) -> ProjectSetup:
    """A project of texts with one label each."""
    return setup_make(task="text_classification")


def rejects(upload: Upload) -> dict[str, str]:
    return dict(Reject.objects.filter(upload=upload).values_list("name", "code"))


def written(dataset) -> dict[str, str]:
    return dict(Item.objects.filter(dataset=dataset, deleted_at=None).values_list("name", "text"))


def labels_by_name(dataset) -> dict[str, list[str]]:
    rows = Item.objects.filter(dataset=dataset, deleted_at=None, state="annotated")
    return {row.name: [one["label"] for one in row.annotations] for row in rows}


@pytest.mark.parametrize(
    "data",
    [
        WORDS.encode(),
        b"\xef\xbb\xbf" + WORDS.encode(),
        WORDS.replace("\n", "\r\n").encode(),
        WORDS.replace("\n", "\r").encode(),
        WORDS.encode("utf-16"),
        b"\xfe\xff" + WORDS.encode("utf-16-be"),
        WORDS.encode("gb18030"),
    ],
    ids=["utf-8", "utf-8 with a mark", "windows", "old macintosh", "utf-16", "utf-16 big endian", "gb18030"],
)
def test_the_same_words_are_the_same_text(data):
    found = text_read(data)
    assert (found.text, found.data) == (WORDS, WORDS.encode())
    assert found.media.num_characters == len(WORDS)
    assert (found.media.width, found.media.height, found.media.format) == (0, 0, "txt")
    assert found.media.size_bytes == len(WORDS.encode())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_file"),
        (b" \r\n\t\xe3\x80\x80", "text_blank"),
        (b"\xef\xbb\xbf", "text_blank"),
        (b"\xff\xfe", "text_blank"),
        (b"a\0b", "not_a_text"),
        (b"beep \x07", "not_a_text"),
        (b"%PDF-1.7\n\x01\x02", "not_a_text"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "not_a_text"),
        (zip_of({"a.txt": b"a"}), "not_a_text"),
        ("café, café".encode("latin-1"), "text_undecodable"),
        (b"\xff\xfe\x00\xd8a\x00", "text_undecodable"),
        (b"a" * (MAX_CHARACTERS + 1), "text_too_long"),
        (("花" * (MAX_CHARACTERS + 1)).encode("utf-16"), "text_too_long"),
        (b"b" * (5 * MAX_CHARACTERS), "text_too_long"),
        (bytes(5 * MAX_CHARACTERS), "not_a_text"),
        (picture(1), "picture_among_texts"),
        (picture(1, form="JPEG"), "picture_among_texts"),
        (picture(1, form="BMP"), "picture_among_texts"),
        (picture(1, form="WEBP"), "picture_among_texts"),
    ],
)
def test_what_is_no_text_is_refused(data, code):
    with pytest.raises(TextRefusedError) as refused:
        text_read(data)
    assert refused.value.code == code
    assert REASONS[code].en
    assert REASONS[code].zh


def test_a_text_may_begin_like_a_bitmap_and_be_as_long_as_allowed():
    assert text_read(b"BMW is a maker of cars.").text == "BMW is a maker of cars."
    assert text_read(("花" * MAX_CHARACTERS).encode()).media.num_characters == MAX_CHARACTERS


@given(
    st.binary(max_size=60)
    | st.text(max_size=40).map(str.encode)
    | st.text(max_size=40).map(lambda one: one.encode("gb18030", "ignore"))
)
def test_what_is_kept_is_read_as_itself(data):
    try:
        found = text_read(data)
    except TextRefusedError:
        return
    again = text_read(found.data)
    assert again == found
    assert "\0" not in found.text
    assert "\r" not in found.text


@pytest.mark.parametrize("pack", ["zip", "gz"])
def test_an_archive_of_texts_in_folders_of_their_labels(texts, pack):
    files = {
        "reviews/good/1.txt": WORDS.encode("gb18030"),
        "reviews/good/2.txt": b"lovely\r\nplace",
        "reviews/bad/3.txt": b"never again",
        "reviews/bad/4.txt": WORDS.encode("utf-16"),
        "reviews/bad/photo.jpg": picture(1, form="JPEG"),
        "reviews/bad/blank.txt": b"  \n",
        "reviews/bad/tool.exe": b"MZ\x90\0\3",
    }
    data = zip_of(files) if pack == "zip" else tar_of(files)
    upload = ingest(texts.dataset, data, name="reviews.zip", labels="auto")
    assert (upload.num_items, upload.num_duplicates) == (3, 1)
    assert labels_by_name(texts.dataset) == {
        "reviews/good/1.txt": ["good"],
        "reviews/good/2.txt": ["good"],
        "reviews/bad/3.txt": ["bad"],
    }
    assert written(texts.dataset)["reviews/good/2.txt"] == "lovely\nplace"
    assert rejects(upload) == {
        "reviews/bad/4.txt": "label_kept",
        "reviews/bad/photo.jpg": "picture_among_texts",
        "reviews/bad/blank.txt": "text_blank",
        "reviews/bad/tool.exe": "not_a_text",
    }
    item = Item.objects.get(name="reviews/good/1.txt")
    assert blobs().local_path(item.blob).read_bytes() == WORDS.encode()
    assert (item.width, item.height, item.format, item.size_bytes) == (0, 0, "txt", len(WORDS.encode()))


def test_a_single_text_with_its_label(texts):
    upload = ingest(texts.dataset, b"so good", name="a.txt", kind="file", label="good")
    assert (upload.num_items, labels_by_name(texts.dataset)) == (1, {"a.txt": ["good"]})
    again = ingest(texts.dataset, b"so good", name="b.txt", kind="file")
    assert (again.num_items, again.num_duplicates) == (0, 1)


def test_a_text_in_a_project_of_pictures_is_distinguished_from_a_broken_picture(setup):
    files = {"a.txt": b"words", "b.png": b"other words", "c.png": picture(3)}
    upload = ingest(setup.dataset, zip_of(files))
    assert rejects(upload) == {"a.txt": "text_among_pictures", "b.png": "not_a_picture"}
    assert list(Item.objects.values_list("name", "text")) == [("c.png", None)]


def test_a_batch_takes_texts_and_refuses_the_others_by_name(texts):
    files = [
        ("good/1.txt", b"fine"),
        ("bad/2.txt", b"poor\r\n"),
        ("p.png", picture(1)),
        ("t.csv", b"text\nfoo\n"),
        ("bad/3.txt", b"poor\n"),
    ]
    sent = []
    for name, data in files:
        one = io.BytesIO(data)
        one.name = name.rpartition("/")[2]
        sent.append(one)
    answer = texts.client().post(
        f"/api/datasets/{texts.dataset.id}/uploads/batch?labels=folder",
        {"files": sent, "paths": json.dumps([name for name, _ in files])},
    )
    assert answer.status_code == 200, answer.content
    assert [(one["state"], one["code"]) for one in answer.json()["items"]] == [
        ("new", None),
        ("new", None),
        ("unreadable", "picture_among_texts"),
        ("unreadable", "table_among_texts"),
        ("duplicate", None),
    ]
    assert labels_by_name(texts.dataset) == {"good/1.txt": ["good"], "bad/2.txt": ["bad"]}


@pytest.mark.parametrize("kind", ["file", "archive"])
@pytest.mark.parametrize(("name", "data"), [("notes.json", b'{"a": 1}'), ("numbers.csv", b"a,b\n1,2\n"), ("none.csv", b"")])
def test_a_table_nobody_can_read_is_not_taken_for_one_text(texts, kind, name, data):
    upload = ingest(texts.dataset, data, name=name, kind=kind, labels="auto")
    assert (upload.num_items, rejects(upload)) == (0, {name: "table_without_texts"})


def test_texts_are_collected_from_a_folder_of_the_server(texts, tmp_path, settings):
    place = tmp_path / "opened" / "reviews"
    (place / "good").mkdir(parents=True)
    (place / "good" / "1.txt").write_bytes(WORDS.encode("gb18030"))
    (place / "2.txt").write_bytes(b"plain")
    (place / "3.jpg").write_bytes(picture(1, form="JPEG"))
    (place / "4.csv").write_bytes(b"text\nfoo\n")
    settings.SOURCE_FOLDERS = (str(tmp_path / "opened"),)
    source = FolderSource(path=str(place))
    upload, job = source_collect(dataset=texts.dataset, actor=texts.actor, source=source, labels=LabelSource.FOLDER)
    job_run(Job.objects.get(id=job.id), InMemoryReporter())
    assert written(texts.dataset) == {"good/1.txt": WORDS, "2.txt": "plain"}
    assert labels_by_name(texts.dataset) == {"good/1.txt": ["good"]}
    assert rejects(upload) == {"3.jpg": "picture_among_texts", "4.csv": "table_among_texts"}


def test_all_texts_with_a_word_in_them_are_labelled_at_once_and_it_is_undone(texts):
    files = {f"{n}.txt": f"{'parcel' if n % 3 else 'room'} number {n}".encode() for n in range(9)}
    ingest(texts.dataset, zip_of(files))
    texts.labels("delivery", "stay")
    url, client = f"/api/datasets/{texts.dataset.id}/bulk", texts.client()
    action = {"kind": "label", "annotations": [{"kind": "class", "label": "delivery"}]}
    body = {"change": action, "matching": {"q": "PARCEL"}}
    change = client.post(url, body, content_type="application/json")
    assert change.status_code == 200, change.content
    assert labels_by_name(texts.dataset) == {f"{n}.txt": ["delivery"] for n in range(9) if n % 3}
    assert client.post(f"{url}/{change.json()['id']}/undo").status_code == 200
    assert labels_by_name(texts.dataset) == {}
