"""A project of rows goes out and comes back the same, with its columns and changed cells; a forged one comes in nowhere."""

from __future__ import annotations

import pytest
from django.utils import timezone

from labeling.transfer import services
from labeling.transfer.errors import ArchiveInvalidError
from labeling.transfer.handlers import job_ended, job_run
from studio.accounts.access import principal_of_user
from studio.datasets.items.services import item_delete
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Dataset, Item, RowRevision, Upload
from studio.datasets.tables.row_edit import cells_set
from studio.datasets.uploads.services import upload_append, upload_create
from studio.datasets.versions.manifest import version_commit
from studio.datasets.versions.version_note import VersionNote
from studio.jobs.models import Job
from studio.projects.models import Project
from studio.projects.services import project_create
from tests.labeling.test_rows_everywhere import table_make
from tests.labeling.test_transfer import changed, content_of, elsewhere, export, in_rows, run
from tests.support.project_setup import InMemoryReporter, ProjectSetup, home, setup_make

__all__ = ["home"]


@pytest.fixture
def lived(db, home) -> ProjectSetup:
    """A project of rows with a version, a deleted row, and one whose cells were changed since."""
    setup = setup_make(task="tabular_prediction")
    table_make(setup, target="kind")
    version_commit(dataset=setup.dataset, actor=setup.actor, note=VersionNote("first"))
    first, second = Item.objects.select_related("dataset__project").order_by("id")[:2]
    item_delete(dataset=setup.dataset, items=[first.id], actor=setup.actor)
    cells_set(item=second, cells={"color": "绿", "age": None}, blob=second.blob, actor=setup.actor)
    return setup


def bring(setup: ProjectSetup, data: bytes) -> tuple[Project, Job]:
    waiting = project_create(workspace=setup.workspace, name="Import", task="tabular_prediction", actor=setup.actor)
    dataset = Dataset.objects.select_related("project").get(project=waiting)
    upload = upload_create(dataset=dataset, actor=setup.actor, name="project.zip", size_bytes=len(data), kind="archive")
    upload_append(upload=upload, offset=0, chunks=[data])
    return services.archive_import(
        upload=Upload.objects.select_related("dataset__project").get(id=upload.id), actor=setup.actor
    )


def test_rows_come_back_the_same_elsewhere(lived, tmp_path):
    data, before = export(lived), content_of(lived.project)
    columns = schema_of(Dataset.objects.get(project=lived.project))
    other = elsewhere(tmp_path)
    project, job = bring(other, data)
    run(job)
    assert content_of(Project.objects.get(id=project.id)) == before
    dataset = Dataset.objects.select_related("project").get(project=project)
    assert schema_of(dataset) == columns
    assert RowRevision.objects.filter(item__dataset=dataset).count() == 1
    version, is_new = version_commit(dataset=dataset, actor=principal_of_user(other.owner))
    assert (is_new, version.number) == (True, 2)  # cells have changed since the first
    item = Item.objects.get(name="pets.csv#3")
    answer = other.client().get(f"/api/items/{item.id}").json()
    assert answer["row"]["cells"] == {"kind": "dog", "price": "1.5", "color": "绿"}


def forged(text: str):
    return in_rows("datasets.item", lambda row: row | {"text": text})


ATTACKS = {
    "a row that says something else": forged('{"cells":{"kind":"cat"}}'),
    "a row that is none": forged("[]"),
    "a row that is half a character": forged("\ud800"),
    "a row that says nothing": in_rows("datasets.item", lambda row: row | {"text": None}),
    "a row that is a picture": in_rows("datasets.item", lambda row: row | {"format": "png"}),
    "a row with a blob": lambda files: files | {f"blobs/{'0' * 64}": b"{}"},
    "columns that are none": in_rows("datasets.dataset", lambda row: row | {"columns": {"columns": [{"name": ""}]}}),
    "a history of something else": in_rows("datasets.rowrevision", lambda row: row | {"text": '{"cells":{"a":"1"}}'}),
    "a version without its shard": lambda files: {n: c for n, c in files.items() if not n.endswith(".parquet")},
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_rows_that_were_tampered_with_come_in_nowhere(lived, tmp_path, attack):
    data = changed(export(lived), ATTACKS[attack])
    project, job = bring(elsewhere(tmp_path), data)
    with pytest.raises(ArchiveInvalidError):
        job_run(Job.objects.get(id=job.id), InMemoryReporter())
    Job.objects.filter(id=job.id).update(state="failed", ended_at=timezone.now())
    job_ended(Job.objects.get(id=job.id))
    assert not Item.objects.filter(dataset__project=project).exists()
