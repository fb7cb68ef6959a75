"""Columns of Parquet, Arrow and feather files, a part at a time, read by pyarrow.

``.arrow`` is the stream that Hugging Face's ``save_to_disk`` writes, or Arrow's file format; ``.feather`` is the latter, or
feather's first version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import feather

from labeling.formats._files import opened
from labeling.formats._table_limits import parquet_check

SUFFIXES = (".parquet", ".arrow", ".feather")
_FILE, _FEATHER = b"ARROW1", b"FEA1"

Batches = Callable[[int, Sequence[str]], Iterator[pa.RecordBatch]]


@dataclass(frozen=True)
class Columnar:
    """A file of columns while it is open."""

    schema: pa.Schema
    batches: Batches
    """Parts of at most so many rows, with these columns alone."""
    num_rows: int | None
    """None where the file does not say it beforehand."""


@contextmanager
def columnar(name: str, files: Mapping[str, bytes]) -> Iterator[Columnar]:
    """Opens a file by what it is called and how it begins.

    Raises:
        LabelError: it has too many rows, or unpacks too far.
        pa.ArrowException, OSError: it is damaged.
    """
    with opened(name, files) as (file, size):
        if name.lower().endswith(".parquet"):
            with pq.ParquetFile(file) as table:
                parquet_check(table, packed_bytes=size)
                yield Columnar(
                    table.schema_arrow, lambda most, columns: table.iter_batches(most, columns=columns), table.metadata.num_rows
                )
            return
        schema, found = _arrow(file)
        yield Columnar(schema, lambda most, columns: _cut(found, most, columns), None)


def _arrow(file: IO[bytes]) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    head = file.read(len(_FILE))
    file.seek(0)
    if head.startswith(_FEATHER):
        table = feather.read_table(file)
        return table.schema, iter(table.to_batches())
    if head == _FILE:
        reader = pa.ipc.open_file(file)
        return reader.schema, (reader.get_batch(number) for number in range(reader.num_record_batches))
    stream = pa.ipc.open_stream(file)
    return stream.schema, iter(stream)


def _cut(batches: Iterator[pa.RecordBatch], most: int, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        batch.validate(full=True)  # what somebody else wrote may point out of its own bytes
        chosen = batch.select(list(columns))
        for start in range(0, chosen.num_rows, most):
            yield chosen.slice(start, most)
