"""Reads of the quality app: the report, findings page by page, what people did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Count

from automl.contracts.job import JobState
from automl.contracts.quality import PAIRED, QUALITY_REPORT_FILE, FindingKind, QualityReport
from labeling.quality.changes import SETTLED
from labeling.quality.models import QualityAction
from studio.accounts.sight import Sight
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.common.errors import InvalidInputError, NotFoundError
from studio.common.paging import Page, page_of
from studio.datasets.items.findings import flags_holding, flags_open
from studio.datasets.models import Dataset, Item, ItemFlag
from studio.jobs.models import Job
from studio.jobs.states import FINISHED
from studio.jobs.workdir import result_prefix

_FINISHED = [state.value for state in FINISHED]


@dataclass(frozen=True)
class Quality:
    """Where the quality of a dataset stands."""

    report: QualityReport | None
    reported: Job | None
    """The job that wrote the report."""
    latest: Job | None
    """The latest job, running or not."""
    num_open: Mapping[FindingKind, int]
    """Items with findings that nobody has dealt with."""
    num_added: int
    """Items that came after the report."""
    num_labelled: int
    """Items whose annotations changed after the report was begun."""


def quality_get(dataset: Dataset) -> Quality:
    """The latest report and what changed since."""
    jobs = Job.objects.filter(project=dataset.project_id, kind="quality", subject=dataset.id).order_by("-id")
    latest = jobs.first()
    reported = jobs.filter(state=JobState.SUCCEEDED.value).first()
    report = None if reported is None else _report(reported.id)
    living = Item.objects.filter(dataset=dataset, deleted_at=None)
    num_added = num_labelled = 0
    if report is not None and report.last_item is not None:
        num_added = living.filter(id__gt=report.last_item).count()
    if report is not None and reported is not None and reported.started_at is not None:
        num_labelled = living.filter(annotated_at__gt=reported.started_at).count()
    counts = open_counts(dataset.id)
    return Quality(report, reported if report is not None else None, latest, counts, num_added, num_labelled)


def job_running(dataset: Dataset) -> Job | None:
    """The job that looks at the dataset now."""
    jobs = Job.objects.filter(project=dataset.project_id, kind="quality", subject=dataset.id)
    return jobs.exclude(state__in=_FINISHED).order_by("-id").first()


@lru_cache(maxsize=16)
def _report_cached(job: str) -> QualityReport:
    return QualityReport.read(blobs().fetch_tree(result_prefix(job)) / QUALITY_REPORT_FILE)


def _report(job: str) -> QualityReport | None:
    try:
        return _report_cached(job)
    except (BlobMissingError, FileNotFoundError):
        return None


def open_counts(dataset: str) -> dict[FindingKind, int]:
    """Living items with open findings, by kind."""
    rows = flags_open(dataset).values_list("kind").annotate(num=Count("id")).order_by()
    return {FindingKind(kind): num for kind, num in rows}


@dataclass(frozen=True)
class FindingPage:
    """Findings, the other items that they name, and where the next ones start."""

    flags: list[ItemFlag]
    others: Mapping[str, Item]
    next_cursor: str | None


def finding_page(
    dataset: Dataset, *, kind: FindingKind, min_severity: float, is_dismissed: bool, cursor: str | None, limit: int
) -> FindingPage:
    """Findings of a kind, the surest first; copies of one picture stand together.

    Pages are counted off, not keyed: findings change only with a report or an action, after which the page starts anew.

    Raises:
        InvalidInputError: the cursor was not made here.
    """
    if cursor is not None and not cursor.isdecimal():
        raise InvalidInputError("The cursor was not made here.", fields={"cursor": ["unknown"]})
    start = int(cursor or 0)
    rows = ItemFlag.objects.filter(dataset=dataset, item__deleted_at=None, kind=kind.value, severity__gte=min_severity)
    rows = rows.filter(dismissed_at__isnull=not is_dismissed).exclude(detail__has_key=SETTLED)
    rows = (rows if is_dismissed else flags_holding(rows)).select_related("item")
    order = ("detail__cluster", "-severity", "id") if kind in PAIRED else ("-severity", "id")
    found = list(rows.order_by(*order)[start : start + limit + 1])
    flags = found[:limit]
    others = Item.objects.in_bulk({flag.detail["other"] for flag in flags if "other" in flag.detail})
    return FindingPage(flags, others, str(start + limit) if len(found) > limit else None)


def action_page(dataset: Dataset, *, cursor: str | None, limit: int) -> Page[QualityAction]:
    """What was done about findings, newest first."""
    return page_of(QualityAction.objects.filter(dataset=dataset).defer("before"), cursor=cursor, limit=limit)


def action_get(sight: Sight, action: str) -> QualityAction:
    """One action, with its dataset and project.

    Raises:
        NotFoundError: there is none within sight.
    """
    rows = QualityAction.objects.select_related("dataset__project")
    found = rows.filter(sight.of("dataset__project"), id=action, dataset__project__deleted_at=None).first()
    if found is None:
        raise NotFoundError("There is no such action.")
    return found
