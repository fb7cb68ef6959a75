"""Where the profile of a table stands: the latest one, the job that makes the next, and whether the table has changed since."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from automl.contracts.job import JobState
from automl.contracts.table import PROFILE_FILE, ColumnRole, TableProfile, TableSchema
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.datasets.items.counts import Facet, counts_of
from studio.datasets.models import Dataset, Item, RowRevision
from studio.datasets.tables.columns import columns_of
from studio.jobs.models import Job
from studio.jobs.states import FINISHED
from studio.jobs.workdir import result_prefix

PROFILE = "profile"
"""Kind of the job."""
_COUNTED = tuple(facet for facet in Facet if facet not in (Facet.FLAG, Facet.SPLIT))
"""A new version moves rows between splits: no cell has changed by that."""
_FINISHED = [state.value for state in FINISHED]


@dataclass(frozen=True)
class ProfileState:
    """The profile of a dataset and what there is to know about it."""

    profile: TableProfile | None
    made: Job | None
    """The job that made the profile."""
    latest: Job | None
    """The latest job, running or not."""
    is_stale: bool
    """Whether rows, labels or columns have changed since; False while there is no profile. A column that is ignored since then
    changes nothing: what was found about the others holds."""


def profile_get(dataset: Dataset) -> ProfileState:
    """The latest profile, and whether it still holds.

    Raises:
        NoColumnsError: the dataset holds no rows.
    """
    columns = columns_of(dataset)
    jobs = Job.objects.filter(project=dataset.project_id, kind=PROFILE, subject=dataset.id).order_by("-id")
    latest = jobs.first()
    made = latest if latest is None or latest.state == JobState.SUCCEEDED.value else _made(dataset)
    profile = None if made is None else _read(made.id)
    if made is None or profile is None:
        return ProfileState(None, None, latest, is_stale=False)
    is_stale = is_changed(dataset, made.payload["mark"]) or _learns_more(columns, profile)
    return ProfileState(profile, made, latest, is_stale=is_stale)


def job_running(dataset: Dataset) -> Job | None:
    """The job that looks at the table now."""
    jobs = Job.objects.filter(project=dataset.project_id, kind=PROFILE, subject=dataset.id)
    return jobs.exclude(state__in=_FINISHED).order_by("-id").first()


def mark_of(dataset: Dataset) -> dict[str, Any]:
    """What distinguishes the table's present state from a later one, at the price of a few looks into indexes.

    Kept counts say how many rows there are, how long and with which label; the newest row and the latest
    annotation what came in place of others; the latest change of cells what was edited.
    """
    counts = {facet.value: values for facet, values in counts_of(dataset.id, *_COUNTED).items()}
    living = Item.objects.filter(dataset=dataset, deleted_at=None)
    annotated = living.filter(annotated_at__isnull=False).order_by("-annotated_at").values_list("annotated_at", flat=True)
    at = annotated.first()
    return {
        "columns": _meaning(columns_of(Dataset.objects.select_related("project").get(id=dataset.id))),
        "counts": hashlib.sha256(json.dumps(counts, sort_keys=True).encode()).hexdigest(),
        "newest": living.order_by("-id").values_list("id", flat=True).first(),
        "annotated_at": None if at is None else at.isoformat(),
        "edited": RowRevision.objects.order_by("-id").values_list("id", flat=True).first() or 0,
    }


def is_changed(dataset: Dataset, mark: dict[str, Any]) -> bool:
    """Whether the table has changed since it had the mark."""
    now = mark_of(dataset)
    if any(now[name] != mark[name] for name in ("columns", "counts", "newest", "annotated_at")):
        return True
    return RowRevision.objects.filter(item__dataset=dataset, id__gt=mark["edited"]).exists()


def _meaning(columns: TableSchema) -> str:
    """A hash of what cells mean and which column is the target; whether the others are ignored counts for nothing here."""
    read = [
        one if one.role is ColumnRole.TARGET else one.model_copy(update={"role": ColumnRole.FEATURE}) for one in columns.columns
    ]
    return hashlib.sha256(TableSchema(columns=tuple(read)).model_dump_json().encode()).hexdigest()


def _learns_more(columns: TableSchema, profile: TableProfile) -> bool:
    """Whether a column is learned from that was ignored when the profile was made."""
    ignored = {one.name for one in profile.columns if one.role is ColumnRole.IGNORED}
    return any(one.role is ColumnRole.FEATURE and one.name in ignored for one in columns.columns)


def _made(dataset: Dataset) -> Job | None:
    jobs = Job.objects.filter(project=dataset.project_id, kind=PROFILE, subject=dataset.id, state=JobState.SUCCEEDED.value)
    return jobs.order_by("-id").first()


@lru_cache(maxsize=8)
def _stored(job: str) -> TableProfile:
    return TableProfile.read(blobs().fetch_tree(result_prefix(job)) / PROFILE_FILE)


def _read(job: str) -> TableProfile | None:
    try:
        return _stored(job)
    except (BlobMissingError, FileNotFoundError):
        return None
