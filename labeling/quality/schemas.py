"""What goes over the wire of the quality app."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import Field, Schema

from automl.contracts.quality import FindingKind, QualityReport
from labeling.quality.models import ActionKind
from studio.accounts.schemas import ActorOut
from studio.common.paging import PageQuery
from studio.datasets.items.schemas import ItemOut
from studio.jobs.schemas import JobOut


class QualityOut(Schema):
    """The latest report, and what changed since."""

    dataset: str
    report: QualityReport | None
    reported_at: datetime | None
    job: JobOut | None
    """The latest job, running or ended."""
    num_open: dict[FindingKind, int]
    """Items with findings that nobody has dealt with."""
    num_added: int
    """Items that came after the report."""
    num_labelled: int
    """Items whose annotations changed after the report was begun."""


class FindingsQuery(PageQuery):
    """Which findings."""

    kind: FindingKind
    min_severity: Annotated[float, Field(ge=0, le=1)] = 0.0
    dismissed: bool = False


class FindingOut(Schema):
    """A finding with its item, and the other item that it names."""

    kind: FindingKind
    severity: float
    """0 (hardly) .. 1 (certainly)."""
    detail: dict[str, Any]
    """The evidence, by kind: `automl/contracts/quality.py`."""
    item: ItemOut
    other: ItemOut | None
    dismissed_at: datetime | None


class QualityActionIn(Schema):
    """What to do about findings of a kind."""

    action: ActionKind
    kind: FindingKind
    items: Annotated[list[str], Field(min_length=1, max_length=5000)] | None = None
    """Null means all of the kind; of copies one stays."""
    min_severity: Annotated[float, Field(ge=0, le=1)] = 0.0


class QualityActionOut(Schema):
    """Something that was done about findings."""

    id: str
    action: ActionKind
    kind: FindingKind
    num_items: int
    created_at: datetime
    created_by: ActorOut
    undone_at: datetime | None
    num_kept: int
    """Items that undoing left alone, since somebody had changed them meanwhile."""
