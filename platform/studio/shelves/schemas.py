"""What the endpoints of shelves take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from studio.galleries.models import NAME_LENGTH as PRODUCT_NAME_LENGTH
from studio.shelves.models import NAME_LENGTH

Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH, pattern=r"\S")]
ProductName = Annotated[str, Field(min_length=1, max_length=PRODUCT_NAME_LENGTH, pattern=r"\S")]
MOST_PLANNED = 1_000
Plan = Annotated[dict[ProductName, Annotated[int, Field(ge=1, le=10_000)]], Field(max_length=MOST_PLANNED)]
"""How many packs of a product should stand there, by its name in the gallery."""


class ShelfIn(Schema):
    """A shelf to make."""

    name: Name
    deployment: str
    """Of the same project; its model answers with boxes, each a pack."""
    gallery: str
    """Of the same workspace; it names the packs."""
    plan: Plan = Field(default_factory=dict)


class ShelfPatchIn(Schema):
    """What to change; what is left out stays."""

    name: Name | None = None
    deployment: str | None = None
    gallery: str | None = None
    plan: Plan | None = None
    """Replaces the whole plan; an empty one expects nothing."""


class ShelfPartOut(Schema):
    """The deployment or the gallery of a shelf."""

    id: str
    project: str
    name: str


class ShelfOut(Schema):
    """A shelf."""

    id: str
    project: str
    name: str
    deployment: ShelfPartOut | None
    """None where it was deleted."""
    gallery: ShelfPartOut | None
    """None where it was deleted, or lies in a project that the caller does not see."""
    plan: dict[str, int]
    """How many packs of a product should stand there, by its name."""
    created_at: datetime


class ShelfBox(Schema):
    """Where a pack lies in the photo, in pixels, from the top left."""

    x: float
    y: float
    width: Annotated[float, Field(gt=0)]
    height: Annotated[float, Field(gt=0)]


class ShelfPackOut(Schema):
    """A pack in the photo."""

    box: ShelfBox
    label: str
    """That the detector gave it."""
    score: float
    """How sure the detector is, 0 to 1."""
    name: str | None
    """Of the product; None: unknown, since nothing in the gallery is similar enough."""
    nearest: str | None
    """The most similar product, whether or not that is enough; None where the gallery is empty."""
    similarity: float | None
    """To its most similar picture, -1 to 1."""
    entry: str | None
    """That picture in the gallery."""
    row: int
    """Of the shelf, 1 is the top one."""
    is_facing: bool
    """Whether it stands on the board and not on another pack."""


class ShelfProductOut(Schema):
    """What is there of a product."""

    name: str
    count: int
    """Packs."""
    facings: int
    """Packs that stand on the board."""
    share: float
    """Of the width of all fronts, 0 to 1."""
    expected: int | None
    """Packs by the plan; None where it says nothing of the product."""
    missing: int
    """Packs of the plan beyond those that are there."""


class ShelfUnknownOut(Schema):
    """What is there without a name."""

    count: int
    facings: int
    share: float


class ShelfReportOut(Schema):
    """What stands on the shelf."""

    num_packs: int
    num_facings: int
    num_rows: int
    products: list[ShelfProductOut]
    """Those that are there, the largest share first, then those of the gallery and of the plan that are not."""
    unknown: ShelfUnknownOut
    not_seen: list[str]
    """Products of the gallery and of the plan of which there is no pack."""


class ShelfCheckOut(Schema):
    """A photo that was checked."""

    shelf: str
    model: str
    """That found the packs."""
    gallery_model: str
    """That named them."""
    limit: float
    """The least similarity of two pictures of the same product, -1 to 1."""
    width: int
    """Of the photo, in pixels, upright; so is the height."""
    height: int
    packs: list[ShelfPackOut]
    report: ShelfReportOut
