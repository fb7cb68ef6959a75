"""What the labelling endpoints take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from automl.contracts.annotation import Annotation
from automl.contracts.dataset import SplitShares
from labeling.feedback import FeedbackReason
from labeling.models import Decision
from studio.datasets.items.schemas import ItemOut
from studio.datasets.versions.split_rule import SplitRule
from studio.jobs.schemas import JobOut

Operation = Annotated[str, Field(min_length=8, max_length=64)]
"""A UUID that the client makes for each change."""


class ShownIn(Schema):
    """The suggestion that the person saw when deciding."""

    by: Annotated[str, Field(min_length=1, max_length=64)]
    annotations: Annotated[list[Annotation], Field(max_length=1000)]


class AnnotationsIn(Schema):
    """A person's annotations of an item. ``null`` makes it unlabelled; an empty list means that nothing is there."""

    annotations: list[Annotation] | None
    revision: Annotated[int, Field(ge=0)]
    operation: Operation
    suggestion: ShownIn | None = None
    """What was suggested, whether it was taken or not; ``null`` when nothing was shown."""


class SavedOut(Schema):
    """The item as it is now and the revision that the operation made."""

    item: ItemOut
    revision: int


class ChangeIn(Schema):
    """One entry of a client's journal: a step from what was seen to what was meant."""

    item: str
    operation: Operation
    before: list[Annotation] | None
    after: list[Annotation] | None
    has_others: bool = False
    """Objects that both states hold alike were left out of both."""
    choice: Literal["ask", "mine", "theirs"] = "ask"
    """What a person decided about a conflict."""
    seen: Annotated[int, Field(ge=0)] | None = None
    """The revision that the person looked at when deciding."""
    suggestion: ShownIn | None = None


class ChangesIn(Schema):
    """What waits in a journal, oldest first."""

    changes: Annotated[list[ChangeIn], Field(min_length=1, max_length=200)]
    person: str | None = None
    """Whose journal it is, where the client knows: 401 `another_person` when somebody else is signed in by now, 403 to keys."""


class ClashOut(Schema):
    """Something that two people changed in different ways."""

    object: str
    """``#`` and the object's id, ``class`` or ``class:<label>``; empty for the item as a whole."""
    field: str
    """``label``, ``shape``, ``attributes.<name>``, ``object`` or ``standing``."""


class RefusalOut(Schema):
    """Why a change will never be taken."""

    code: str
    title: str
    detail: str
    hint: str


class ChangeOut(Schema):
    """What became of a change. ``conflict`` waits for a person's decision; ``refused`` is final."""

    operation: str
    status: Literal["saved", "merged", "conflict", "refused"]
    item: ItemOut | None
    revision: int | None
    """That the change made, now or when it was sent before."""
    clashes: list[ClashOut]
    refusal: RefusalOut | None


class ChangesOut(Schema):
    """What became of each change, in the order sent."""

    changes: list[ChangeOut]


class BatchIn(Schema):
    """The same annotations for many items."""

    items: Annotated[list[str], Field(min_length=1, max_length=1000)]
    annotations: list[Annotation] | None
    operation: Operation
    suggestion: ShownIn | None = None
    """The suggestion that all of these items had, when that is what is taken."""


class ItemRevisionOut(Schema):
    """An item's revision after a change."""

    id: str
    revision: int


class BatchSavedOut(Schema):
    """The items that were changed."""

    items: list[ItemRevisionOut]


class AssignmentsIn(Schema):
    """Asks for items to label."""

    project: str
    skip: Annotated[list[str], Field(max_length=500, default_factory=list)]
    prefetch: Annotated[int, Field(ge=1, le=50)] = 1


class AssignmentsOut(Schema):
    """Items leased to the caller, next first."""

    items: list[ItemOut]
    lease_s: float


class RevisionOut(Schema):
    """One entry of an item's history."""

    revision: int
    annotations: list[Annotation] | None
    by: str
    by_name: str
    at: datetime
    review: Decision | None
    comment: str
    suggested_by: str = ""
    """Provenance of the suggestion that the person saw; empty when none was shown."""
    is_accepted: bool | None = None
    """Whether it was taken as it was."""


class SuggestionOut(Schema):
    """What is proposed for an unlabelled item."""

    annotations: list[Annotation]
    by: str
    """Whose proposal: ``model:head_...``, ``model:art_...``, or the person whose work was returned."""
    confidence: float | None
    """Of the proposal as a whole, 0..1."""


class PresenceIn(Schema):
    """The item that the caller looks at."""

    item: str


class LookingOut(Schema):
    """Somebody who looks at the same item."""

    by: str
    name: str


class PresenceOut(Schema):
    """Who else looks at it."""

    people: list[LookingOut]


class ReviewIn(Schema):
    """A reviewer's decision on the current annotations of an item."""

    item: str
    decision: Decision
    comment: Annotated[str, Field(max_length=1000)] = ""


class ReviewOut(Schema):
    """A decision that was taken."""

    id: str
    item: str
    revision: int
    decision: Decision
    author: str
    reviewer: str
    comment: str
    created_at: datetime


class SnapshotIn(Schema):
    """Cuts a version of the project's dataset."""

    project: str
    note: Annotated[str, Field(max_length=500)] = ""
    shares: SplitShares | None = None
    """Other than before only while the project has no version."""
    rule: SplitRule | None = None
    """What decides on the splits of items that no version holds; None: what decided before, at first their labels."""


class SnapshotJobOut(Schema):
    """A dataset so large that the version is cut in the background."""

    job: JobOut


class PersonOut(Schema):
    """How many items carry somebody's annotations."""

    by: str
    name: str
    items: int


class StatsOut(Schema):
    """Progress of labelling."""

    annotated: int
    per_label: dict[str, int]
    per_person: list[PersonOut]
    today: int


class FeedbackIn(Schema):
    """Which calls of a deployment become items."""

    deployment: str
    reason: FeedbackReason = FeedbackReason.UNCERTAIN
    min_uncertainty: Annotated[float, Field(ge=0.0, le=1.0)] = 0.5
    """Of the uncertain ones."""
    limit: Annotated[int, Field(ge=1, le=10_000)] = 200


class FeedbackOut(Schema):
    """How many inputs are being taken over, and the job that does it."""

    items: int
    job: JobOut | None
