"""What the endpoints of versions take and give."""

from __future__ import annotations

from datetime import datetime

from ninja import Schema
from pydantic import BaseModel

from automl.contracts.annotation import Annotation
from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.table import Column, Row
from studio.datasets.versions.split_rule import SplitRule


class SplitPreviewOut(Schema):
    """Items by split in a version that was cut now."""

    by_split: dict[Split, int]
    is_exact: bool
    """False of large data sets, where the numbers may be off by a few per cent."""
    rule: SplitRule
    """What decided."""
    num_without: int
    """Items without a value of the rule's field: by time they train, by value each is by itself, of names chance decides."""


class SplitFieldsOut(Schema):
    """Columns of a table, or names of metadata, by which the splits can be made."""

    moments: list[str]
    """Of dates and times: by time."""
    values: list[str]
    """By value, and to name splits."""


class VersionOut(Schema):
    """A version without its rows."""

    id: str
    project: str
    number: int
    branch: str
    parent: str | None
    created_at: datetime
    created_by: str
    note: str
    note_restored_number: int | None
    """Of a version that was kept before another was restored, the number of that one; ``note`` is an English sentence then."""
    task: str
    labels: list[str]
    num_items: int
    num_items_by_split: dict[Split, int]
    num_annotations_by_label: dict[str, int]
    columns: list[Column] | None
    """Of a table."""


class VersionItemOut(BaseModel):
    """One row of a version (``automl.contracts.dataset.ItemRecord``), with something to look at."""

    item: str
    name: str
    blob: str
    media: MediaFacts
    split: Split
    group: str
    annotations: list[Annotation]
    provenance: str
    thumbnail_url: str | None
    """None of kinds of items without thumbnails, e.g. texts and rows."""
    text: str | None
    """Of a text, its beginning; None of what is no text."""
    row: Row | None
    """Of a row of a table, its cells by column; None of what is no row."""
