"""What the endpoints of differences and branches give."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ninja import Schema

from automl.contracts.annotation import Annotation
from automl.contracts.table import Row

Kind = Literal["added", "removed", "changed"]
Aspect = Literal["annotations", "split", "group", "provenance", "row"]


class DiffLabelOut(Schema):
    """Annotations with a label that came and that went."""

    label: str
    added: int
    removed: int


class DiffMoveOut(Schema):
    """Items on which one label took the place of another."""

    before: str
    after: str
    num_items: int


class DiffOut(Schema):
    """How much differs between two states."""

    num_added: int
    num_removed: int
    num_changed: int
    num_annotations_changed: int
    """Of the changed items, those on which something else is said."""
    num_split_changed: int
    """Of the changed items, those in another split."""
    num_rows_changed: int = 0
    """Of the changed items, those with other cells."""
    labels: list[DiffLabelOut]
    """Those with the most differences first."""
    moves: list[DiffMoveOut]


class DiffItemOut(Schema):
    """One item that differs, on both sides; null where it is not there."""

    item: str
    name: str
    kind: Kind
    aspects: list[Aspect]
    thumbnail_url: str | None
    """None of kinds of items without thumbnails, e.g. texts and rows."""
    picture_url: str
    width_px: int | None
    """Of a picture, whose pixels annotations are given in; None of what is none."""
    height_px: int | None
    text: str | None
    """Of a text, its beginning; None of a picture."""
    before: list[Annotation] | None
    after: list[Annotation] | None
    gone: list[int]
    """Places in ``before`` of what is no longer said."""
    come: list[int]
    """Places in ``after`` of what was not said before."""
    split_before: str | None
    split_after: str | None
    provenance_before: str | None
    provenance_after: str | None
    row_before: Row | None
    """Of a row of a table, its cells; None of what is no row."""
    row_after: Row | None


class BranchOut(Schema):
    """A line of versions with one name; it begins with its first version."""

    name: str
    head: str
    head_number: int
    num_versions: int
    made_at: datetime
    """Of its head."""


class BranchesOut(Schema):
    """The branch of the working state, and all branches."""

    branch: str
    """On which the next version is cut."""
    base: str | None
    """The version that the working state follows."""
    base_number: int | None
    branches: list[BranchOut]
