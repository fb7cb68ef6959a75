"""What this room does when a lower one calls: jobs that read uploads, and hooks of projects."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.job import JobState
from automl.contracts.task import Problem
from studio.datasets.annotations import label_replace
from studio.datasets.ingest import upload_ingest
from studio.datasets.manifest import dataset_problems
from studio.datasets.models import Dataset, Upload, UploadState
from studio.datasets.services import dataset_create
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job
from studio.projects.models import Project

EXECUTORS: Mapping[str, Executor] = {"ingest": "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Reads an upload."""

    def report(fraction: float, remaining_s: float | None) -> None:
        reporter.check_cancelled()
        reporter.progress("ingest", fraction, remaining_s)

    upload = Upload.objects.select_related("dataset__project").get(id=job.payload["upload"])
    upload_ingest(upload=upload, report=report)
    reporter.log(f"{upload.num_items} new items, {upload.num_duplicates} duplicates, {upload.num_labelled} labelled")


def job_ended(job: Job) -> None:
    """Opens an upload for another try when reading it failed or was cancelled."""
    if job.state != JobState.SUCCEEDED.value:
        Upload.objects.filter(id=job.subject, state=UploadState.INGESTING).update(state=UploadState.FAILED)
