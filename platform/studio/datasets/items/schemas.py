"""What the endpoints of items take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import BaseModel, Field

from automl.contracts.annotation import Annotation
from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.table import Row
from studio.common.paging import PageQuery
from studio.datasets.items.cell_tests import cell_test
from studio.datasets.items.filters import ItemFilter
from studio.datasets.items.orders import ItemOrder
from studio.datasets.models import ItemState


class ItemOut(BaseModel):
    """An item and its current annotations."""

    id: str
    dataset: str
    name: str
    blob: str
    media: MediaFacts
    text: str | None
    """Of a text, its first 2,000 characters; the whole is served at ``picture_url``. None of what is no text."""
    row: Row | None
    """Of a row of a table, its cells by column; empty ones are left out. None of what is no row."""
    state: ItemState
    annotations: list[Annotation]
    """Empty while unlabelled, and also when somebody saw that nothing is there: ``state`` tells the two apart."""
    revision: int
    split: Split
    provenance: str
    metadata: dict[str, str | int | float]
    created_at: datetime
    deleted_at: datetime | None
    is_quarantined: bool
    thumbnail_url: str | None
    """None of kinds of items without thumbnails, e.g. texts and rows."""
    picture_url: str


class FilterQuery(Schema):
    """Which items of a dataset, as query fields; all conditions must be met."""

    where: Literal["present", "deleted", "quarantined"] = "present"
    state: Literal["unlabelled", "annotated", "all"] = "all"
    label: Annotated[list[str], Field(max_length=50, default_factory=list)]
    """Carries at least one of these."""
    without: Annotated[list[str], Field(max_length=50, default_factory=list)]
    """Carries none of these."""
    split: Split | None = None
    by: str | None = None
    """Who said what is said of it."""
    flag: str | None = None
    """Kind of a finding of the quality report."""
    meta: Annotated[list[str], Field(max_length=10, default_factory=list)]
    """Metadata as `name=value`."""
    comments: Literal["open"] | None = None
    """Those that have comments which nobody has resolved."""
    q: str = ""
    """Part of the name."""
    min_score: Annotated[float, Field(ge=0, le=1)] | None = None
    max_score: Annotated[float, Field(ge=0, le=1)] | None = None
    cell: Annotated[list[str], Field(max_length=50, default_factory=list)]
    """Of rows, what cells say: `age>=30`, `age<=60`, `city=Ulm` (any of several), `city=` (missing), `city!=`, `note~broken`.
    Dates as `2026-01-31`. In a column's name `%`, `<`, `>`, `=`, `!` and `~` are written as in addresses."""

    def criteria(self) -> ItemFilter:
        """The filter."""
        return ItemFilter(
            where=self.where,
            state=None if self.state == "all" else self.state,
            labels=tuple(self.label),
            without=tuple(self.without),
            split=self.split,
            by=self.by or None,
            flag=self.flag or None,
            facts=tuple((name, value) for name, _, value in (one.partition("=") for one in self.meta)),
            comments=self.comments,
            text=self.q.replace("\0", ""),
            min_score=self.min_score,
            max_score=self.max_score,
            cells=tuple(cell_test(one) for one in self.cell),
        )


class ItemsQuery(FilterQuery, PageQuery):
    """A page of items. `start` and `stop` are ids of positions: the first that may come, the first that may not."""

    start: str = ""
    stop: str = ""


class PositionsQuery(FilterQuery):
    """Positions among items, oldest first unless an order is given: all items are named then, in that order."""

    cursor: str | None = None
    order: ItemOrder | None = None
    column: str = ""
    """Of the order `cell`: whose cells."""
    descending: bool = False
    """Of the order `cell`: the largest first."""


class PositionsOut(Schema):
    """A part of the positions: the first id of each segment, and how many items they hold; all but the last are full."""

    starts: list[str]
    segment: int
    num_items: int
    ids: list[str] | None
    """All items of this part, where matches are far apart or sorted: ask for them by name."""
    next_cursor: str | None


class ChoiceOut(Schema):
    """A value to filter by and how many items have it."""

    value: str
    num_items: int


class PersonChoiceOut(ChoiceOut):
    """Who annotated items, for a filter."""

    name: str
    """Empty for what is no person and no key."""


class FacetsOut(Schema):
    """What a dataset can be filtered by."""

    labels: list[ChoiceOut]
    splits: list[ChoiceOut]
    people: list[PersonChoiceOut]
    flags: list[ChoiceOut]
    metadata: list[str]
    """Names; their values are asked for by name."""
    deleted: int
    quarantined: int


class FactValueOut(Schema):
    """A value of metadata. The count stops at `COUNTED_TO`: `is_more` says that there are more."""

    value: str
    num_items: int
    is_more: bool


class ItemsIn(Schema):
    """Items to delete or restore."""

    items: Annotated[list[str], Field(min_length=1, max_length=1000)]


class ItemsChangedOut(Schema):
    """How many items changed."""

    num_items: int


class SummaryOut(Schema):
    """Counts of a dataset."""

    items: int
    annotated: int
    unlabelled: int
    by_label: dict[str, int]
    by_split: dict[Split, int]
    duplicates: int
    rejected: int
    size_bytes: int
    deleted: int
    quarantined: int
