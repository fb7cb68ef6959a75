"""Results as files, made while they are sent: CSV for spreadsheets, JSON Lines for programs, Parquet for data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from runtime.coverage import coverage_schema
from studio.common.spreadsheet import quoted
from studio.predictions.answers import AnswerColumns, answer_columns, keeps_scores
from studio.predictions.items import predicted_items
from studio.predictions.items.kind import PredictedItems
from studio.predictions.models import PredictionRun
from studio.predictions.parts import part_tables

_COLUMNS = ("item", "name", "code", "text", "said", "beside", "scores")
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}


def run_download(run: PredictionRun, form: str) -> Iterator[bytes]:
    """The bytes of a file with all results that are there.

    Args:
        run: with its model.
        form: a key of ``CONTENT_TYPES``.
    """
    assert run.artefact is not None
    facts = run.artefact.facts
    shape = _Shape(run, predicted_items(facts), answer_columns(facts), facts.label_set.names)
    writers: Mapping[str, Callable[[_Shape], Iterator[bytes]]] = {"csv": _csv, "jsonl": _lines, "parquet": _parquet}
    return writers[form](shape)


class _Shape:
    """The columns of a download."""

    def __init__(self, run: PredictionRun, items: PredictedItems, answers: AnswerColumns, labels: Sequence[str]) -> None:
        assert run.artefact is not None
        self.run = run
        self._labels = labels if keeps_scores(run.artefact.facts) else ()
        self._output = run.artefact.facts.output.value
        self._items, self._answers = items, answers
        self._prefix = items.prefix(run.artefact.facts)

    def tables(self) -> Iterator[pa.Table]:
        """The results, some thousands at a time; one empty table where there are none."""
        is_empty = True
        for part in part_tables(self.run, _COLUMNS):
            is_empty = False
            yield self._table(part)
        if is_empty:
            schema = pa.schema([pa.field(name, pa.string()) for name in _COLUMNS[:-1]])
            yield self._table(schema.empty_table().append_column("scores", pa.array([], pa.list_(pa.float32()))))

    def _table(self, part: pa.Table) -> pa.Table:
        annotations = [orjson.loads(text) if text else () for text in part.column("said").to_pylist()]
        scores = [_rounded(each) for each in part.column("scores").to_pylist()]
        shown = self._items.columns(part, self.run.columns)
        answers = [(f"{self._prefix}{name}", array) for name, array in self._answers.columns(annotations, scores, self._labels)]
        covered = [(f"{self._prefix}{name}", array) for name, array in self._covered(part)]
        columns = [*shown, *answers, *covered, ("error", part.column("code"))]
        return pa.Table.from_arrays([array for _, array in columns], names=_free([name for name, _ in columns]))

    def _covered(self, part: pa.Table) -> Iterator[tuple[str, pa.Array]]:
        """What stands beside the answers where an error rate was chosen; an interval has a column for each of its parts."""
        if not self.run.coverage:
            return
        beside = [orjson.loads(text) if text else {} for text in part.column("beside").to_pylist()]
        for name, schema in coverage_schema(self._output, {"type": "string"}).items():
            values = [each.get(name) for each in beside]
            if "properties" not in schema:
                yield name, pa.array(values, _arrow_type(schema))
            for own, inner in schema.get("properties", {}).items():
                yield f"{name}_{own}", pa.array([each and each[own] for each in values], _arrow_type(inner))


def _arrow_type(schema: Mapping[str, Any]) -> pa.DataType:
    simple = {"boolean": pa.bool_(), "number": pa.float64(), "string": pa.string()}
    return pa.list_(_arrow_type(schema["items"])) if schema["type"] == "array" else simple[schema["type"]]


def _rounded(scores: Sequence[float] | None) -> list[float] | None:
    return None if scores is None else [round(score, 6) for score in scores]


def _free(names: Sequence[str]) -> list[str]:
    """Names that differ: a table may have a column that is called as one of ours."""
    found: list[str] = []
    for name in names:
        number, free = 2, name
        while free in found:
            free, number = f"{name}_{number}", number + 1
        found.append(free)
    return found


def _csv(shape: _Shape) -> Iterator[bytes]:
    """UTF-8 with a mark, by which spreadsheets know it; cells that they would take for formulas are quoted."""
    yield b"\xef\xbb\xbf"
    is_first = True
    for table in shape.tables():
        out = io.StringIO()
        writer = csv.writer(out)
        if is_first:
            writer.writerow(quoted(table.column_names))
            is_first = False
        columns = [_cells(column) for column in table.columns]
        writer.writerows(quoted(row) for row in zip(*columns, strict=True))
        yield out.getvalue().encode("utf-8", "replace")


def _cells(column: pa.ChunkedArray) -> list[Any]:
    values: list[Any] = column.to_pylist()
    if not pa.types.is_nested(column.type):
        return values
    if pa.types.is_string(column.type.value_type):
        return [None if value is None else "; ".join(value) for value in values]
    return [None if value is None else orjson.dumps(value).decode() for value in values]


def _lines(shape: _Shape) -> Iterator[bytes]:
    for table in shape.tables():
        yield b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in table.to_pylist())


def _parquet(shape: _Shape) -> Iterator[bytes]:
    out = _Pieces()
    writer: pq.ParquetWriter | None = None
    for table in shape.tables():
        writer = writer or pq.ParquetWriter(pa.PythonFile(out, mode="w"), table.schema, compression="zstd")
        writer.write_table(table.cast(writer.schema))
        yield out.drain()
    assert writer is not None
    writer.close()
    yield out.drain()


class _Pieces(io.RawIOBase):
    """Takes what is written, until it is sent."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._at = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:  # noqa: ANN401 - a buffer
        piece = bytes(data)
        self._pieces.append(piece)
        self._at += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._at

    def drain(self) -> bytes:
        """What was written since the last time."""
        joined = b"".join(self._pieces)
        self._pieces.clear()
        return joined
