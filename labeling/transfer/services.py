"""Makes the archive of a project, and a project of an archive; both are jobs."""

from __future__ import annotations

import logging
from typing import Any

from django.db import transaction

from automl.contracts.job import JobState
from automl.contracts.words import Words
from labeling.transfer.archive_in import archive_amounts, archive_head, archive_read
from labeling.transfer.archive_out import ArchiveHead, archive_write
from labeling.transfer.errors import ArchiveMissingError, ProjectExistsError
from labeling.transfer.tables import path_to_project, project_tables
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.blobs import blobs
from studio.common.errors import StudioError
from studio.datasets.items.announced import upload_check
from studio.datasets.models import Dataset, Upload
from studio.datasets.uploads.services import upload_release, upload_seal
from studio.jobs.handlers import Reporter
from studio.jobs.models import Job
from studio.jobs.services import job_submit
from studio.jobs.workdir import job_workdir
from studio.projects.catalog import task_get
from studio.projects.models import Project
from studio.projects.services import project_delete

words = Words(__file__)

EXPORT, IMPORT = "archive_export", "archive_import"

_log = logging.getLogger(__name__)


def archive_key(project: Project) -> str:
    """Name of a project's latest archive in the store."""
    return f"archives/{project.id}.zip"


def archive_export(*, project: Project, actor: Principal) -> Job:
    """Queues the making of an archive; it takes the place of the one before."""
    with transaction.atomic():
        audit_record(
            workspace=project.workspace_id, project=project.id, actor=actor, action="project.archive_export", subject=project.id
        )
        return job_submit(
            workspace=project.workspace_id,
            project=project.id,
            kind=EXPORT,
            title=words("job.archive_export", name=project.name),
            subject=project.id,
            payload={"actor": _actor_payload(actor)},
        )


def archive_last(project: Project) -> Job:
    """The job that made the latest archive.

    Raises:
        ArchiveMissingError: none was made.
    """
    jobs = Job.objects.filter(project=project, kind=EXPORT, state=JobState.SUCCEEDED.value)
    found = jobs.order_by("-id").first()
    if found is None or "size_bytes" not in found.payload:
        raise ArchiveMissingError(hint="Make one first.")
    return found


def archive_export_run(*, job: Job, reporter: Reporter) -> None:
    """Writes the archive and puts it into the store."""
    project = Project.objects.get(id=job.project_id)
    folder = job_workdir(job.id) / "data"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "archive.zip"
    path.unlink(missing_ok=True)
    head = archive_write(path, project=project, report=_report(reporter, "archive"))
    blobs().put_object(archive_key(project), path)
    job.payload = {
        **job.payload,
        "size_bytes": path.stat().st_size,
        "num_items": head.num_items,
        "num_versions": len(head.versions),
    }
    job.save(update_fields=["payload"])
    path.unlink()
    reporter.log(f"{head.num_items} items, {len(head.versions)} versions, {job.payload['size_bytes']} bytes")


def archive_import(*, upload: Upload, actor: Principal) -> tuple[Project, Job]:
    """Begins to make a project of an uploaded archive. The project that took the upload goes when it is done.

    Raises:
        ArchiveInvalidError: the file is no archive of a project.
        ProjectExistsError: the project is on this platform already.
    """
    upload = upload_seal(upload=upload, labels="none")
    waiting = upload.dataset.project
    try:
        head = archive_head(blobs().local_path(upload.blob))
        task_get(head.task)
        with transaction.atomic():
            project = _project_make(head, waiting.workspace_id)
            audit_record(
                workspace=waiting.workspace_id,
                project=project.id,
                actor=actor,
                action="project.archive_import",
                subject=project.id,
            )
            job = job_submit(
                workspace=waiting.workspace_id,
                project=project.id,
                kind=IMPORT,
                title=words("job.archive_import", name=project.name),
                subject=project.id,
                payload={"upload": upload.id, "waiting": waiting.id, "actor": _actor_payload(actor)},
            )
    except StudioError:
        upload_release(upload=upload)
        project_delete(project=waiting, actor=actor, is_restorable=False)
        raise
    return project, job


def _project_make(head: ArchiveHead, workspace: str) -> Project:
    there = Project.objects.select_for_update().filter(id=head.project).first()
    if there is not None:
        # What an import that failed has left may be taken again, and nothing else.
        is_left = there.deleted_at is not None and not Dataset.objects.filter(project=there).exists()
        if not is_left or there.workspace_id != workspace:
            raise ProjectExistsError(is_deleted=there.deleted_at is not None and there.workspace_id == workspace)
    fields: dict[str, Any] = {
        "workspace_id": workspace,
        "name": head.name[:120],
        "description": head.description,
        "task": head.task,
        "task_options": head.task_options,
        "label_set": head.label_set.model_dump(mode="json"),
        "overlap": head.overlap,
        "created_at": head.created_at,
        "deleted_at": None,
        "is_restorable": True,
    }
    project, _ = Project.objects.update_or_create(id=head.project, defaults=fields)
    return project


def archive_import_run(*, job: Job, reporter: Reporter) -> None:
    """Fills the project; begins anew after an interruption."""
    project = Project.objects.get(id=job.project_id)
    upload = Upload.objects.get(id=job.payload["upload"])
    _empty(project)
    path = blobs().local_path(upload.blob)
    upload_check(upload, archive_amounts(path))  # nothing is in the store yet; what the archive says is checked as it comes
    num_people = archive_read(path, head=archive_head(path), project=project, report=_report(reporter, "import"))
    upload_check(upload)
    reporter.log(f"{Dataset.objects.get(project=project).name}: whole, {num_people} people added by name")


def archive_import_ended(*, job: Job) -> None:
    """Gives the upload back; takes a project away that did not become whole."""
    actor = Principal(**job.payload["actor"])
    if job.state != JobState.SUCCEEDED.value:
        project = Project.objects.get(id=job.project_id)
        _empty(project)
        if project.deleted_at is None:
            project_delete(project=project, actor=actor, is_restorable=False)
    waiting = Project.objects.filter(id=job.payload["waiting"], deleted_at=None).first()
    if waiting is not None:
        upload_release(upload=Upload.objects.get(id=job.payload["upload"]))
        project_delete(project=waiting, actor=actor, is_restorable=False)


def _empty(project: Project) -> None:
    """Removes what a broken attempt has written."""
    Dataset.objects.filter(project=project).update(base=None)
    for model in reversed(project_tables().values()):
        model._default_manager.filter(**{str(path_to_project(model)): project}).delete()


def _report(reporter: Reporter, stage: str) -> Any:  # noqa: ANN401 - a callable that mypy knows from its use
    def report(fraction: float) -> None:
        reporter.check_cancelled()
        reporter.progress(stage, fraction)

    return report


def _actor_payload(actor: Principal) -> dict[str, str]:
    return {"kind": actor.kind, "id": actor.id, "name": actor.name}
