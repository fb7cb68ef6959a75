"""Conditions on the cells of rows, for filters and orders: numbers by value, dates by moment, however they are written.

Cells are kept as they came, and only ``runtime.cells`` knows what they mean, so they are read here and not by the database.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import unquote

import orjson
from pydantic import BaseModel, ConfigDict

from automl.contracts.table import Column, ColumnKind, ColumnRole
from runtime.cells import MISSING_TIME, is_missing, number_of, seconds_of, text_of
from studio.datasets.items.annotations import chunks
from studio.datasets.items.errors import CellTestInvalidError
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Dataset, Item

Meaning = float | str | None
"""A number, seconds of a moment, or a text, also of a number that cannot be read; None: missing."""
Meanings = Mapping[str, Meaning]
"""By column."""

_ROWS_AT_ONCE = 500
_DAY_S = 86_400
_WIRE = re.compile(r"([^<>=!~]+)(<=|>=|!=|=|~)(.*)", re.DOTALL)


class CellTest(BaseModel):
    """A condition on one column. ``=`` and ``!=`` without a value mean a missing cell; ``~`` is part of it, in any case."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    column: str
    op: Literal["=", "!=", ">=", "<=", "~"]
    value: str = ""


def cell_test(written: str) -> CellTest:
    """Reads a condition as addresses have it: ``age>=30``. In the column's name ``<>=!~%`` stand as ``%3C`` and so on.

    Raises:
        CellTestInvalidError: it is none.
    """
    parts = _WIRE.fullmatch(written)
    if parts is None:
        raise CellTestInvalidError(written)
    return CellTest.model_validate({"column": unquote(parts[1]), "op": parts[2], "value": parts[3]})


def reader_of(column: Column) -> Callable[[Any], Meaning]:
    """What a cell of a column means."""
    if column.kind is ColumnKind.NUMBER:
        return lambda cell: None if is_missing(cell) else _or_text(number_of(cell, column.decimal, column.units), cell)
    if column.kind is ColumnKind.DATETIME:
        return lambda cell: (
            None if (found := seconds_of(cell, column.datetime_format)) == MISSING_TIME else _or_text(found, cell)
        )
    return lambda cell: text_of(cell) or None


def _or_text(value: float | None, cell: object) -> Meaning:
    return text_of(cell) if value is None else value  # type: ignore[arg-type]  # a cell of JSON


def column_of(dataset: Dataset, name: str) -> Column:
    """The column of a dataset.

    Raises:
        CellTestInvalidError: there is none of that name.
    """
    schema = schema_of(dataset)
    column = None if schema is None else schema.column(name)
    if column is None:
        raise CellTestInvalidError(name)
    return column


def meanings_of(ids: Iterable[str], columns: Sequence[Column]) -> Iterator[tuple[str, Meanings]]:
    """What cells of items mean, in the order of the ids; those of the target are what the item is labelled with."""
    readers = {column.name: reader_of(column) for column in columns}
    targets = {column.name for column in columns if column.role is ColumnRole.TARGET}
    fields = ("id", "text", *(["annotations"] if targets else []))
    for some in chunks(ids, _ROWS_AT_ONCE):
        found = {row[0]: row for row in Item.objects.filter(id__in=some).values_list(*fields)}
        for item in some:
            if item not in found:
                continue
            cells = orjson.loads(found[item][1] or "{}").get("cells", {})
            label = _label(found[item][2]) if targets else None
            yield item, {name: read(label if name in targets else cells.get(name)) for name, read in readers.items()}


def _label(annotations: Sequence[Mapping[str, Any]] | None) -> object:
    first = (annotations or [{}])[0]
    return first.get("label", first.get("value"))


class CellTests:
    """Conditions on cells, all of which hold; of one column it is enough that the cell is one of the values of ``=``."""

    def __init__(self, dataset: Dataset, tests: Sequence[CellTest]) -> None:
        self._columns = [column_of(dataset, name) for name in dict.fromkeys(test.column for test in tests)]
        self._checks = [(column.name, _check(column, tests)) for column in self._columns]

    def kept(self, ids: Iterable[str]) -> Iterator[str]:
        """Those of the items whose cells meet the conditions, in their order."""
        for item, meanings in meanings_of(ids, self._columns):
            if all(check(meanings[name]) for name, check in self._checks):
                yield item


def _check(column: Column, tests: Sequence[CellTest]) -> Callable[[Meaning], bool]:
    own = [test for test in tests if test.column == column.name]
    equal = {_meant(column, test.value) for test in own if test.op == "="}
    different = {_meant(column, test.value) for test in own if test.op == "!="}
    low = [_bound(column, test.value) for test in own if test.op == ">="]
    high = [_bound(column, test.value, is_end=True) for test in own if test.op == "<="]
    least, most = max(low, default=-math.inf), min(high, default=math.inf)
    parts = [test.value.casefold() for test in own if test.op == "~"]

    def check(meaning: Meaning) -> bool:
        if (equal and meaning not in equal) or meaning in different:
            return False
        if (low or high) and not (isinstance(meaning, int | float) and least <= meaning <= most):
            return False
        return all(meaning is not None and part in str(meaning).casefold() for part in parts)

    return check


def _meant(column: Column, value: str) -> Meaning:
    """A value to compare with, written as cells of the column are or in the plain way."""
    if not value.strip():
        return None
    if column.kind is ColumnKind.NUMBER and (plain := number_of(value)) is not None:
        return plain
    return reader_of(column)(value)


def _bound(column: Column, value: str, *, is_end: bool = False) -> float:
    """A limit of a number or a moment; a day without a time ends when it is over.

    Raises:
        CellTestInvalidError: it is none of that kind.
    """
    if column.kind is ColumnKind.DATETIME:
        seconds = seconds_of(value.strip())
        if seconds is not None and seconds != MISSING_TIME:
            return seconds + (_DAY_S - 1 if is_end and len(value.strip()) <= len("2026-01-01") else 0)
    elif column.kind is ColumnKind.NUMBER and value.strip():
        number = number_of(value)
        if number is not None:
            return number
    raise CellTestInvalidError(f"{column.name}: {value}")
