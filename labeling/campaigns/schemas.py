"""What the campaign endpoints take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field, StringConstraints

from automl.contracts.annotation import Annotation
from automl.contracts.dataset import MediaFacts
from automl.contracts.table import Row
from labeling.campaigns.models import CampaignState, MergeRule, Outcome
from labeling.schemas import Operation
from studio.common.moments import Moment

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
People = Annotated[list[str], Field(min_length=1, max_length=200)]


class CampaignIn(Schema):
    """A new campaign."""

    project: str
    title: Title
    instructions: Annotated[str, Field(max_length=10_000)] = ""
    people: People
    items: Annotated[list[str], Field(max_length=10_000)] | None = None
    """Chosen by hand; absent takes unlabelled items."""
    max_items: Annotated[int, Field(ge=1, le=200_000)] = 1000
    opinions_per_item: Annotated[int, Field(ge=1, le=9)] = 1
    num_gold: Annotated[int, Field(ge=0, le=1000)] = 0
    gold_items: Annotated[list[str], Field(max_length=1000, default_factory=list)]
    gold_fraction: Annotated[float, Field(gt=0.0, le=0.5)] = 0.1
    merge: MergeRule = MergeRule.MAJORITY
    deadline_at: Moment | None = None


class CampaignChangeIn(Schema):
    """What may be changed of a campaign; what is absent stays."""

    title: Title | None = None
    instructions: Annotated[str, Field(max_length=10_000)] | None = None
    deadline_at: Moment | None = None
    people: People | None = None
    state: CampaignState | None = None


class CampaignOut(Schema):
    """A campaign and how far it is."""

    id: str
    project: str
    project_name: str
    title: str
    instructions: str
    state: CampaignState
    opinions_per_item: int
    gold_fraction: float
    merge: MergeRule
    deadline_at: datetime | None
    created_at: datetime
    closed_at: datetime | None
    num_items: int
    """Without gold."""
    num_gold: int
    by_outcome: dict[Outcome, int]
    """Without gold."""
    num_opinions: int
    """Answers given so far, without gold."""
    people: list[str]


class MyCampaignOut(Schema):
    """A campaign as one of its labellers sees it."""

    id: str
    workspace: str
    project: str
    project_name: str
    title: str
    instructions: str
    state: CampaignState
    deadline_at: datetime | None
    num_mine: int
    """Answers that I gave."""
    num_open: int
    """Items that still want an answer of mine."""


class CampaignItemsIn(Schema):
    """Asks for items of a campaign."""

    skip: Annotated[list[str], Field(max_length=500, default_factory=list)]
    prefetch: Annotated[int, Field(ge=1, le=50)] = 1


class CampaignItemOut(Schema):
    """An item of a campaign as its labeller sees it: nobody else's answer."""

    item: str
    name: str
    media: MediaFacts
    text: str | None
    """Of a text, its first 2,000 characters; the whole is served at ``picture_url``. None of what is no text."""
    row: Row | None
    """Of a row of a table, its cells but for the target's, which would tell the answer. None of what is no row."""
    annotations: list[Annotation] | None
    """My answer; null when I gave none."""
    picture_url: str
    thumbnail_url: str | None
    """None of kinds of items without thumbnails, e.g. texts and rows."""


class CampaignItemsOut(Schema):
    """Items leased to the caller, next first."""

    items: list[CampaignItemOut]
    lease_s: float


class OpinionIn(Schema):
    """A person's answer. An empty list means that nothing is there; ``null`` takes the answer back."""

    annotations: list[Annotation] | None
    operation: Operation


class OpinionOut(Schema):
    """An answer that was saved."""

    item: str
    annotations: list[Annotation] | None
    outcome: Outcome


class AnswerOut(Schema):
    """One of several answers on a disputed item."""

    person: str
    name: str
    annotations: list[Annotation]
    at: datetime


class DisputeOut(Schema):
    """An item on which people disagree."""

    item: CampaignItemOut
    answers: list[AnswerOut]
    proposal: list[Annotation] | None
    """What the campaign's rule would say; null when it cannot tell."""
    confidence: float | None


class SettleIn(Schema):
    """Decides a dispute."""

    annotations: list[Annotation]


class MergeIn(Schema):
    """Settles by rule what is sure enough."""

    min_confidence: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.5


class MergeOut(Schema):
    """How many disputes were settled."""

    num_items: int


class CampaignPersonOut(Schema):
    """How one person does in a campaign."""

    person: str
    name: str
    num_opinions: int
    """Without gold."""
    num_today: int
    median_s: float | None
    """Seconds an item takes."""
    num_gold: int
    gold_accuracy: float | None
    """Share of gold items answered right, 0..1."""
    agreement: float | None
    """Share of settled items on which this person's answer is the settled one, 0..1."""
    trust: float | None
    """Estimated accuracy by the campaign's rule, 0..1."""


class PairOut(Schema):
    """How two people agree."""

    first: str
    second: str
    kappa: float | None
    num_items: int


class CampaignReportOut(Schema):
    """Who does how well, and how far people agree."""

    people: list[CampaignPersonOut]
    pairs: list[PairOut]
    alpha: float | None
    """Krippendorff's alpha of the class answers (distance of label sets)."""
    mean_iou: float | None
    """Mean overlap of matched objects of all pairs of answers; null when nothing is drawn."""


class QueueItemOut(Schema):
    """An annotated item whose current annotations nobody has reviewed."""

    item: str
    name: str
    media: MediaFacts
    text: str | None
    """Of a text, its first 2,000 characters; the whole is served at ``picture_url``. None of what is no text."""
    row: Row | None
    """Of a row of a table, its cells; None of what is no row."""
    annotations: list[Annotation]
    revision: int
    author: str
    author_name: str
    annotated_at: datetime
    picture_url: str
    thumbnail_url: str | None
    """None of kinds of items without thumbnails, e.g. texts and rows."""


class ReviewAuthorOut(Schema):
    """Whose labels wait to be reviewed."""

    author: str
    """``person:usr_...``, ``campaign:cmp_...``, a model or an import."""
    name: str
    """Empty where it has no author."""
    num_items: int


class ReviewQuery(Schema):
    """Which of the labels that wait."""

    author: str | None = None
    """Only this one's."""
    from_people: bool = False
    """Only what people said, here: no import and no model."""
    share_percent: int = Field(100, ge=1, le=100)
    """A sample: so many of a hundred, the same ones whenever it is asked for."""


class WorkerOut(Schema):
    """One person's work in a project over some days."""

    person: str
    name: str
    num_changes: int
    """Annotations saved and answers given."""
    per_day: dict[str, int]
    """ISO date -> number."""
    num_approved: int
    num_returned: int
    gold_accuracy: float | None
    num_gold: int
    median_s: float | None
