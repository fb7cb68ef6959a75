"""A project of texts goes out and comes back the same; one whose texts and files disagree comes in nowhere."""

from __future__ import annotations

import pytest
from django.utils import timezone

from labeling.transfer import services
from labeling.transfer.errors import ArchiveInvalidError
from labeling.transfer.handlers import job_ended, job_run
from studio.accounts.access import principal_of_user
from studio.datasets.items.services import item_delete
from studio.datasets.models import Dataset, Item, Upload
from studio.datasets.uploads.services import upload_append, upload_create
from studio.datasets.versions.manifest import version_commit
from studio.datasets.versions.version_note import VersionNote
from studio.jobs.models import Job
from studio.projects.models import Project
from studio.projects.services import project_create
from tests.labeling.test_transfer import changed, content_of, elsewhere, export, first_named, in_rows, run
from tests.support.project_setup import InMemoryReporter, ProjectSetup, ingest, picture, setup_make, zip_of


@pytest.fixture
def lived(db, home) -> ProjectSetup:
    """A project of texts with a version, a deleted text and an unlabelled one."""
    setup = setup_make(task="text_classification")
    files = {f"{'好' if n % 3 else '差'}/{n}.txt": f"第{n}条\n“{n}”".encode() for n in range(9)}
    ingest(setup.dataset, zip_of(files), labels="folder")
    ingest(setup.dataset, b"who knows", name="free.txt", kind="file")
    setup.refresh()
    item_delete(dataset=setup.dataset, items=[Item.objects.filter(state="annotated").first().id], actor=setup.actor)
    version_commit(dataset=setup.dataset, actor=setup.actor, note=VersionNote("first"))
    return setup


def bring(setup: ProjectSetup, data: bytes) -> tuple[Project, Job]:
    waiting = project_create(workspace=setup.workspace, name="Import", task="text_classification", actor=setup.actor)
    dataset = Dataset.objects.select_related("project").get(project=waiting)
    upload = upload_create(dataset=dataset, actor=setup.actor, name="project.zip", size_bytes=len(data), kind="archive")
    upload_append(upload=upload, offset=0, chunks=[data])
    return services.archive_import(
        upload=Upload.objects.select_related("dataset__project").get(id=upload.id), actor=setup.actor
    )


def test_texts_come_back_the_same_elsewhere(lived, tmp_path):
    data, before = export(lived), content_of(lived.project)
    assert {row["text"] for row in before["datasets.item"]} == {*(f"第{n}条\n“{n}”" for n in range(9)), "who knows"}
    other = elsewhere(tmp_path)
    project, job = bring(other, data)
    run(job)
    assert content_of(Project.objects.get(id=project.id)) == before
    dataset = Dataset.objects.select_related("project").get(project=project)
    version, is_new = version_commit(dataset=dataset, actor=principal_of_user(other.owner))
    assert (is_new, version.note) == (False, "first")
    item = Item.objects.get(name="free.txt")
    assert other.client().get(f"/api/items/{item.id}/picture").content == b"who knows"


ATTACKS = {
    "a text that says other words than its file": in_rows("datasets.item", lambda row: row | {"text": "bought"}),
    "a text that is half a character": in_rows("datasets.item", lambda row: row | {"text": "\ud800"}),
    "a text that says nothing": in_rows("datasets.item", lambda row: row | {"text": None}),
    "a text that is a number": in_rows("datasets.item", lambda row: row | {"text": 7}),
    "a file of other words": lambda files: files | {first_named(files, "blobs/"): b"other words"},
    "a picture": lambda files: files | {first_named(files, "blobs/"): picture(1)},
    "a blob that is no text": lambda files: files | {f"blobs/{'0' * 64}": b"\0"},
    "a version without its shard": lambda files: {n: c for n, c in files.items() if not n.endswith(".parquet")},
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_texts_that_were_tampered_with_come_in_nowhere(lived, tmp_path, attack):
    data = changed(export(lived), ATTACKS[attack])
    project, job = bring(elsewhere(tmp_path), data)
    with pytest.raises(ArchiveInvalidError):
        job_run(Job.objects.get(id=job.id), InMemoryReporter())
    Job.objects.filter(id=job.id).update(state="failed", ended_at=timezone.now())
    job_ended(Job.objects.get(id=job.id))
    assert not Item.objects.filter(dataset__project=project).exists()
