"""Versions: the same state is the same id, nothing moves between splits, nothing that was cut ever changes."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import (
    ItemRecord,
    LabelSet,
    MediaFacts,
    Split,
    SplitShares,
    VersionManifest,
    content_hash,
    split_of_group,
    version_id,
)
from engine.data.version import DatasetVersion as EngineVersion
from engine.data.version import VersionBytesError
from studio.common.blob_store import BlobDamagedError
from studio.common.blobs import blobs
from studio.datasets.files.formats import format_names
from studio.datasets.items.kinds import kind_named
from studio.datasets.items.services import item_delete
from studio.datasets.models import DatasetVersion, Item
from studio.datasets.versions import records as rows_module
from studio.datasets.versions import shards as shards_module
from studio.datasets.versions.manifest import version_all_items, version_commit, version_items, version_place
from studio.datasets.versions.records import VersionWriter, version_records, version_rows
from studio.datasets.versions.shards import records_table
from studio.datasets.versions.splits import shares_set
from tests.support.project_setup import ingest, picture, setup_make, zip_of

pytestmark = pytest.mark.both_databases("platform/studio/datasets/versions/working_tables.py")


@pytest.fixture
def filled(setup):
    files = {f"{'rose' if n % 3 else 'tulip'}/{n}.png": picture(n, size=(48, 40)) for n in range(12)}
    ingest(setup.dataset, zip_of(files), labels="folder")
    ingest(setup.dataset, picture(99), name="unlabelled.png", kind="file")
    setup.refresh()
    return setup


def commit(setup) -> tuple[DatasetVersion, bool]:
    return version_commit(dataset=setup.dataset, actor=setup.actor)


def tree(version: DatasetVersion) -> dict[str, bytes]:
    folder = blobs().fetch_tree(f"versions/{version.id}")
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def test_the_same_state_is_the_same_version(filled):
    first, is_new = commit(filled)
    again, is_new_again = commit(filled)
    assert (first.id, is_new, is_new_again) == (again.id, True, False)
    assert DatasetVersion.objects.count() == 1


def test_a_version_never_changes_whatever_happens_to_its_items(filled):
    first, _ = commit(filled)
    before = tree(first)
    item = Item.objects.filter(state="annotated").first()
    item_delete(dataset=filled.dataset, items=[item.id], actor=filled.actor)
    second, is_new = commit(filled)
    assert is_new
    assert (second.number, second.parent_id) == (2, first.id)
    assert tree(first) == before
    assert item.blob in {record.blob for record in version_all_items(first)}
    assert blobs().exists(item.blob)
    from studio.datasets.items.services import item_restore

    item_restore(dataset=filled.dataset, items=[item.id], actor=filled.actor)
    assert commit(filled) == (first, False)


def test_the_manifest_keeps_its_promises(filled):
    version, _ = commit(filled)
    manifest = VersionManifest.model_validate(json.loads(tree(version)["version.json"]))
    found = list(version_all_items(version))
    assert version_id(manifest) == manifest.id == version.id
    assert content_hash(found) == manifest.content_sha256
    assert [record.item for record in found] == sorted(record.item for record in found)
    assert manifest.num_items == len(found) == 12
    assert sum(manifest.num_items_by_split.values()) == 12
    assert manifest.num_annotations_by_label == {"tulip": 4, "rose": 8}
    assert version.manifest == manifest.model_dump(mode="json")


def test_two_projects_with_the_same_pictures_have_their_own_versions(filled):
    other = setup_make(email="eve@example.org")
    files = {f"{'rose' if n % 3 else 'tulip'}/{n}.png": picture(n, size=(48, 40)) for n in range(12)}
    ingest(other.dataset, zip_of(files), labels="folder")
    other.refresh()
    assert commit(filled)[0].id != commit(other)[0].id


def test_the_engine_reads_what_is_placed(filled, tmp_path):
    version, _ = commit(filled)
    data = tmp_path / "job" / "data"
    version_place(version, data)
    version_place(version, data)
    opened = EngineVersion.open(data)
    assert opened.id == version.id
    found = opened.records()
    assert found == list(version_all_items(version))
    for record in found:
        assert opened.blob_path(record.blob).stat().st_size == record.media.size_bytes


def test_a_shard_with_a_wrong_byte_is_neither_shown_nor_placed_unseen(filled, tmp_path):
    version, _ = commit(filled)
    shard = blobs().fetch_tree(f"versions/{version.id}") / "items-00000.parquet"
    data = shard.read_bytes()
    shard.chmod(0o644)
    shard.write_bytes(data[:60] + bytes([data[60] ^ 1]) + data[61:])
    answer = filled.client().get(f"/api/versions/{version.id}/items")
    assert (answer.status_code, answer.json()["code"]) == (500, "blob_damaged")

    def placed_and_read() -> None:
        version_place(version, tmp_path / "placed")
        EngineVersion.open(tmp_path / "placed").records()

    # Where blobs lie elsewhere, placing reads which ones the shard names, and so meets it first.
    with pytest.raises((BlobDamagedError, VersionBytesError)):
        placed_and_read()
    shard.write_bytes(data)
    assert filled.client().get(f"/api/versions/{version.id}/items").status_code == 200


def test_rows_are_read_page_by_page_over_shards_and_row_groups(tmp_path, monkeypatch):
    for module in (rows_module, shards_module):
        monkeypatch.setattr(module, "ROW_GROUP", 3)
        monkeypatch.setattr(module, "SHARD_ROWS", 7)
    many = [_record(n) for n in range(23)]
    manifest = _write(tmp_path, many)
    assert len(manifest.shards) == 4
    assert list(version_records(tmp_path, manifest)) == many
    for count in (1, 2, 5, 8, 30):
        paged = [row for start in range(0, 23, count) for row in version_rows(tmp_path, manifest, start=start, count=count)]
        assert paged == many


def test_an_empty_version_can_be_written_and_read(tmp_path):
    manifest = _write(tmp_path, [])
    assert list(version_records(tmp_path, manifest)) == []
    assert version_rows(tmp_path, manifest, start=0, count=5) == []


@given(
    st.lists(st.text(min_size=1, max_size=20), unique=True, max_size=50),
    st.lists(st.text(min_size=1, max_size=20), max_size=50),
)
def test_adding_items_moves_none(old, new):
    shares = SplitShares()
    before = {group: split_of_group(group, shares) for group in old}
    after = {group: split_of_group(group, shares) for group in [*new, *old]}
    assert {group: after[group] for group in old} == before


@given(st.text(max_size=30), st.floats(0, 0.4), st.floats(0, 0.4), st.floats(0, 0.1))
def test_larger_shares_only_take_from_training(group, validation, test, more):
    before = split_of_group(group, SplitShares(validation_fraction=validation, test_fraction=test))
    after = split_of_group(group, SplitShares(validation_fraction=validation, test_fraction=test + more))
    if before == Split.TEST:
        assert after == Split.TEST


def test_items_that_come_later_leave_the_splits_of_the_others(filled):
    before = dict(Item.objects.values_list("id", "split"))
    ingest(filled.dataset, zip_of({f"rose/new-{n}.png": picture(200 + n) for n in range(20)}), labels="folder")
    after = dict(Item.objects.values_list("id", "split"))
    assert {item: after[item] for item in before} == before
    assert set(after.values()) == {"train", "validation", "test"}


def test_shares_can_change_until_there_is_a_version(filled):
    shares_set(dataset=filled.dataset, shares=SplitShares(validation_fraction=0.0, test_fraction=0.0))
    assert set(Item.objects.values_list("split", flat=True)) == {"train"}
    shares_set(dataset=filled.dataset, shares=SplitShares(validation_fraction=0.45, test_fraction=0.45))
    assert {item.split for item in Item.objects.all()} != {"train"}
    commit(filled)
    body = {"project": filled.project.id, "shares": {"validation_fraction": 0.2, "test_fraction": 0.1}}
    answer = filled.client().post("/api/labeling/snapshots", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "shares_fixed")


def test_versions_are_listed_and_their_rows_paged(filled):
    version, _ = commit(filled)
    client = filled.client()
    listed = client.get(f"/api/projects/{filled.project.id}/versions").json()["items"]
    assert [one["id"] for one in listed] == [version.id]
    assert client.get(f"/api/versions/{version.id}").json() == listed[0]
    first = client.get(f"/api/versions/{version.id}/items?limit=5").json()
    second = client.get(f"/api/versions/{version.id}/items", {"limit": 10, "cursor": first["next_cursor"]}).json()
    assert (len(first["items"]), len(second["items"]), second["next_cursor"]) == (5, 7, None)
    ids = [row["item"] for row in first["items"] + second["items"]]
    assert ids == [record.item for record in version_items(version, start=0, count=100)]
    assert client.get(first["items"][0]["thumbnail_url"]).status_code == 200
    assert client.get(f"/api/versions/{version.id}/items?cursor=!").status_code == 422


def test_a_download_can_be_uploaded_again(filled):
    version, _ = commit(filled)
    for form, labels, table in (("image_folder", "folder", "items.csv"), ("csv_labels", "csv", "labels.csv")):
        answer = filled.client().get(f"/api/versions/{version.id}/download?format={form}")
        data = b"".join(answer.streaming_content)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert archive.testzip() is None
            assert {"version.json", table} < set(archive.namelist())
        other = setup_make(email=f"{labels}@example.org")
        ingest(other.dataset, data, labels=labels)
        there = {item.blob: item.annotations for item in Item.objects.filter(dataset=other.dataset)}
        here = {item.blob: item.annotations for item in Item.objects.filter(dataset=filled.dataset, state="annotated")}
        assert there == here


def test_an_unknown_format_lists_the_known_ones(filled):
    version, _ = commit(filled)
    answer = filled.client().get(f"/api/versions/{version.id}/download?format=polaroid")
    assert answer.status_code == 422
    assert ", ".join(format_names()) in answer.json()["detail"]


def test_a_foreign_version_is_not_there(filled):
    version, _ = commit(filled)
    other = setup_make(email="eve@example.org").client()
    for url in ("", "/items", "/download"):
        assert other.get(f"/api/versions/{version.id}{url}").status_code == 404


def _record(n: int) -> ItemRecord:
    return ItemRecord(
        item=f"itm_{n:05d}",
        name=f"{n}.png",
        blob=f"{n:064x}",
        media=MediaFacts(width=10, height=20, format="png", size_bytes=n),
        split=split_of_group(str(n), SplitShares()),
        group=str(n),
        annotations=(ClassLabel(label="a"),) if n % 2 else (),
        provenance="person:usr_x",
    )


def _write(folder: Path, found: list[ItemRecord]) -> VersionManifest:
    writer = VersionWriter(folder, LabelSet())
    for start in range(0, len(found), 4):
        writer.add(records_table(found[start : start + 4], kind_named("image")))
    return writer.finish(
        project="prj_x", parent=None, task="image_classification", task_options={}, annotation_kinds=("class",)
    )
