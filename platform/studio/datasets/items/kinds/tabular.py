"""Rows of tables: canonical JSON that stands in the item alone.

Whole tables are read in ``tables``; here rows come one by one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, F, Func, Q
from django.db.models.sql.compiler import SQLCompiler
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from automl.contracts.base import Text
from automl.contracts.dataset import MediaFacts
from automl.contracts.words import Words
from studio.common.sql import dialect
from studio.datasets.files.rows import FORMAT, RowRefusedError, WrittenRow, row_of, row_read
from studio.datasets.files.text import is_table
from studio.datasets.items.errors import NoThumbnailError
from studio.datasets.items.incoming import DecodedFiles, IncomingFile, files_fresh, splits_named
from studio.datasets.items.kind import ItemPreview, ShardColumn
from studio.datasets.models import Dataset, Item

words = Words(__file__)

_CELLS = '{"cells":{'
"""How a row's canonical JSON begins."""
_TEXT = r'"(?:[^"\\]|\\.)*"'
_PAIR = f"{_TEXT}:{_TEXT}"


def _num_cells(table: pa.Table) -> pa.Array:
    """The number of each row's cells: the pairs of texts behind ``{"cells":{``."""
    return pc.count_substring_regex(pc.utf8_slice_codeunits(table.column("row"), len(_CELLS)), _PAIR)


class Rows:
    """See ``ItemKind``."""

    formats: ClassVar[frozenset[str]] = frozenset({FORMAT})
    shard_columns: ClassVar[Sequence[ShardColumn]] = (
        ShardColumn(pa.field("num_cells", pa.int32(), nullable=False), "0", computed=_num_cells),
        ShardColumn(pa.field("row", pa.string(), nullable=False), "{text}"),
    )
    """Rows stand in the shards themselves."""
    has_files: ClassVar[bool] = False
    has_thumbnails: ClassVar[bool] = False
    keeps_text: ClassVar[bool] = True
    has_columns: ClassVar[bool] = True
    files_at_once: ClassVar[int] = 64
    looks_within: ClassVar[bool] = False
    unread_table: ClassVar[str | None] = None
    table_form: ClassVar[str] = "table_rows"
    table_choices: ClassVar[frozenset[str]] = frozenset({"separator", "encoding", "has_head", "sheet", "decimal"})
    job_titles: ClassVar[Mapping[str, Text]] = {}

    def decode(self, dataset: Dataset, files: Sequence[IncomingFile]) -> DecodedFiles:
        """Nothing is stored: a row stands in its item."""
        read = [_row(one) for one in files]
        hashes = [
            hashlib.sha256(b"refused" + one.data).hexdigest() if isinstance(found, str) else found.blob
            for one, found in zip(files, read, strict=True)
        ]
        first, fresh = files_fresh(dataset, hashes)
        rows = {hashes[index]: found for index in fresh if isinstance(found := read[index], WrittenRow)}
        return DecodedFiles(
            hashes=hashes,
            media={blob: found.media for blob, found in rows.items()},
            texts={blob: found.text for blob, found in rows.items()},
            notes={},
            refused={blob: found for blob, found in zip(hashes, read, strict=True) if isinstance(found, str)},
            names={blob: files[index].name for blob, index in first.items()},
            splits=splits_named(files, first),
        )

    def preview(self, item: Item) -> ItemPreview:
        """Its cells."""
        row = row_of(item.text or "")
        return ItemPreview(MediaFacts(format=item.format, size_bytes=item.size_bytes, num_cells=len(row.cells)), row=row)

    def response(self, item: Item) -> HttpResponseBase:
        """JSON, with headers by which no browser takes it for a page."""
        plain = HttpResponse(item.text, content_type="application/json")
        plain["X-Content-Type-Options"] = "nosniff"
        return plain

    def thumbnail(self, item: Item, *, size_px: int) -> bytes:
        """There is none: the cells stand in the item."""
        raise NoThumbnailError(words("tabular.no_thumbnail"))

    def matches(self, prefix: str, part: str) -> Q:
        """Part of a cell."""
        return Q(_AnyCell(f"{prefix}text", part))


def _row(file: IncomingFile) -> WrittenRow | str:
    """Reads a row; a refusal is its code."""
    try:
        return row_read(file.data)
    except RowRefusedError as error:
        return "table_in_batch" if error.code == "row_invalid" and is_table(file.name) else error.code


class _AnyCell(Func):
    """Whether a cell of a row holds a text, in any case. The columns' names stand in the same JSON and are not looked at."""

    output_field = BooleanField()

    def __init__(self, column: str, part: str) -> None:
        super().__init__(F(column))
        self._part = part

    def as_sql(
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        function: str | None = None,
        template: str | None = None,
        arg_joiner: str | None = None,
        **_: object,
    ) -> tuple[str, tuple[Any, ...]]:
        """SQL that finds a text in a cell, as ``icontains`` does."""
        del function, template, arg_joiner
        column, params = compiler.compile(self.source_expressions[0])
        cell = connection.ops.lookup_cast("icontains") % "members.value"
        condition = f"{cell} {connection.operators['icontains']}"  # type: ignore[attr-defined]  # the stubs lack it
        part = connection.ops.prep_for_like_query(self._part)
        cells = dialect().json_members(column, "cells")
        return f"EXISTS (SELECT 1 FROM {cells} WHERE {condition})", (*params, f"%{part}%")  # noqa: S608 - constants and places


KIND = Rows()
