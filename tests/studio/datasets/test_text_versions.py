"""Versions of texts hold the length of each, and the endpoints of datasets show, find and hand out what texts say."""

from __future__ import annotations

import hashlib
import io
import zipfile

import pyarrow.parquet as pq
import pytest

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import content_hash
from engine.data.version import DatasetVersion as PlacedVersion
from labeling.branching import services as branching
from labeling.branching.handlers import job_run
from labeling.services import annotation_save
from studio.datasets.items.kinds import kind_named
from studio.datasets.models import Dataset, Item
from studio.datasets.versions.manifest import (
    dataset_problems,
    dataset_records,
    version_all_items,
    version_commit,
    version_items,
    version_items_where,
    version_place,
)
from studio.datasets.versions.selectors import version_manifest
from studio.datasets.versions.shards import SHARD_SCHEMA, shard_schema, version_tree
from studio.datasets.versions.version_diff import diff_page, diff_summary
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, ProjectSetup, home, ingest, picture, setup, setup_make, zip_of

__all__ = ["home", "setup"]

TEXTS = {
    "good/1.txt": "很好，100%满意_!",
    "good/2.txt": "\u3000\u00a0 lovely place \n\n\x0b",
    "good/3.txt": "😀 emoji count one",
    "bad/4.txt": 'said "no", never\nagain',
    "bad/5.txt": "差。\u2028\u0085",
    "bad/6.txt": "x" * 5000,
}


@pytest.fixture
def texts(db, home) -> ProjectSetup:
    """A project of texts, annotated by their folders, and one that nobody looked at."""
    made = setup_make(task="text_classification")
    ingest(made.dataset, zip_of({name: text.encode() for name, text in TEXTS.items()}), labels="folder")
    ingest(made.dataset, b"who knows", name="free.txt", kind="file")
    for number, item in enumerate(Item.objects.order_by("id")):  # each split has some, whatever their hashes are
        Item.objects.filter(id=item.id).update(split=("train", "validation", "test")[number % 3])
    made.refresh()
    return made


def test_a_version_holds_the_length_of_each_text(texts):
    version, is_new = version_commit(dataset=texts.dataset, actor=texts.actor)
    assert is_new
    records = list(version_all_items(version))
    assert {one.name: one.media.num_characters for one in records} == {name: len(text.strip()) for name, text in TEXTS.items()}
    assert {one.annotations for one in records} == {(ClassLabel(label="good"),), (ClassLabel(label="bad"),)}
    manifest = version_manifest(version)
    assert manifest.content_sha256 == content_hash(records)
    assert manifest.num_annotations_by_label == {"good": 3, "bad": 3}
    assert list(dataset_records(texts.dataset)) == records
    assert version_items(version, start=1, count=2) == records[1:3]
    found, _ = version_items_where(version, split=None, label="bad", start=0, count=10)
    assert [one.name for one in found] == [name for name in TEXTS if name.startswith("bad")]
    shard = version_tree(version.id) / manifest.shards[0]
    assert pq.read_schema(shard).remove_metadata() == shard_schema(kind_named("text"))
    assert version_commit(dataset=texts.dataset, actor=texts.actor) == (version, False)


def test_a_version_of_pictures_has_the_columns_that_it_always_had(setup):
    ingest(setup.dataset, zip_of({"rose/1.png": picture(1)}), labels="folder")
    setup.refresh()
    version, _ = version_commit(dataset=setup.dataset, actor=setup.actor)
    assert pq.read_schema(version_tree(version.id) / "items-00000.parquet").remove_metadata() == SHARD_SCHEMA


def test_a_job_is_given_the_texts(texts, tmp_path):
    version, _ = version_commit(dataset=texts.dataset, actor=texts.actor)
    version_place(version, tmp_path / "data")
    placed = PlacedVersion.open(tmp_path / "data")
    assert {one.name: placed.blob_path(one.blob).read_text(encoding="utf-8") for one in placed.records()} == TEXTS


def test_problems_of_texts_are_reported(texts):
    assert dataset_problems(texts.dataset)
    assert not [one for one in dataset_problems(texts.dataset) if one.code in {"item_no_text", "text_blank"}]
    ingest(texts.dataset, zip_of({"good/long.txt": b"y" * 6000}), labels="folder")
    assert [one.code for one in dataset_problems(texts.dataset) if one.field == "media"] == ["text_long"]


def say(setup: ProjectSetup, name: str, label: str) -> None:
    item = Item.objects.select_related("dataset__project").get(name=name)
    annotations = (ClassLabel(label=label),)
    annotation_save(item=item, annotations=annotations, revision=item.revision, operation=f"{name}-{label}", actor=setup.actor)


def test_texts_are_compared_branched_and_restored(texts):
    first, _ = version_commit(dataset=texts.dataset, actor=texts.actor)
    say(texts, "good/1.txt", "bad")
    say(texts, "free.txt", "good")
    dataset = Dataset.objects.select_related("project").get(id=texts.dataset.id)
    summary = diff_summary(first, dataset)
    assert (summary.num_added, summary.num_changed, summary.num_removed) == (1, 1, 0)
    rows, _ = diff_page(first, dataset, kind=None, label=None, cursor="", limit=10)
    assert {row.name: row.text for row in rows} == {"good/1.txt": TEXTS["good/1.txt"], "free.txt": "who knows"}
    second, _ = version_commit(dataset=dataset, actor=texts.actor)
    assert diff_summary(first, second).num_added == 1
    job = branching.branch_create(dataset=dataset, name="again", version=first, actor=texts.actor)
    job_run(Job.objects.get(id=job.id), InMemoryReporter())
    dataset.refresh_from_db()
    assert (dataset.branch, dataset.base_id) == ("again", first.id)
    assert diff_summary(first, dataset).num_changed == 0
    assert Item.objects.get(name="free.txt").state == "unlabelled"
    assert Item.objects.get(name="good/1.txt").annotations[0]["label"] == "good"


@pytest.mark.parametrize("form", ["image_folder", "csv_labels", "doccano"])
def test_a_download_of_texts_brings_everything_back(texts, form):
    version, _ = version_commit(dataset=texts.dataset, actor=texts.actor)
    listed = texts.client().get(f"/api/versions/{version.id}/formats").json()
    assert form in [one["name"] for one in listed]
    assert not {"coco", "yolo", "webdataset"} & {one["name"] for one in listed}
    answer = texts.client().get(f"/api/versions/{version.id}/download?format={form}")
    data = b"".join(answer.streaming_content)
    assert int(answer["Content-Length"]) == len(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
    other = setup_make(email="eve@example.org", task="text_classification")
    upload = ingest(other.dataset, data, name="d.zip", labels="auto")
    assert list(upload.rejects.values_list("name", "code")) == []
    fields = ("blob", "text", "annotations", "split")
    annotated = Item.objects.filter(dataset=texts.dataset, state="annotated")
    assert sorted(Item.objects.filter(dataset=other.dataset).values_list(*fields)) == sorted(annotated.values_list(*fields))


def test_a_text_is_served_as_plain_text_and_has_no_thumbnail(texts):
    item = Item.objects.get(name="bad/4.txt")
    shown = texts.client().get(f"/api/items/{item.id}").json()
    answer = texts.client().get(shown["picture_url"])
    assert answer.content.decode() == TEXTS["bad/4.txt"]
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("text/plain; charset=utf-8", "nosniff")
    assert hashlib.sha256(answer.content).hexdigest() == item.blob
    assert texts.client().get(shown["picture_url"], headers={"If-None-Match": answer["ETag"]}).status_code == 304
    refused = texts.client().get(f"/api/items/{item.id}/thumbnail")
    assert (refused.status_code, refused.json()["code"]) == (404, "no_thumbnail")
    assert shown["media"] == {"width": 0, "height": 0, "format": "txt", "size_bytes": item.size_bytes, "num_characters": 22}


def test_a_page_shows_the_beginnings_of_texts(texts):
    rows = texts.client().get(f"/api/datasets/{texts.dataset.id}/items").json()["items"]
    shown = {row["name"]: row["text"] for row in rows}
    assert shown == {name: text[:2000] for name, text in TEXTS.items()} | {"free.txt": "who knows"}


@pytest.mark.parametrize(
    ("part", "names"),
    [
        ("满意", ["good/1.txt"]),
        ("LOVELY", ["good/2.txt"]),
        ("100%满", ["good/1.txt"]),
        ("0%", ["good/1.txt"]),
        ("%", ["good/1.txt"]),
        ("_", ["good/1.txt"]),
        ('"no"', ["bad/4.txt"]),
        ("never\nagain", ["bad/4.txt"]),
        ("\\", []),
        ("😀", ["good/3.txt"]),
        ("5.txt", ["bad/5.txt"]),
        ("bad/", ["bad/4.txt", "bad/5.txt", "bad/6.txt"]),
        ("knows", ["free.txt"]),
        ("nowhere", []),
        ("'; DROP TABLE", []),
    ],
)
def test_texts_are_found_by_what_they_say_or_are_called(texts, part, names):
    answer = texts.client().get(f"/api/datasets/{texts.dataset.id}/items", {"q": part})
    assert [row["name"] for row in answer.json()["items"]] == names
    positions = texts.client().get(f"/api/datasets/{texts.dataset.id}/items/positions", {"q": part}).json()
    assert positions["num_items"] == len(names)


def test_a_search_within_a_label_looks_at_texts_too(texts):
    answer = texts.client().get(f"/api/datasets/{texts.dataset.id}/items", {"q": "e", "label": "bad"})
    assert [row["name"] for row in answer.json()["items"]] == ["bad/4.txt"]


def test_the_summary_and_the_facets_count_texts(texts):
    client, base = texts.client(), f"/api/datasets/{texts.dataset.id}"
    assert client.get(f"{base}/summary").json()["items"] == 7
    facets = client.get(f"{base}/facets").json()
    assert {one["value"]: one["num_items"] for one in facets["labels"]} == {"good": 3, "bad": 3}
