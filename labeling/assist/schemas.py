"""What the endpoints of live suggestions take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from automl.contracts.annotation import Annotation
from labeling.assist.errors import SearchBy
from labeling.assist.strategies import Strategy
from studio.datasets.items.schemas import ItemOut
from studio.jobs.schemas import JobOut

Fraction = Annotated[float, Field(ge=0.0, le=1.0)]


class HeadOut(Schema):
    """The head that suggests now."""

    id: str
    fitted_at: datetime
    num_items: int
    labels: list[str]
    accuracy: float | None
    """On labelled items that it was not fitted to, 0..1; null with too few."""


class AgreementOut(Schema):
    """How often suggestions were taken as they were, among the newest hundred answered ones."""

    num: int
    num_accepted: int


class AssistOut(Schema):
    """How a project is helped, and how far that is."""

    state: Literal["waiting_for_features", "waiting_for_labels", "ready"]
    features_done: int
    features_total: int
    job: str | None
    """The job that computes features now."""
    min_labels: int
    min_items_per_label: int
    head: HeadOut | None
    is_refreshing: bool
    strategy: Strategy
    strategies: list[Strategy]
    agreement: AgreementOut
    search_by: SearchBy | None
    """What like items can be searched by besides an item; null where the project's items are not compared at all."""


class AssistIn(Schema):
    """Chooses the order of a project's queue."""

    project: str
    strategy: Strategy


class SuggestedQuery(Schema):
    """Filter of suggested items."""

    project: str
    label: Annotated[str, Field(max_length=256)] | None = None
    min_confidence: Fraction = 0.0
    max_confidence: Fraction = 1.0
    order: Literal["confidence_desc", "confidence_asc"] = "confidence_desc"
    cursor: Annotated[str, Field(max_length=64)] | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 60


class SuggestedItemOut(Schema):
    """An unlabelled item with what is suggested for it."""

    item: ItemOut
    annotations: list[Annotation]
    by: str
    confidence: float


class SuggestedPageOut(Schema):
    """A page of suggested items."""

    items: list[SuggestedItemOut]
    next_cursor: str | None
    total: int | None
    """Of all pages; null where it is more than a few thousand and not worth counting."""


class SimilarItemOut(Schema):
    """An item that is like another, or like what was searched by."""

    item: ItemOut
    similarity: float
    """Cosine of the two items' features."""


class SimilarTextQuery(Schema):
    """What is searched."""

    project: str
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    limit: Annotated[int, Field(ge=1, le=200)] = 60


class MapOut(Schema):
    """The data set in the plane, column by column; the columns from ``items`` on have one entry an item shown."""

    map: str | None
    """Id of the job that drew it; null before there is a map."""
    job: JobOut | None
    """The job that draws one now."""
    features_done: int
    num_items: int
    """Living items of the project, shown or not."""
    num_missing: int
    """Living items that the map does not know yet."""
    labels: list[str]
    splits: list[str]
    flags: list[str]
    items: list[str]
    x: list[int]
    """0..65535, from the left."""
    y: list[int]
    """0..65535, from the top."""
    label: list[int]
    """Index into ``labels`` of the first label said of it; -1 for none, -2 for unlabelled."""
    split: list[int]
    flag: list[int]
    """Index into ``flags`` of the gravest finding; -1 for none."""
    suggestion: list[int]
    """Index into ``labels``; -1 for none."""
    confidence: list[int]
    """Of the suggestion, 0..100."""
