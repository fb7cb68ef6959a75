"""What this app does when a lower one calls: jobs that read uploads, and hooks of projects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from automl.contracts.job import JobState
from automl.contracts.task import Problem
from studio.datasets.items import selectors as item_selectors
from studio.datasets.items.services import dataset_create
from studio.datasets.models import Dataset, Upload, UploadState
from studio.datasets.tables.columns import LABEL_ROWS
from studio.datasets.tables.target_job import rows_label_run
from studio.datasets.uploads.examples import examples_run
from studio.datasets.uploads.ingest import upload_ingest
from studio.datasets.uploads.sources.collect import collect_run, job_forget
from studio.datasets.versions import selectors as version_selectors
from studio.datasets.versions.problems import problems_of
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job
from studio.projects.models import Project

EXECUTORS: Mapping[str, Executor] = {
    "ingest": "platform",
    "collect": "platform",
    "examples": "platform",
    LABEL_ROWS: "platform",
}


def job_run(job: Job, reporter: Reporter) -> None:
    """Reads an upload, collects one from a source, brings examples, or labels rows from their target."""
    if job.kind == LABEL_ROWS:
        reporter.log(f"{rows_label_run(job=job, reporter=reporter)} rows changed")
        return

    def report(fraction: float, remaining_s: float | None) -> None:
        reporter.check_cancelled()
        reporter.progress(job.kind, fraction, remaining_s)

    if job.kind == "collect":
        upload = collect_run(job=job, report=report)
    elif job.kind == "examples":
        upload = examples_run(job=job, report=report)
    else:
        upload = Upload.objects.select_related("dataset__project").get(id=job.payload["upload"])
        upload_ingest(upload=upload, report=report)
    reporter.log(f"{upload.num_items} new items, {upload.num_duplicates} duplicates, {upload.num_labelled} labelled")


def job_ended(job: Job) -> None:
    """Opens an upload for another try when reading it failed or was cancelled; forgets the keys of a source."""
    job_forget(job)
    if job.state != JobState.SUCCEEDED.value:
        Upload.objects.filter(id=job.subject, state=UploadState.INGESTING).update(state=UploadState.FAILED)


def project_created(project: Project) -> None:
    """Gives the project its dataset."""
    dataset_create(project=project)


def project_counts(project_ids: Sequence[str]) -> list[QuerySet[Any, Any]]:
    """Figures of this app for project pages."""
    return version_selectors.project_counts(project_ids)


def project_problems(project: Project) -> list[Problem]:
    """The problems that the task's checker reports."""
    return problems_of(Dataset.objects.select_related("project").get(project=project))


def labels_used(project: Project, names: Sequence[str]) -> set[str]:
    """Which of the labels some item carries."""
    return item_selectors.labels_used(project, names)
