"""Runs jobs of kind ``restore``."""

from __future__ import annotations

from collections.abc import Mapping

from labeling.branching.services import restore_run
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job

EXECUTORS: Mapping[str, Executor] = {"restore": "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Puts a dataset back to a version."""
    outcome = restore_run(job=job, reporter=reporter)
    reporter.log(
        f"{outcome.num_changed} items changed, {outcome.num_unlabelled} unlabelled, {len(outcome.brought_back)} brought back, "
        f"{outcome.num_kept} kept as somebody left them meanwhile"
    )
