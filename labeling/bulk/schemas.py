"""What bulk changes take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field, StringConstraints

from automl.contracts.annotation import Annotation
from automl.contracts.dataset import Split
from studio.datasets.items.schemas import FilterQuery
from studio.datasets.models import BulkKind, BulkState
from studio.jobs.schemas import JobOut

FactName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64, pattern=r"^[^=\x00]*$")]
FactValue = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=256)]


class LabelEach(Schema):
    """Gives each item the same annotations; None removes them, an empty list means that nothing is there."""

    kind: Literal["label"]
    annotations: list[Annotation] | None


class QuarantineEach(Schema):
    """Puts each item aside: out of the dataset, and listed."""

    kind: Literal["quarantine"]


class DeleteEach(Schema):
    """Takes each item out."""

    kind: Literal["delete"]


class RestoreEach(Schema):
    """Brings each deleted or quarantined item back."""

    kind: Literal["restore"]


class SplitEach(Schema):
    """Moves each item to a split; refused once a version exists."""

    kind: Literal["split"]
    split: Split


class MetadataEach(Schema):
    """Sets metadata of each item; a value of None takes the name away."""

    kind: Literal["metadata"]
    metadata: Annotated[dict[FactName, FactValue | None], Field(min_length=1, max_length=20)]


Each = Annotated[LabelEach | QuarantineEach | DeleteEach | RestoreEach | SplitEach | MetadataEach, Field(discriminator="kind")]


class BulkIn(Schema):
    """What is to be done to which items."""

    change: Each
    items: Annotated[list[str], Field(max_length=1000, default_factory=list)]
    """Items by name; else all that match."""
    matching: FilterQuery | None = None
    excluding: Annotated[list[str], Field(max_length=1000, default_factory=list)]
    """Matching items that are left alone."""


class BulkOut(Schema):
    """A bulk change."""

    id: str
    kind: BulkKind
    state: BulkState
    num_items: int
    num_undone: int
    by_name: str
    created_at: datetime
    job: JobOut | None
