"""What the endpoints of galleries take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from studio.galleries.models import NAME_LENGTH
from studio.jobs.schemas import JobOut

Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH, pattern=r"\S")]
MOST_FOUND = 50


class GalleryIn(Schema):
    """A gallery to make."""

    name: Annotated[str, Field(min_length=1, max_length=120, pattern=r"\S")]
    deployment: str
    """Of the same project; its model compares pictures."""
    false_match_rate: str | None = None
    """How many pairs of different things may be taken for the same, as a share: a key of the model's thresholds, such as
    `0.01`. None takes 1 in 100, or the strictest that the model knows."""


class GalleryPatchIn(Schema):
    """What to change; what is left out stays."""

    name: Annotated[str, Field(min_length=1, max_length=120, pattern=r"\S")] | None = None
    false_match_rate: str | None = None


class GalleryModelOut(Schema):
    """A model that compares pictures."""

    id: str
    number: int
    name: str


class GalleryOut(Schema):
    """A gallery."""

    id: str
    project: str
    name: str
    deployment: str | None
    """None where it was deleted."""
    artefact: GalleryModelOut | None
    """By which pictures are compared; None where it was deleted."""
    next_artefact: GalleryModelOut | None
    """The deployment's model, where the gallery has another one."""
    false_match_rate: str
    false_match_rates: list[str]
    """Those to choose from, the loosest first."""
    limit: float | None
    """The least similarity of two pictures of the same thing, -1 to 1."""
    num_entries: int
    num_names: int
    job: JobOut | None
    """The newest that brings the pictures to another model."""
    created_at: datetime


class GalleryEntryOut(Schema):
    """A picture with its name."""

    id: str
    name: str
    thumbnail_url: str
    size_bytes: int
    created_at: datetime


class GalleryEntriesQuery(Schema):
    """Which entries."""

    name: str | None = None


class GalleryFillIn(Schema):
    """How a gallery is filled with its project's labelled pictures."""

    per_name: Annotated[int, Field(ge=1, le=100)] = 5
    """Pictures of each name, those that are there counted."""


class GalleryFilledOut(Schema):
    """What was added."""

    count: int
    left: int
    """Pictures that the next call would add."""


class GalleryRemovedOut(Schema):
    """How many entries were taken out."""

    count: int


class GalleryMatchOut(Schema):
    """A name that a picture may show."""

    name: str
    similarity: float
    """To the most similar picture of that name, -1 to 1."""
    is_same: bool
    """Whether that reaches the gallery's limit."""
    entry: str
    thumbnail_url: str


class GallerySearchOut(Schema):
    """What a picture may show."""

    limit: float
    matches: list[GalleryMatchOut]
    """The most similar name first, each name once."""
    recall: float | None
    """Of a very large gallery, whose search is approximate: the share of the ten most similar pictures that it finds, measured
    on pictures of the gallery. None where all are compared."""


class GalleryVerifyOut(Schema):
    """Whether two pictures show the same thing."""

    similarity: float
    limit: float
    is_same: bool
