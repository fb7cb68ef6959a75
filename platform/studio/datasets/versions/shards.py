"""The Parquet files of a version: their columns by the kind of item, and the one who cuts rows into them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from automl.contracts.dataset import SHARD_ROWS, ItemRecord, record_to_row
from engine.data.blob import damaged_file, hashes_write
from studio.common.blob_store import BlobDamagedError
from studio.common.blobs import blobs
from studio.datasets.items.kind import ItemKind

ROW_GROUP = 1_000
"""Rows read at once when a page of a version is shown."""

SHARD_SCHEMA = pa.schema(
    [
        pa.field("item", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("blob", pa.string(), nullable=False),
        pa.field("split", pa.string(), nullable=False),
        pa.field("group", pa.string(), nullable=False),
        pa.field("provenance", pa.string(), nullable=False),
        pa.field("width", pa.int32(), nullable=False),
        pa.field("height", pa.int32(), nullable=False),
        pa.field("format", pa.string(), nullable=False),
        pa.field("size_bytes", pa.int64(), nullable=False),
        pa.field("annotations", pa.string(), nullable=False),
    ]
)
"""Of every kind; each kind has its own columns behind them."""
CELLS = "row"
"""The column with the cells of an item; of kinds that have cells."""


def version_tree_name(version: str) -> str:
    """Where the blob store keeps a version's ``version.json`` and shards."""
    return f"versions/{version}"


def version_tree(version: str) -> Path:
    """A folder on this host with a version's ``version.json`` and shards; never write to it."""
    return blobs().fetch_tree(version_tree_name(version))


def version_tree_put(version: str, folder: Path) -> None:
    """Stores the files of a version, with the hashes of its shards; the caller has proved that they are what the id says."""
    hashes_write(folder, (path.name for path in folder.glob("*.parquet")))
    blobs().put_tree(version_tree_name(version), folder)


def shard_file(folder: Path, name: str) -> Path:
    """The file of a shard, when its bytes are those that were written; they are hashed once while the file stays as it is.

    Raises:
        BlobDamagedError: they are others.
        OSError: it is not there.
    """
    path = folder / name
    seen = path.stat()
    if _is_damaged(path, seen.st_mtime_ns, seen.st_size):
        raise BlobDamagedError(f"{folder.name}/{name}")
    return path


@lru_cache(maxsize=4_096)
def _is_damaged(path: Path, _mtime_ns: int, _size: int) -> bool:
    return damaged_file(path.parent, [path.name]) is not None


def shard_schema(kind: ItemKind) -> pa.Schema:
    """The columns of a shard."""
    return pa.schema([*SHARD_SCHEMA, *(column.field for column in kind.shard_columns)])


def records_table(records: Sequence[ItemRecord], kind: ItemKind) -> pa.Table:
    """Rows in the columns of a shard."""
    return pa.Table.from_pylist([record_to_row(record) for record in records], schema=shard_schema(kind))


class ShardWriter:
    """Cuts rows into shards of ``SHARD_ROWS`` and row groups of ``ROW_GROUP``."""

    def __init__(self, folder: Path) -> None:
        """Starts in an empty folder."""
        self.names: list[str] = []
        self._folder = folder
        self._waiting: pa.Table | None = None
        self._rows_left = 0
        self._writer: pq.ParquetWriter | None = None

    def add(self, table: pa.Table) -> None:
        """Takes rows; those that do not fill a row group wait."""
        waiting = table if self._waiting is None else pa.concat_tables([self._waiting, table])
        while waiting.num_rows >= self._group_rows():
            waiting = self._written(waiting)
        self._waiting = waiting.combine_chunks()

    def close(self) -> None:
        """Writes what waits and ends the last shard."""
        while self._waiting is not None and self._waiting.num_rows:
            self._waiting = self._written(self._waiting)
        self._end_shard()

    def _group_rows(self) -> int:
        return min(self._rows_left or SHARD_ROWS, ROW_GROUP)

    def _written(self, waiting: pa.Table) -> pa.Table:
        """Writes a row group; returns what is left."""
        if self._writer is None:
            name = f"items-{len(self.names):05d}.parquet"
            self._writer = pq.ParquetWriter(
                self._folder / name,
                waiting.schema,
                compression="zstd",
                use_dictionary=["split", "provenance", "width", "height", "format", "annotations"],  # the others differ by row
                write_statistics=["item"],  # ``_last_item`` asks for them, nobody for others
            )
            self.names.append(name)
            self._rows_left = SHARD_ROWS
        group = waiting.slice(0, self._group_rows())
        self._writer.write_table(group.combine_chunks())
        self._rows_left -= group.num_rows
        if self._rows_left == 0:
            self._end_shard()
        return waiting.slice(group.num_rows)

    def _end_shard(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer, self._rows_left = None, 0
