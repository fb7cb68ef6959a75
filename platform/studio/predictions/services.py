"""Writes of batch predictions: start, go on, start again, cancel, delete, use as suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.events import event_record
from studio.common.ids import new_id
from studio.common.stored import read_stored
from studio.datasets.items.filters import ItemFilter
from studio.datasets.models import Dataset, DatasetVersion, Item, Upload, UploadKind, UploadState
from studio.datasets.uploads.services import upload_delete, upload_release, upload_seal
from studio.datasets.versions.selectors import version_manifest
from studio.jobs.models import Job
from studio.jobs.services import job_cancel, job_submit
from studio.jobs.states import job_is_finished
from studio.predictions.errors import (
    PredictionBusyError,
    PredictionCompleteError,
    PredictionEmptyError,
    PredictionModelError,
    PredictionModelGoneError,
    PredictionNoItemsError,
)
from studio.predictions.models import PredictionFile, PredictionRun, Source
from studio.predictions.sources import run_walk
from studio.projects.models import Project
from studio.registry.models import Artefact

words = Words(__file__)
ABANDONED = timedelta(days=1)
"""An upload for a run that no run has taken in so long is forgotten."""


def run_items_start(*, project: Project, artefact: Artefact, criteria: ItemFilter, actor: Principal) -> PredictionRun:
    """Starts a run over the items of a project that a filter finds now.

    Raises:
        PredictionModelError: the model is of another task or workspace.
        PredictionEmptyError: the filter finds nothing.
    """
    last = Item.objects.filter(dataset__project=project).order_by("-id").values_list("id", flat=True).first() or ""
    run = _new(project, artefact, actor, source=Source.ITEMS, filter=criteria.model_dump(mode="json"), until=last)
    run.num_expected = run_walk(run).count(until=last) if last else 0
    if not run.num_expected:
        raise PredictionEmptyError
    return _started(run, actor)


def run_version_start(*, version: DatasetVersion, artefact: Artefact, actor: Principal) -> PredictionRun:
    """Starts a run over all items of a version of a project; raises as ``run_items_start``."""
    run = _new(version.project, artefact, actor, source=Source.VERSION, version=version)
    run.num_expected = version_manifest(version).num_items
    return _started(run, actor)


def run_files_start(*, dataset: Dataset, artefact: Artefact, uploads: Sequence[Upload], actor: Principal) -> PredictionRun:
    """Starts a run over files that were uploaded for it, in the order given.

    Raises:
        PredictionModelError: as ``run_items_start``.
        UploadIncompleteError, UploadChecksumError, UploadEndedError: of an upload.
    """
    run = _new(dataset.project, artefact, actor, source=Source.FILES)
    sealed = [upload_seal(upload=upload, labels=upload.labels) for upload in uploads]
    files = [
        PredictionFile(run=run, number=number, name=one.relative_path or one.name, size_bytes=one.size_bytes, blob=one.blob)
        for number, one in enumerate(sealed)
    ]
    run = _started(run, actor, files)
    for upload in sealed:
        upload_release(upload=upload)
        upload.delete()
    _uploads_forget(dataset)
    return run


def run_again(*, run: PredictionRun, artefact: Artefact | None, actor: Principal) -> PredictionRun:
    """Starts a new run over the same data: the same files, or the items that the filter finds now.

    Args:
        run: the one before.
        artefact: another model; None takes the same.
        actor: who asks.

    Raises:
        PredictionModelGoneError: the model was deleted.
        PredictionModelError, PredictionEmptyError: as ``run_items_start``.
    """
    model = artefact or run.artefact
    if model is None:
        raise PredictionModelGoneError
    if run.source == Source.ITEMS:
        criteria = read_stored(ItemFilter, run.filter or {}, subject=run.id)
        return run_items_start(project=run.project, artefact=model, criteria=criteria, actor=actor)
    if run.source == Source.VERSION:
        if run.version is None:
            raise PredictionEmptyError
        return run_version_start(version=run.version, artefact=model, actor=actor)
    again = _new(run.project, model, actor, source=Source.FILES)
    files = [
        PredictionFile(run=again, number=file.number, name=file.name, size_bytes=file.size_bytes, blob=file.blob)
        for file in run.files.all()
    ]
    return _started(again, actor, files)


def run_resume(*, run: PredictionRun, actor: Principal) -> PredictionRun:
    """Goes on behind the results that are there, where a run was cancelled or failed.

    Raises:
        PredictionBusyError: it runs.
        PredictionCompleteError: the run is complete.
        PredictionModelGoneError: the model was deleted.
    """
    if run.artefact is None:
        raise PredictionModelGoneError
    with quota_claimed(run.project.workspace_id, {Quota.JOBS: 1}), transaction.atomic():
        run = _locked(run)
        if run.job is not None and run.job.state == "succeeded":
            raise PredictionCompleteError
        run.job = _submit(run)
        run.save(update_fields=["job"])
        audit_record(
            workspace=run.project.workspace_id, project=run.project_id, actor=actor, action="prediction.started", subject=run.id
        )
    return run


def run_cancel(*, run: PredictionRun, actor: Principal) -> PredictionRun:
    """Ends a run; the results that are there stay.

    Raises:
        JobFinishedError: it has ended already.
    """
    if run.job is not None:
        run.job = job_cancel(job=run.job, actor=actor)
    return run


def run_delete(*, run: PredictionRun, actor: Principal) -> None:
    """Forgets a run with its files and results.

    Raises:
        PredictionBusyError: it runs.
    """
    with transaction.atomic():
        run = _locked(run)
        workspace, project = run.project.workspace_id, run.project_id
        audit_record(workspace=workspace, project=project, actor=actor, action="prediction.deleted", subject=run.id)
        event_record(workspace=workspace, project=project, type="prediction.deleted", subject=run.id)
        run.delete()


def run_suggest(*, run: PredictionRun, actor: Principal) -> PredictionRun:
    """Stores the results as suggestions for unlabelled items, in a job.

    Raises:
        PredictionNoItemsError: the results are of files, or there are none.
        PredictionBusyError: the run is under way, or this is.
    """
    if run.source == Source.FILES or not run.num_results:
        raise PredictionNoItemsError
    with quota_claimed(run.project.workspace_id, {Quota.JOBS: 1}), transaction.atomic():
        run = _locked(run)
        run.suggest_job = job_submit(
            workspace=run.project.workspace_id,
            project=run.project_id,
            kind="suggest",
            title=words("job.suggest"),
            subject=run.id,
            payload={"run": run.id},
        )
        run.save(update_fields=["suggest_job"])
        audit_record(
            workspace=run.project.workspace_id,
            project=run.project_id,
            actor=actor,
            action="prediction.suggested",
            subject=run.id,
        )
    return run


def _new(project: Project, artefact: Artefact, actor: Principal, **fields: object) -> PredictionRun:
    is_fit = artefact.project.workspace_id == project.workspace_id and artefact.project.task == project.task
    if not is_fit or artefact.project.task_options != project.task_options:
        raise PredictionModelError
    covered = artefact.covered_by
    fields["coverage"] = covered.model_dump(mode="json") if covered else {}
    return PredictionRun(id=new_id("bpr"), project=project, artefact=artefact, created_by=actor.id, **fields)


def _started(run: PredictionRun, actor: Principal, files: Sequence[PredictionFile] = ()) -> PredictionRun:
    assert run.artefact is not None
    project = run.project
    with quota_claimed(project.workspace_id, {Quota.JOBS: 1}), transaction.atomic():
        run.job = _submit(run)
        run.save(force_insert=True)
        PredictionFile.objects.bulk_create(files)
        detail = {"artefact": run.artefact_id, "source": run.source}
        audit_record(
            workspace=project.workspace_id,
            project=project.id,
            actor=actor,
            action="prediction.started",
            subject=run.id,
            detail=detail,
        )
        event_record(workspace=project.workspace_id, project=project.id, type="prediction.started", subject=run.id, data=detail)
    return run


def _submit(run: PredictionRun) -> Job:
    assert run.artefact is not None
    return job_submit(
        workspace=run.project.workspace_id,
        project=run.project_id,
        kind="predict",
        title=words("job.predict", number=run.artefact.number),
        subject=run.id,
        payload={"run": run.id},
    )


def _locked(run: PredictionRun) -> PredictionRun:
    """The run's row, which nobody else changes until the transaction ends.

    Raises:
        PredictionBusyError: a job is at work on it.
    """
    PredictionRun.objects.select_for_update().get(id=run.id)
    found = PredictionRun.objects.select_related("project", "artefact__project", "job", "suggest_job", "version").get(id=run.id)
    if any(job is not None and not job_is_finished(job) for job in (found.job, found.suggest_job)):
        raise PredictionBusyError
    return found


def _uploads_forget(dataset: Dataset) -> None:
    """Forgets what was sent for a run that was never started."""
    before = timezone.now() - ABANDONED
    for upload in Upload.objects.filter(dataset=dataset, kind=UploadKind.PREDICT, created_at__lt=before):
        Upload.objects.filter(id=upload.id).update(state=UploadState.FAILED)
        upload_delete(upload=upload)
