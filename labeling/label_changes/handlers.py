"""What this app does when the job app calls: long changes of labels."""

from __future__ import annotations

from collections.abc import Mapping

from labeling.label_changes.models import LabelChange
from labeling.label_changes.selectors import num_carrying
from labeling.label_changes.services import label_change_continue
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job

EXECUTORS: Mapping[str, Executor] = {"label_change": "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Goes through the items of a change, or of its undo."""
    change = LabelChange.objects.select_related("project").get(id=job.payload["change"])
    total = max(num_carrying(change), 1)

    def report(num: int) -> None:
        reporter.progress("label_change", min(num / total, 1.0))

    label_change_continue(change=change, report=report)
    reporter.log(f"{change.num_items} items rewritten, {change.num_kept} kept")
