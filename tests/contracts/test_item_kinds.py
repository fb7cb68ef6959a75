"""Every kind of items that the data sets and labelling know: found by listing, and held to what callers rely on."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.utils import timezone
from PIL import Image

from automl.contracts.annotation import ClassLabel
from engine.tasks import task_names, task_spec
from labeling import kinds as labelling_kinds
from labeling.kinds import labelling_kind_named, labelling_kind_of
from labeling.transfer.errors import ArchiveInvalidError
from studio.accounts.access import SYSTEM
from studio.common.blobs import blobs
from studio.datasets.files.reasons import REASONS
from studio.datasets.files.rows import row_serialise
from studio.datasets.items import kinds
from studio.datasets.items.annotations import AnnotationWrite, annotations_write
from studio.datasets.items.creation import IngestResult, item_ingest
from studio.datasets.items.errors import ItemKindUnknownError, NoThumbnailError
from studio.datasets.items.filters import ItemFilter
from studio.datasets.items.incoming import IncomingFile
from studio.datasets.items.item_pages import item_page
from studio.datasets.items.kinds import kind_named, kind_of, kind_of_format
from studio.datasets.models import Item
from studio.datasets.uploads.services import upload_create
from studio.datasets.versions.manifest import version_all_items, version_commit
from studio.datasets.versions.shards import SHARD_SCHEMA, shard_schema, version_tree
from studio.projects.catalog import annotation_schema
from tests.support.project_setup import ProjectSetup, home, picture, setup_make

__all__ = ["home"]


@dataclass(frozen=True)
class Material:
    """What a kind is tried with."""

    task: str
    files: tuple[bytes, bytes]
    """Of two items."""
    broken: bytes
    search_text: str | None = None
    """Part of what the first says, and the second does not, in other letters."""


MATERIAL = {
    "image": Material("image_classification", (picture(1), picture(2, form="TIFF")), b"\x89PNG and nothing more"),
    "text": Material("text_classification", (b"A red rose\r\n", "晴天".encode()), b"\0\1\2", search_text="RED"),
    "tabular": Material(
        "tabular_prediction",
        (row_serialise({"colour": "red", "size": "3"}).text.encode(), row_serialise({"size": "4"}).text.encode()),
        b"[]",
        search_text="RED",
    ),
}
"""By the names of the kinds."""


WEB_APP = Path(__file__).resolve().parents[2] / "frontend" / "src" / "items"
"""A folder for each kind, which no task's spec names: the pages look it up by the modality."""


@pytest.fixture(params=kinds.NAMES)
def name(request) -> str:
    return request.param


@pytest.fixture
def setup(name, db, home) -> ProjectSetup:
    return setup_make(task=MATERIAL[name].task)


@pytest.fixture
def ingested(setup, name) -> list[IngestResult]:
    """Two items, and what became of a broken file."""
    return take(setup, *MATERIAL[name].files, MATERIAL[name].broken)


def take(setup: ProjectSetup, *contents: bytes) -> list[IngestResult]:
    upload = upload_create(dataset=setup.dataset, actor=SYSTEM, name="all", size_bytes=1, kind="batch")
    files = [IncomingFile(f"thing-{place}", data) for place, data in enumerate(contents)]
    return item_ingest(dataset=setup.dataset, upload=upload, files=files, takes_several=False)


def items(setup: ProjectSetup) -> list[Item]:
    return list(Item.objects.filter(dataset=setup.dataset).order_by("name"))


def test_every_kind_is_tried_and_every_task_has_its_kind():
    assert set(kinds.NAMES) == set(labelling_kinds.NAMES) == set(MATERIAL)
    assert {task_spec(task).modality.value for task in task_names()} <= set(kinds.NAMES)
    assert all(kind_named(name) is kind_of_format(form) for name in kinds.NAMES for form in kind_named(name).formats)
    assert set(kinds.NAMES) == {file.parent.name for file in WEB_APP.glob("*/kind.tsx")}


@pytest.mark.parametrize("find", [kind_named, kind_of_format, labelling_kind_named])
def test_an_unknown_kind_is_an_error_that_names_it(find):
    with pytest.raises(ItemKindUnknownError, match="'smell'"):
        find("smell")


def test_a_stored_item_of_an_unknown_kind_is_named_to_who_asks_for_it(setup, ingested):
    item = items(setup)[0]
    Item.objects.filter(id=item.id).update(format="smell")
    for address in (f"/api/items/{item.id}", f"/api/items/{item.id}/picture", f"/api/datasets/{setup.dataset.id}/items"):
        answer = setup.client().get(address)
        assert (answer.status_code, answer.json()["code"]) == (409, "item_kind_unknown")
        assert "'smell'" in answer.json()["detail"]


def test_files_become_items_once_and_what_is_none_is_refused_with_a_reason(setup, name, ingested):
    assert [one.state for one in ingested] == ["new", "new", "unreadable"]
    assert ingested[2].code in REASONS
    again = take(setup, *MATERIAL[name].files)
    assert [(one.state, one.item) for one in again] == [("duplicate", one.item) for one in ingested[:2]]
    kind = kind_of(setup.project)
    assert {item.format for item in items(setup)} <= kind.formats
    assert [item.text is not None for item in items(setup)] == [kind.keeps_text] * 2
    assert [blobs().exists(item.blob) for item in items(setup)] == [kind.has_files] * 2


def test_decoding_leaves_out_what_is_an_item_already(setup, name, ingested):
    decoded = kind_of(setup.project).decode(setup.dataset, [IncomingFile("again", one) for one in MATERIAL[name].files])
    assert set(decoded.hashes) == {item.blob for item in items(setup)}
    assert not decoded.media
    assert not decoded.refused


def test_what_is_shown_is_what_decoding_found(setup, name, ingested):
    kind = kind_of(setup.project)
    empty = setup_make(email="eve@example.org", task=setup.project.task).dataset
    decoded = kind.decode(empty, [IncomingFile("once more", one) for one in MATERIAL[name].files])
    shown = [kind.preview(item) for item in items(setup)]
    assert [one.media for one in shown] == [decoded.media[item.blob] for item in items(setup)]
    assert [one.text is not None or one.row is not None for one in shown] == [kind.keeps_text] * 2


def test_the_whole_item_is_served_and_never_as_a_page(setup, ingested):
    kind, client = kind_of(setup.project), setup.client()
    for item in items(setup):
        answer = client.get(f"/api/items/{item.id}/picture")
        assert answer.status_code == 200
        assert "html" not in answer["Content-Type"]
        content = answer.getvalue()
        if kind.keeps_text:
            assert content.decode() == item.text
        elif answer["Content-Type"].startswith("image/"):
            assert Image.open(io.BytesIO(content)).size == (item.width, item.height)
        else:
            assert content == blobs().local_path(item.blob).read_bytes()


def test_a_thumbnail_is_a_small_picture_or_a_refusal(setup, ingested):
    kind, item = kind_of(setup.project), items(setup)[0]
    shown = setup.client().get(f"/api/items/{item.id}").json()
    assert (shown["thumbnail_url"] is not None) == kind.has_thumbnails
    if kind.has_thumbnails:
        assert setup.client().get(shown["thumbnail_url"]).status_code == 200
        assert max(Image.open(io.BytesIO(kind.thumbnail(item, size_px=64))).size) <= 64
    else:
        with pytest.raises(NoThumbnailError):
            kind.thumbnail(item, size_px=64)
        assert setup.client().get(f"/api/items/{item.id}/thumbnail").json()["code"] == "no_thumbnail"


def test_items_are_found_by_their_name_and_by_what_they_say(setup, name, ingested):
    def names_with(part: str) -> list[str]:
        page = item_page(setup.dataset, criteria=ItemFilter(text=part), cursor=None, limit=10)
        return [item.name for item in page.items]

    assert names_with("thing-1") == ["thing-1"]
    assert names_with("colour") == []  # the name of a column, which no cell says
    search_text = MATERIAL[name].search_text
    assert names_with(search_text or "red") == (["thing-0"] if search_text else [])


def test_a_version_holds_the_items_in_the_columns_of_their_kind(setup, name, ingested):
    setup.labels("rose")
    writes = [AnnotationWrite(item, (ClassLabel(label="rose"),), "person:1") for item in items(setup)]
    annotations_write(writes=writes, at=timezone.now())
    version, _ = version_commit(dataset=setup.dataset, actor=SYSTEM)
    kind = kind_of(setup.project)
    (shard,) = version.manifest["shards"]
    schema = pq.read_schema(version_tree(version.id) / shard).remove_metadata()
    assert schema == shard_schema(kind)
    assert schema.names == [*SHARD_SCHEMA.names, *(column.field.name for column in kind.shard_columns)]
    media = {record.item: record.media for record in version_all_items(version)}
    assert media == {item.id: kind.preview(item).media for item in items(setup)}


def test_items_can_be_annotated(setup):
    schema = task_spec(setup.project.task).annotation
    assert set(annotation_schema(setup.project).kinds) <= set(schema.kinds)
    assert annotation_schema(setup.project).kinds


def test_jobs_that_compare_items_have_titles_where_items_are_searched_by_something(name):
    titles = kind_named(name).job_titles
    assert set(titles) == ({"embed", "map"} if labelling_kind_named(name).search_by else set())
    assert all(title.en and title.zh for title in titles.values())
    own = labelling_kind_named(name)
    assert own.shown_findings
    assert all("2" in own.finding_sentence(kind, 2).en for kind in own.shown_findings)


def test_an_archive_takes_its_own_items_and_no_others(setup, name, ingested):
    kind, own = kind_of(setup.project), labelling_kind_of(setup.project)
    item = items(setup)[0]
    values = {"blob": item.blob, "text": item.text, "format": item.format}
    own.archive_item(values, files={item.blob}, place="here")
    wrong = [values | {"text": None if kind.keeps_text else "words"}, values | {"blob": "0" * 64}]
    for one in wrong:
        with pytest.raises(ArchiveInvalidError, match="here"):
            own.archive_item(one, files={item.blob}, place="here")
    if kind.has_files:
        data = blobs().local_path(item.blob).read_bytes()
        own.archive_file(data, blob=item.blob, place="here")
    with pytest.raises(ArchiveInvalidError, match="here"):
        own.archive_file(MATERIAL[name].broken, blob="0" * 64, place="here")
