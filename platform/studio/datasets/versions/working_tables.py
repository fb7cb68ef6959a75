"""The working state of a dataset as Arrow tables: what a version cut now would hold, read without a Python object a row.

PostgreSQL copies the rows out as CSV, which Arrow reads by itself; SQLite is read by many rows at a time.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.csv as pa_csv
from django.db import connection

from studio.common.sql import dialect
from studio.datasets.items.kind import ItemKind
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import Dataset, Item, ItemState
from studio.datasets.versions.label_order import labels_stacked
from studio.datasets.versions.shards import shard_schema
from studio.projects.catalog import overlap_rule

BATCH_ROWS = 20_000
_BLOCK_BYTES = 64 * 1024 * 1024
"""Read at once, and so the longest row: above the largest request that can say something of an item."""
_READ_BYTES = 1024 * 1024
"""Rows are handed on by this much."""

_COLUMNS = {
    "item": "id",
    "name": "name",
    "blob": "blob",
    "split": "split",
    "group": "group",
    "provenance": "provenance",
    "width": "width",
    "height": "height",
    "format": "format",
    "size_bytes": "size_bytes",
    "annotations": "annotations",
}
"""Column of a shard -> column of an item."""


def working_tables(dataset: Dataset, *, after: str = "") -> Iterator[pa.Table]:
    """Annotated living items in the columns of a shard, ordered by id; annotations as they are stored, a later area above.

    Args:
        dataset: whose items.
        after: only items with ids above it.
    """
    kind = kind_of(dataset.project)
    schema = shard_schema(kind)
    values = [*(value for column in kind.shard_columns for value in column.values), dataset.id, after]
    is_stacked = overlap_rule(dataset.project) == "order"
    for table in query_tables(_select(kind), values, schema):
        yield _with_computed(_stacked(table, dataset.project.labels.names) if is_stacked else table, kind)


def query_tables(query: str, values: Sequence[str], schema: pa.Schema) -> Iterator[pa.Table]:
    """What a query finds, in tables of some ten thousand rows.

    Args:
        query: SQL whose columns are those of the schema, in its order; null texts come as empty ones from PostgreSQL.
        values: for its placeholders.
        schema: of the tables.
    """
    with dialect().csv(query, values) as blocks:
        yield from _fetched(query, values, schema) if blocks is None else _parsed(blocks, schema)


def _stacked(table: pa.Table, names: Sequence[str]) -> pa.Table:
    at = table.schema.get_field_index("annotations")
    texts = labels_stacked(table.column(at).combine_chunks(), names)
    return table.set_column(at, table.schema.field(at), texts.cast(table.schema.field(at).type))


def _with_computed(table: pa.Table, kind: ItemKind) -> pa.Table:
    for column in kind.shard_columns:
        if column.computed is not None:
            at = table.schema.get_field_index(column.field.name)
            table = table.set_column(at, column.field, column.computed(table).cast(column.field.type))
    return table


def _select(kind: ItemKind) -> str:
    quote = connection.ops.quote_name
    table = quote(Item._meta.db_table)
    columns = [f"CAST({quote(name)} AS text)" if name == "annotations" else quote(name) for name in _COLUMNS.values()]
    columns += [column.sql.replace("{text}", quote("text")) for column in kind.shard_columns]
    return (
        f"SELECT {', '.join(columns)} FROM {table} "  # noqa: S608 - names of our own columns
        f"WHERE {quote('dataset_id')} = %s AND {quote('state')} = '{ItemState.ANNOTATED.value}' "
        f"AND {quote('deleted_at')} IS NULL AND {quote('id')} > %s ORDER BY {quote('id')}"
    )


def _fetched(query: str, values: Sequence[str], schema: pa.Schema) -> Iterator[pa.Table]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        while rows := cursor.fetchmany(BATCH_ROWS):
            columns = [pa.array(cells, field.type) for cells, field in zip(zip(*rows, strict=True), schema, strict=True)]
            yield pa.Table.from_arrays(columns, schema=schema)


def _parsed(blocks: Iterator[bytes], schema: pa.Schema) -> Iterator[pa.Table]:
    source = _Stream(blocks)
    if source.has_data():
        reader = pa_csv.open_csv(
            pa.PythonFile(source, mode="r"),
            read_options=pa_csv.ReadOptions(column_names=schema.names, block_size=_BLOCK_BYTES, use_threads=False),
            parse_options=pa_csv.ParseOptions(newlines_in_values=True),
            convert_options=pa_csv.ConvertOptions(
                column_types=schema, strings_can_be_null=False, null_values=[], quoted_strings_can_be_null=False
            ),
        )
        waiting: list[pa.RecordBatch] = []
        for batch in reader:
            waiting.append(batch)
            if sum(one.num_rows for one in waiting) >= BATCH_ROWS or sum(one.nbytes for one in waiting) >= _BLOCK_BYTES:
                yield pa.Table.from_batches(waiting).cast(schema)
                waiting = []
        if waiting:
            yield pa.Table.from_batches(waiting).cast(schema)


class _Stream(io.RawIOBase):
    """What a COPY sends, a row at a time, as a file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._left = b""

    def has_data(self) -> bool:
        """Whether anything is sent at all: an empty CSV has no columns."""
        self._left = self._left or next(self._blocks, b"")
        return bool(self._left)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Some rows, whole ones but for a row longer than ``size``: small enough to stay in the processor's cache."""
        limit = size if size >= 0 else 1 << 62
        parts, num_bytes = [self._left], len(self._left)
        if num_bytes < limit:
            for block in self._blocks:
                parts.append(block)
                num_bytes += len(block)
                if num_bytes >= min(limit, _READ_BYTES):
                    break
        joined = b"".join(parts)
        self._left = joined[limit:]
        return joined[:limit] if self._left else joined
