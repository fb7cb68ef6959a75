"""How far a table may unpack. Excel packs and Parquet remembers values, so a small file may stand for any number of cells."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, TypeVar

import pyarrow.parquet as pq

from labeling.formats._values import LabelError
from studio.datasets.files.limits import LIMITS

_Row = TypeVar("_Row")
_Cells = TypeVar("_Cells", bound=Sequence[str])


def rows_counted(rows: Iterable[_Row]) -> Iterator[_Row]:
    """The rows, as many as one table may have.

    Raises:
        LabelError: there are more.
    """
    for number, row in enumerate(rows):
        if number > LIMITS.max_rows:
            raise LabelError("table_too_long")
        yield row


def rows_within(rows: Iterable[_Cells], *, packed_bytes: int) -> Iterator[_Cells]:
    """The rows of a packed table, while they are in proportion to the file.

    Args:
        rows: with their cells as texts.
        packed_bytes: size of the file.

    Raises:
        LabelError: there are too many, or they hold far more than the file could.
    """
    most, unpacked = _most_bytes(packed_bytes), 0
    for row in rows_counted(rows):
        unpacked += len(row) + sum(map(len, row))  # as in CSV: each cell with its mark
        if unpacked > most:
            raise LabelError("table_unpacks_too_far")
        yield row


def sheet_check(file: IO[bytes], *, packed_bytes: int) -> dict[str, int]:
    """Sizes in bytes of what an Excel file unpacks to, by name.

    Raises:
        LabelError: far more than the file could hold.
        zipfile.BadZipFile: it is no zip.
    """
    with zipfile.ZipFile(file) as packed:
        sizes = {info.filename: info.file_size for info in packed.infolist()}
    if sum(sizes.values()) > _most_bytes(packed_bytes):
        raise LabelError("table_unpacks_too_far")
    return sizes


def parquet_check(table: pq.ParquetFile, *, packed_bytes: int) -> None:
    """Checks the metadata of a Parquet file before any of it is unpacked.

    Raises:
        LabelError: too many rows, or pages that unpack too far.
    """
    facts = table.metadata
    if facts.num_rows > LIMITS.max_rows:
        raise LabelError("table_too_long")
    unpacked = sum(facts.row_group(number).total_byte_size for number in range(facts.num_row_groups))
    if unpacked > _most_bytes(packed_bytes):
        raise LabelError("table_unpacks_too_far")


def _most_bytes(packed_bytes: int) -> int:
    return max(LIMITS.ratio_free_bytes, LIMITS.max_ratio * packed_bytes)
