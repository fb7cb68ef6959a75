"""Bulk changes as jobs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from automl.contracts.job import JobState
from labeling.bulk.services import bulk_ended, bulk_run, bulk_start, bulk_undo_run
from studio.accounts.access import Principal
from studio.datasets.models import BulkChange, BulkKind, Dataset
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job

EXECUTORS: Mapping[str, Executor] = {"bulk": "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Does or undoes a change."""

    def report(fraction: float) -> None:
        reporter.check_cancelled()
        reporter.progress("bulk", fraction)

    change = _change(job)
    if job.payload["step"] == "undo":
        bulk_undo_run(change=change, actor=Principal(**change.created_by), report=report)
        reporter.log(f"{change.num_undone} of {change.num_items} items are as they were")
    else:
        bulk_run(change=change, report=report)
        reporter.log(f"{change.num_items} items changed")


def job_ended(job: Job) -> None:
    """A change that did not come to its end can be undone as far as it came."""
    if job.state != JobState.SUCCEEDED.value:
        bulk_ended(change=_change(job))


def items_put_aside(dataset: Dataset, items: Collection[str], actor: Principal) -> None:
    """Quarantines items by a bulk change, which can be undone."""
    bulk_start(dataset=dataset, kind=BulkKind.QUARANTINE, values={}, items=items, criteria=None, excluding=(), actor=actor)


def _change(job: Job) -> BulkChange:
    return BulkChange.objects.select_related("dataset__project").get(id=job.payload["change"])
