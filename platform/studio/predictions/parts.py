"""Parts of a run's results: Parquet files that are written once, and read in slices."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from django.db import transaction
from django.db.models import F

from studio.common.blobs import blob_checked, blobs
from studio.common.errors import InvalidInputError
from studio.predictions.entries import Result
from studio.predictions.models import PredictionPart, PredictionRun

ROW_GROUP = 500
"""Results read at once where a page of them is shown."""
_PLACE_DIGITS = 10
SCHEMA = pa.schema(
    [
        pa.field("place", pa.int64(), nullable=False),
        pa.field("item", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("code", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("thumbnail", pa.binary()),
        pa.field("width", pa.int32(), nullable=False),
        pa.field("height", pa.int32(), nullable=False),
        pa.field("said", pa.string(), nullable=False),
        pa.field("scores", pa.list_(pa.float32())),
        pa.field("beside", pa.string(), nullable=False),
        pa.field("asks", pa.bool_(), nullable=False),
    ]
)
"""See ``entries.Result``; ``place`` counts from 0 within the run. Parts from before 0002 have no ``beside`` and no ``asks``."""
_LACKING = {"beside": "", "asks": False}
"""What stands for a column that an old part lacks. No Arrow values: the first one reserves a GiB in whatever imports this."""
Only = Literal["failed", "asked"]
"""Results without a prediction, or those that a person should look at."""


@dataclass(frozen=True)
class Page:
    """Some results, and the place at which to go on; None at the end."""

    rows: list[dict[str, Any]]
    next_place: int | None


def part_write(*, run: PredictionRun, results: Sequence[Result], position: str, columns: Sequence[str]) -> None:
    """Adds results to a run, all of them or none, and brings the run's counts up to date.

    Args:
        run: whose.
        results: one at least.
        position: of the last one.
        columns: ``PredictionRun.columns``.

    Raises:
        IntegrityError: somebody else has written this part already.
    """
    number, codes = run.parts.count(), [one.code for one in results]
    with tempfile.TemporaryDirectory(prefix="part-") as folder:
        path = Path(folder) / "part.parquet"
        pq.write_table(_table(results, codes, first=run.num_results), path, compression="zstd", row_group_size=ROW_GROUP)
        blob = blobs().put_file(path, move=True)
    num_failed = len(codes) - codes.count("")
    num_asked = sum(_asks(one) for one in results)
    with transaction.atomic():
        PredictionPart.objects.create(
            run=run,
            number=number,
            first=run.num_results,
            num_results=len(results),
            num_failed=num_failed,
            num_asked=num_asked,
            position=position,
            size_bytes=blob.size_bytes,
            blob=blob.sha256,
        )
        PredictionRun.objects.filter(id=run.id).update(
            num_results=F("num_results") + len(results),
            num_failed=F("num_failed") + num_failed,
            num_asked=F("num_asked") + num_asked,
            columns=list(columns),
        )
    run.num_results += len(results)
    run.num_failed += num_failed
    run.num_asked += num_asked


def _asks(result: Result) -> bool:
    return result.beside.get("ask_a_person") is True


def _table(results: Sequence[Result], codes: list[str], *, first: int) -> pa.Table:
    columns = [
        range(first, first + len(results)),
        [one.entry.item for one in results],
        [one.entry.name for one in results],
        codes,
        [one.preview.text for one in results],
        [one.preview.thumbnail for one in results],
        [one.preview.width for one in results],
        [one.preview.height for one in results],
        [one.annotations for one in results],
        [one.scores for one in results],
        [orjson.dumps(one.beside).decode() if one.beside else "" for one in results],
        [_asks(one) for one in results],
    ]
    return pa.Table.from_arrays(
        [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)], schema=SCHEMA
    )


def results_page(run: PredictionRun, *, start: int, limit: int, only: Only | None = None) -> Page:
    """Results from a place on.

    Args:
        run: whose.
        start: the first place, from 0.
        limit: at most so many.
        only: leaves out all others.
    """
    if start >= run.num_results:  # a number that no database could take may be among them
        return Page([], None)
    rows: list[dict[str, Any]] = []
    parts = run.parts.filter(first__gt=start - F("num_results")).order_by("number")
    for part in parts.exclude(**{f"num_{only}": 0}) if only else parts:
        for table in _groups(part, start, only):
            rows += table.slice(0, limit + 1 - len(rows)).to_pylist()
            if len(rows) > limit:
                return Page(rows[:limit], int(rows[limit]["place"]))
    return Page(rows, None)


_ONLY: Mapping[Only, Callable[[pa.Table], pa.ChunkedArray]] = {
    "failed": lambda table: pc.not_equal(table.column("code"), ""),
    "asked": lambda table: table.column("asks"),
}
_ONLY_COLUMN: Mapping[Only, str] = {"failed": "code", "asked": "asks"}
"""What ``_ONLY`` looks at."""


def place_of(cursor: str | None) -> int:
    """The place that a cursor stands for; 0 without one.

    Raises:
        InvalidInputError: it was not made here.
    """
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < _PLACE_DIGITS):
        raise InvalidInputError(
            "The cursor is not one of ours.", hint="Start again without a cursor.", fields={"cursor": ["not a cursor"]}
        )
    return int(cursor)


def result_at(run: PredictionRun, place: int) -> dict[str, Any] | None:
    """The result at a place; None where there is none."""
    found = results_page(run, start=place, limit=1).rows
    return found[0] if found and found[0]["place"] == place else None


def part_tables(run: PredictionRun, columns: Sequence[str]) -> Iterator[pa.Table]:
    """All results in order, some thousands at a time, with the columns that are named."""
    for part in run.parts.order_by("number"):
        with pq.ParquetFile(blob_checked(part.blob)) as file:
            there = [name for name in columns if name in file.schema_arrow.names]
            for batch in file.iter_batches(batch_size=5_000, columns=there):
                yield _complete(pa.Table.from_batches([batch])).select(list(columns))


def _groups(part: PredictionPart, start: int, only: Only | None) -> Iterator[pa.Table]:
    """The row groups of a part that hold such results from a place on, without the others and those before it."""
    with pq.ParquetFile(blob_checked(part.blob, is_often=True)) as file:
        skip = max(start - part.first, 0)
        for group in range(skip // ROW_GROUP, file.num_row_groups):
            if only is None or _may_hold(file.metadata.row_group(group), _ONLY_COLUMN[only]):
                table = _complete(file.read_row_group(group)).slice(max(skip - group * ROW_GROUP, 0))
                yield table.filter(_ONLY[only](table)) if only else table


def _may_hold(group: pq.RowGroupMetaData, name: str) -> bool:
    """Whether a column may be anything but empty or False in a row group, which its statistics tell without reading it."""
    for column in map(group.column, range(group.num_columns)):
        if column.path_in_schema == name and column.statistics is not None and column.statistics.has_min_max:
            return bool(column.statistics.max)
    return True


def _complete(table: pa.Table) -> pa.Table:
    """With the columns that old parts lack."""
    for name, value in _LACKING.items():
        if name not in table.column_names:
            table = table.append_column(name, pa.repeat(pa.scalar(value), table.num_rows))
    return table
