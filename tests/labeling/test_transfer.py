"""A project goes out as one file and comes back the same elsewhere; a file that was tampered with comes in nowhere."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.conf import settings
from django.utils import timezone

from automl.contracts.annotation import ClassLabel
from labeling.comments.models import Comment
from labeling.comments.services import comment_add, comment_delete, comment_resolve
from labeling.models import AnnotationRevision, Review, Suggestion
from labeling.services import annotation_save, review_decide
from labeling.transfer import services
from labeling.transfer.errors import ArchiveInvalidError, ProjectExistsError
from labeling.transfer.handlers import job_ended, job_run
from labeling.transfer.tables import path_to_project, project_tables, rows_out
from studio.accounts.access import principal_of_user
from studio.accounts.errors import ItemsQuotaError
from studio.accounts.models import AuditRow, User
from studio.accounts.quotas import Quota, quota_set
from studio.common.blobs import blobs
from studio.datasets.items.selectors import dataset_summary
from studio.datasets.items.services import item_delete
from studio.datasets.models import Dataset, DatasetVersion, Item, ItemLabel, Upload
from studio.datasets.uploads.services import upload_append, upload_create
from studio.datasets.versions.manifest import version_all_items, version_commit
from studio.datasets.versions.version_note import VersionNote
from studio.jobs.models import Job
from studio.projects.models import Project
from studio.projects.services import project_create
from tests.support.project_setup import InMemoryReporter, ProjectSetup, ingest, picture, setup_make, zip_of


def say(setup: ProjectSetup, item: Item, person: User, *labels: str) -> Item:
    item = Item.objects.select_related("dataset__project").get(id=item.id)
    annotations = tuple(ClassLabel(label=label) for label in labels)
    operation = f"op-{item.id}-{item.revision}"
    return annotation_save(
        item=item, annotations=annotations, revision=item.revision, operation=operation, actor=principal_of_user(person)
    )[0]


@pytest.fixture
def lived(setup) -> ProjectSetup:
    """A project with two versions, two people, reviews, a deleted item, a refused file and an unlabelled picture."""
    files = {f"{'rose' if n % 3 else 'tulip'}/{n}-花.png": picture(n, size=(48, 40)) for n in range(9)}
    ingest(setup.dataset, zip_of({**files, "rose/broken.png": b"no picture"}), labels="folder")
    ingest(setup.dataset, picture(99), name="unlabelled.png", kind="file")
    setup.refresh()
    version_commit(dataset=setup.dataset, actor=setup.actor, note=VersionNote("first"))
    bob = setup.member("bob")
    items = list(Item.objects.filter(state="annotated").order_by("id"))
    say(setup, items[0], bob, "tulip")
    say(setup, items[1], setup.owner, "tulip")
    say(setup, items[1], setup.owner, "rose")
    review_decide(item=items[0], decision="return", comment="look again", actor=setup.actor)
    review_decide(item=items[1], decision="approve", comment="", actor=principal_of_user(bob))
    item_delete(dataset=setup.dataset, items=[items[2].id], actor=setup.actor)
    for number, text in enumerate(("A rose?\n是玫瑰吗？", "Settled", "A slip")):
        comment = comment_add(item=items[0], text=text, operation=f"c{number}", actor=principal_of_user(bob))
        if text == "Settled":
            comment_resolve(comment=comment, is_resolved=True, actor=setup.actor)
        if text == "A slip":
            comment_delete(comment=comment, actor=principal_of_user(bob))
    version_commit(dataset=setup.dataset, actor=setup.actor, note=VersionNote("second"))
    return setup


def export(setup: ProjectSetup) -> bytes:
    job = services.archive_export(project=setup.project, actor=setup.actor)
    job_run(Job.objects.get(id=job.id), InMemoryReporter())
    Job.objects.filter(id=job.id).update(state="succeeded", ended_at=timezone.now())
    answer = setup.client().get(f"/api/labeling/archives/{setup.project.id}/download")
    return b"".join(answer.streaming_content)


def content_of(project: Project) -> dict[str, list]:
    """All rows of a project and what its versions hold."""
    rows = {label: list(rows_out(model, project)) for label, model in project_tables().items()}
    for version in DatasetVersion.objects.filter(project=project):
        rows[version.id] = list(version_all_items(version))
    numbered = {label for label, model in project_tables().items() if model._meta.pk.get_internal_type().endswith("AutoField")}
    return {label: [_without(row, "id") for row in found] if label in numbered else found for label, found in rows.items()}


def _without(row: dict, name: str) -> dict:
    return {key: value for key, value in row.items() if key != name}


def elsewhere(tmp_path, *, email: str = "eve@example.org") -> ProjectSetup:
    """Another platform: nothing of the project is here, neither rows nor pictures."""
    for project in Project.objects.all():
        services._empty(project)
    Project.objects.all().delete()
    User.objects.all().delete()
    settings.BLOBS_DIR = tmp_path / "elsewhere"
    blobs.cache_clear()
    return setup_make(email=email)


def bring(setup: ProjectSetup, data: bytes) -> tuple[Project, Job]:
    waiting = project_create(workspace=setup.workspace, name="Import", task="image_classification", actor=setup.actor)
    dataset = Dataset.objects.select_related("project").get(project=waiting)
    upload = upload_create(dataset=dataset, actor=setup.actor, name="project.zip", size_bytes=len(data), kind="archive")
    upload_append(upload=upload, offset=0, chunks=[data])
    return services.archive_import(
        upload=Upload.objects.select_related("dataset__project").get(id=upload.id), actor=setup.actor
    )


def run(job: Job) -> None:
    job_run(Job.objects.get(id=job.id), InMemoryReporter())
    Job.objects.filter(id=job.id).update(state="succeeded", ended_at=timezone.now())
    job_ended(Job.objects.get(id=job.id))


def test_everything_comes_back_the_same_elsewhere(lived, tmp_path):
    data, before = export(lived), content_of(lived.project)
    names = dict(User.objects.values_list("id", "name"))
    summary = dataset_summary(lived.dataset)
    assert all(
        before[label] for label in ("datasets.item", "datasets.reject", "labeling.annotationrevision", "labeling.review")
    )
    other = elsewhere(tmp_path)
    project, job = bring(other, data)
    run(job)
    project = Project.objects.get(id=project.id)
    assert content_of(project) == before
    assert (project.name, project.workspace_id, project.label_set) == ("Flowers", other.workspace.id, lived.project.label_set)
    assert {id_: name for id_, name in User.objects.values_list("id", "name") if id_ in names} == names
    assert not User.objects.get(name="bob").is_active
    dataset = Dataset.objects.select_related("project").get(project=project)
    assert dataset_summary(dataset) == summary
    version, is_new = version_commit(dataset=dataset, actor=other.actor)
    assert (is_new, version.note) == (False, "second")  # the state still has the id that it had
    assert all(blobs().exists(item.blob) for item in Item.objects.filter(dataset=dataset))
    assert ItemLabel.objects.filter(dataset=dataset).exists()
    assert Review.objects.count() == 2
    assert Suggestion.objects.count() == 1
    comments = Comment.objects.filter(item__dataset=dataset).order_by("id")
    assert [(one.text, one.resolved_at is None, one.deleted_at is None) for one in comments] == [
        ("A rose?\n是玫瑰吗？", True, True),
        ("Settled", False, True),
        ("A slip", True, False),
    ]
    assert AnnotationRevision.objects.filter(item__dataset=dataset).count() == len(before["labeling.annotationrevision"])
    assert not Project.objects.filter(name="Import", deleted_at=None).exists()


def test_a_project_is_on_a_platform_once(lived):
    data = export(lived)
    with pytest.raises(ProjectExistsError):
        bring(lived, data)
    assert not Project.objects.filter(name="Import", deleted_at=None).exists()


def test_the_archive_of_a_deleted_project_leads_to_the_deleted_one(lived):
    data = export(lived)
    client, path = lived.client(), f"/api/projects/{lived.project.id}"
    before = client.get(path).json()
    assert client.delete(path).status_code == 204
    with pytest.raises(ProjectExistsError) as refused:
        bring(lived, data)
    assert refused.value.extra == {"is_deleted": True}
    listed = client.get("/api/projects?deleted=true").json()["items"]
    assert [one["id"] for one in listed] == [lived.project.id]  # and nothing that only carried the archive
    assert client.post(f"{path}/restore").json() == before


def test_a_download_goes_on_where_it_broke_off(lived):
    data = export(lived)
    url, client = f"/api/labeling/archives/{lived.project.id}/download", lived.client()
    rest = client.get(url, headers={"Range": "bytes=100-"})
    assert (rest.status_code, rest["Content-Range"]) == (206, f"bytes 100-{len(data) - 1}/{len(data)}")
    assert b"".join(rest.streaming_content) == data[100:]
    assert b"".join(client.get(url, headers={"Range": "bytes=5-9"}).streaming_content) == data[5:10]
    assert client.get(url, headers={"Range": f"bytes={len(data)}-"}).status_code == 416
    row = AuditRow.objects.get(action="archive.downloaded")
    assert (row.subject, row.workspace_id, row.actor_id) == (lived.project.id, lived.workspace.id, lived.owner.id)
    last = client.get(f"/api/labeling/archives/{lived.project.id}").json()["last"]
    assert (last["size_bytes"], last["num_versions"]) == (len(data), 2)


def changed(data: bytes, change) -> bytes:
    """The archive with its files given to ``change``, which returns what takes their place."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in change(files).items():
            archive.writestr(name, content)
    return out.getvalue()


def in_rows(table: str, edit):
    """Edits each row of a table."""

    def change(files):
        def edited(content: bytes) -> bytes:
            rows = [json.loads(line) for line in content.splitlines()]
            return b"".join(json.dumps(edit(row)).encode() + b"\n" for row in rows)

        return {name: edited(content) if f"/{table}/" in name else content for name, content in files.items()}

    return change


def first_named(files, prefix: str) -> str:
    return next(name for name in files if name.startswith(prefix))


ATTACKS = {
    "a picture of other bytes": lambda files: files | {first_named(files, "blobs/"): picture(1234)},
    "a blob that is no picture": lambda files: files | {f"blobs/{'0' * 64}": b"<script>"},
    "a picture that is missing": lambda files: {n: c for n, c in files.items() if n != first_named(files, "blobs/")},
    "a version with another label": lambda files: {
        n: c.replace(b'"rose"', b'"nose"') if n.endswith("version.json") else c for n, c in files.items()
    },
    "a version without its shard": lambda files: {n: c for n, c in files.items() if not n.endswith(".parquet")},
    "a shard that is no parquet": lambda files: {n: b"PAR1" if n.endswith(".parquet") else c for n, c in files.items()},
    "an item of somebody else's dataset": in_rows("datasets.item", lambda row: row | {"dataset_id": "dst_somebody_else"}),
    "a history of somebody else's item": in_rows(
        "labeling.annotationrevision", lambda row: row | {"item_id": "itm_somebody_else"}
    ),
    "a dataset of another project": in_rows("datasets.dataset", lambda row: row | {"project_id": "prj_somebody_else"}),
    "a picture that was not sent": in_rows("datasets.item", lambda row: row | {"blob": "0" * 64}),
    "a state that there is not": in_rows("datasets.item", lambda row: row | {"state": "owned"}),
    "annotations that are none": in_rows("datasets.item", lambda row: row | {"annotations": [{"kind": "bomb"}]}),
    "a picture that weighs less than nothing": in_rows("datasets.item", lambda row: row | {"size_bytes": -(10**12)}),
    "an upload that names a file of the store": in_rows("datasets.upload", lambda row: row | {"blob": "0" * 64}),
    "a name that is too long": in_rows("datasets.item", lambda row: row | {"name": "x" * 5000}),
    "a column more": in_rows("datasets.item", lambda row: row | {"is_admin": True}),
    "items that are fewer than promised": in_rows("labeling.review", lambda row: row | {"item_id": row["item_id"] * 2}),
    "a table that does not belong": lambda files: files | {"tables/accounts.user/000000.jsonl": b"{}\n"},
    "a file that does not belong": lambda files: files | {"extra.txt": b"hello"},
    "a line that is no JSON": lambda files: files | {first_named(files, "tables/datasets.item/"): b"{\n"},
    "people that are none": lambda files: files | {"people.json": b'[{"id": "usr_x", "name": "X", "email": "x"}]'},
    "a path that climbs": lambda files: files | {"../../etc/passwd": b"x"},
    "a bomb": lambda files: files | {"blobs/bomb": bytes(80 * 2**20)},
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_was_tampered_with_is_refused_and_leaves_nothing(lived, tmp_path, attack):
    data = changed(export(lived), ATTACKS[attack])
    other = elsewhere(tmp_path)
    project, job = bring(other, data)
    with pytest.raises(ArchiveInvalidError):
        job_run(Job.objects.get(id=job.id), InMemoryReporter())
    Job.objects.filter(id=job.id).update(state="failed", ended_at=timezone.now())
    job_ended(Job.objects.get(id=job.id))
    assert Project.objects.get(id=project.id).deleted_at is not None
    for model in project_tables().values():
        assert not model._default_manager.filter(**{path_to_project(model): project}).exists()


def test_an_import_that_failed_can_be_tried_again(lived, tmp_path):
    data, before = export(lived), content_of(lived.project)
    other = elsewhere(tmp_path)
    too_few = len(before["datasets.item"]) - 2  # one of them is deleted
    for sent, error, limit in ((changed(data, ATTACKS["a bomb"]), ArchiveInvalidError, None), (data, ItemsQuotaError, too_few)):
        quota_set(workspace=other.workspace, quota=Quota.ITEMS, limit=limit)
        project, job = bring(other, sent)
        reporter = InMemoryReporter()
        with pytest.raises(error):
            job_run(Job.objects.get(id=job.id), reporter)
        assert error is ArchiveInvalidError or not reporter.fractions, "refused before anything of it is read"
        Job.objects.filter(id=job.id).update(state="failed", ended_at=timezone.now())
        job_ended(Job.objects.get(id=job.id))
    quota_set(workspace=other.workspace, quota=Quota.ITEMS, limit=len(before["datasets.item"]) - 1)
    project, job = bring(other, data)
    run(job)
    assert content_of(Project.objects.get(id=project.id)) == before


def bomb() -> bytes:
    """An archive whose head unpacks to far more than a head has."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive.json", bytes(32 * 2**20))
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"no zip",
        b"PK\x03\x04",
        zip_of({"rose/1.png": b"x"}),
        zip_of({"archive.json": b"{}"}),
        zip_of({"archive.json": b" " * (17 * 2**20)}),
        bomb(),
    ],
)
def test_a_file_that_is_no_archive_is_refused_at_once(setup, data):
    with pytest.raises(ArchiveInvalidError):
        bring(setup, data)
    assert list(Project.objects.filter(deleted_at=None)) == [setup.project]


def test_an_id_of_somebody_who_is_here_under_another_address_is_refused(lived, tmp_path):
    data = export(lived)
    other = elsewhere(tmp_path)
    stranger = User.objects.create(id=lived.owner.id, email="victim@example.org", name="Victim")
    _, job = bring(other, data)
    with pytest.raises(ArchiveInvalidError, match="somebody else"):
        job_run(Job.objects.get(id=job.id), InMemoryReporter())
    stranger.refresh_from_db()
    assert stranger.name == "Victim"
