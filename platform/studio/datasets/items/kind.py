"""What the data sets must know of a kind of items. ``kinds`` holds a module for each, found by listing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol

import pyarrow as pa
from django.db.models import Q
from django.http.response import HttpResponseBase

from automl.contracts.base import Text
from automl.contracts.dataset import MediaFacts
from automl.contracts.table import Row
from studio.datasets.items.incoming import DecodedFiles, IncomingFile
from studio.datasets.models import Dataset, Item

SHOWN_CHARACTERS = 2000
"""Of a text in an answer; the whole is where a picture would be."""


class ItemPreview(NamedTuple):
    """What an answer of the API shows of an item."""

    media: MediaFacts
    text: str | None = None
    """Of a text, its beginning."""
    row: Row | None = None
    """Of a row of a table, its cells."""


class ShardColumn(NamedTuple):
    """A column of a version's shards that only one kind of items has, and where it comes from."""

    field: pa.Field
    sql: str
    """An expression of each item, with ``{text}`` for the column of that name."""
    values: Sequence[str] = ()
    """For the placeholders of ``sql``."""
    computed: Callable[[pa.Table], pa.Array] | None = None
    """Makes the column of the others, where a database cannot; ``sql`` then holds its place."""


class ItemKind(Protocol):
    """What each module calls ``KIND``."""

    formats: ClassVar[frozenset[str]]
    """Values of ``Item.format``: no other kind has any of them."""
    shard_columns: ClassVar[Sequence[ShardColumn]]
    """Of a version's shards, behind the columns that every kind has."""
    has_files: ClassVar[bool]
    """Whether an item's bytes lie in the blob store; of the others it stands in the item, and in a version's shards."""
    has_thumbnails: ClassVar[bool]
    """Whether ``thumbnail`` gives a small picture of an item."""
    keeps_text: ClassVar[bool]
    """Whether an item's content stands in ``Item.text``, so that no job needs its file."""
    has_columns: ClassVar[bool]
    """Whether items are made of cells, and the dataset keeps what their columns mean."""
    files_at_once: ClassVar[int]
    """Files of an upload that become items in one transaction."""
    looks_within: ClassVar[bool]
    """Whether a file may hold many items, so that it is looked into even where no labels are requested."""
    unread_table: ClassVar[str | None]
    """Why a table is refused that no format can read, a key of ``REASONS``; None where it is read as any other file."""
    table_form: ClassVar[str]
    """The format of tables of such items, or of their labels, as a preview shows them before they are sent."""
    table_choices: ClassVar[frozenset[str]]
    """What a person may say of these tables: fields of ``TableOptions``."""
    job_titles: ClassVar[Mapping[str, Text]]
    """Of the jobs that compare items, by their kind; none where nothing turns such items into vectors."""

    def decode(self, dataset: Dataset, files: Sequence[IncomingFile]) -> DecodedFiles:
        """Decodes the files that are no items yet and stores their bytes; slow, so it belongs outside of transactions."""

    def preview(self, item: Item) -> ItemPreview:
        """What is known of an item, and what lists show of it."""

    def response(self, item: Item) -> HttpResponseBase:
        """The whole item, as browsers and programs take it."""

    def thumbnail(self, item: Item, *, size_px: int) -> bytes:
        """A small JPEG of it.

        Raises:
            NoThumbnailError: such items have none.
        """

    def matches(self, prefix: str, part: str) -> Q:
        """Whether an item says something beside its name; nothing where items say nothing.

        Args:
            prefix: the way to the item's columns.
            part: what is searched for.
        """
