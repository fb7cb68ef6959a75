"""Runs the jobs that archive projects."""

from __future__ import annotations

from collections.abc import Mapping

from labeling.transfer import services
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job

EXECUTORS: Mapping[str, Executor] = {services.EXPORT: "platform", services.IMPORT: "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Writes or reads an archive."""
    run = services.archive_export_run if job.kind == services.EXPORT else services.archive_import_run
    run(job=job, reporter=reporter)


def job_ended(job: Job) -> None:
    """An import that failed leaves nothing behind."""
    if job.kind == services.IMPORT:
        services.archive_import_ended(job=job)
