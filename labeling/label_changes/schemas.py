"""What the label change endpoints take and give."""

from __future__ import annotations

from datetime import datetime

from ninja import Schema

from automl.contracts.dataset import LabelSet
from labeling.label_changes.models import ChangeState
from labeling.label_changes.plan import Plan
from studio.jobs.schemas import JobOut


class LabelChangeIn(Schema):
    """A change of a project's labels."""

    project: str
    plan: Plan


class LabelPreviewOut(Schema):
    """What a change would do. Nothing has been changed."""

    num_items: int
    """Items that would be rewritten."""
    counts_before: dict[str, int]
    """Items by label, for the labels that take part."""
    counts_after: dict[str, int]
    is_sampled: bool
    """Whether ``num_items`` and ``counts_after`` were estimated from the first items, since there are many."""
    num_joined: int
    """Items that carry two of the labels and will carry one."""
    label_set: LabelSet
    """As it would be."""
    sample: list[str]
    """Ids of some items that would be rewritten."""


class LabelChangeOut(Schema):
    """A change that was begun, done or undone."""

    id: str
    plan: Plan
    state: ChangeState
    num_items: int
    num_kept: int
    by_name: str
    created_at: datetime
    ended_at: datetime | None


class LabelChangeStartedOut(Schema):
    """A change, and the job that goes through the items when they are many."""

    change: LabelChangeOut
    job: JobOut | None
