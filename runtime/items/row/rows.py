"""Turns rows of a table into what the graph takes: one tensor for each kind of columns.

The rules are those of the artefact's ``decode`` entry; cells are read as ``cells`` says. N rows, A columns of numbers, D of
datetimes, C of categories, T of texts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cells import MISSING_TIME, Cell, Spellings, moments_of, number_of, numbers_of, text_of
from .errors import CellInvalidError, ColumnsMissingError, RowInvalidError

BATCH_CELLS = 400_000
"""Rows times columns of one run: a graph of trees needs some memory for each row."""
MAX_CELLS = 2_000
"""Of one row, as many as a table may have columns."""
MAX_NAME_CHARS = 256
NAMED_COLUMNS = 20
"""Of those that a caller should look at, so many are named in an answer."""
NAMED_VALUES = 5
"""Of one column."""
NUMBER, DATETIME, CATEGORY, TEXT = "number", "datetime", "category", "text"
EXPECTED = {NUMBER: "number", DATETIME: "moment"}
INPUTS = {NUMBER: "numbers", DATETIME: "datetimes", CATEGORY: "categories", TEXT: "texts"}
_DTYPES: dict[str, Any] = {NUMBER: np.float32, DATETIME: np.int64, CATEGORY: object, TEXT: object}

RowCells = Mapping[str, Cell]
_NUMBER_TYPES = frozenset((float,))
"""Numbers that need not be looked at one by one."""
_MOSTLY = 0.5
_CELL_TYPES = frozenset((str, int, float, bool, type(None)))


class RowColumn(NamedTuple):
    """A column that the model reads."""

    name: str
    kind: str
    decimal: str
    units: tuple[str, ...]
    datetime_format: str
    spoken: Mapping[str | float, str]
    """Of a category: its values by what a caller may say for them who sends numbers or booleans."""
    choices: frozenset[str]
    spellings: Spellings | None
    """Of a category whose values are all known."""


class Rows(NamedTuple):
    """Rows that are ready for the graph."""

    cells: Sequence[RowCells]
    """As they came."""
    feeds: dict[str, NDArray[Any]]
    """By input: ``numbers`` float32 ``_NA``, ``datetimes`` int64 ``_ND``, ``categories`` and ``texts`` ``_NC`` and ``_NT``."""
    unknown: list[str]
    """Columns that the model does not read, at most ``NAMED_COLUMNS``."""
    missing: list[str]
    """Columns of the model that no row has, at most ``NAMED_COLUMNS``."""
    unseen: Mapping[str, list[str]] = MappingProxyType({})
    """By column of categories, at most ``NAMED_COLUMNS``, values that the model has not seen, at most ``NAMED_VALUES``."""
    mostly_missing: Sequence[int] = ()
    """Rows, from 1, that lack more than half of the model's cells: what is answered of them rests on little."""


class RowReader:
    """Reads rows for one model."""

    def __init__(self, decode: Mapping[str, Any]) -> None:
        """Takes the manifest's entry.

        Raises:
            KeyError, TypeError: it is not by the contract.
            ValueError: it names a kind of columns that this runtime does not know.
        """
        self.target = str(decode["target"])
        self.columns = tuple(_column(entry) for entry in decode["columns"])
        self.names = tuple(column.name for column in self.columns)
        self.typical: dict[str, Cell] = {entry["name"]: entry.get("typical", "") for entry in decode["columns"]}
        """A row to begin with."""
        self._of_kind = {kind: [column for column in self.columns if column.kind == kind] for kind in INPUTS}
        self._known = frozenset(self.names)

    def read(self, rows: Sequence[RowCells], *, is_lenient: bool = False) -> Rows:
        """Reads rows.

        Args:
            rows: cells by column; those of other columns are left alone, columns that are not there are missing.
            is_lenient: takes a cell that cannot be read as missing, as training does.

        Raises:
            RowInvalidError: a row is no object of cells, or has too many.
            ColumnsMissingError: a row has none of the columns.
            CellInvalidError: a cell is no number or no moment where one is required.
        """
        seen: set[str] = set()
        for place, row in enumerate(rows, 1):
            _check(place, row)
            if self._known.isdisjoint(row):
                raise ColumnsMissingError(f"row {place} has none of the model's columns: {_named(self.names)}")
            seen.update(row)
        feeds: dict[str, NDArray[Any]] = {}
        for kind, columns in self._of_kind.items():
            if columns:
                feeds[INPUTS[kind]] = _tensor(kind, columns, rows, is_lenient=is_lenient)
        unknown = sorted(seen - self._known)[:NAMED_COLUMNS]
        missing = [name for name in self.names if name not in seen][:NAMED_COLUMNS]
        return Rows(rows, feeds, unknown, missing, self._unseen(feeds), _mostly_missing(feeds))

    def _unseen(self, feeds: Mapping[str, NDArray[Any]]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for place, column in enumerate(self._of_kind[CATEGORY]):
            if column.spellings is None or len(found) == NAMED_COLUMNS:
                continue
            values = dict.fromkeys(feeds[INPUTS[CATEGORY]][:, place].tolist())
            strange = [value for value in values if value and value not in column.spellings.known]
            if strange:
                found[column.name] = [value[:MAX_NAME_CHARS] for value in strange[:NAMED_VALUES]]
        return found


def row_parse(data: bytes) -> dict[str, Cell]:
    """The cells of a row as a dataset keeps it: JSON ``{"cells": {...}}``.

    Raises:
        RowInvalidError: it is none.
    """
    try:
        row = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RowInvalidError(f"the row is not JSON: {error}") from error
    cells = row.get("cells") if isinstance(row, dict) else None
    if not isinstance(cells, dict):
        raise RowInvalidError("the row holds no cells")
    return cells


def row_data(cells: RowCells) -> bytes | None:
    """A row as a dataset keeps it: UTF-8 JSON with sorted keys and without blanks; None when a dataset would refuse it.

    Cells become text without white space around them; empty ones are left out.
    """
    filled = {
        name: text for name, cell in sorted(cells.items()) if (text := cell.strip() if type(cell) is str else text_of(cell))
    }
    text = json.dumps({"cells": filled}, separators=(",", ":"), ensure_ascii=False)
    is_valid = filled and "\\u0000" not in text and all(0 < len(name) <= MAX_NAME_CHARS for name in filled)
    return text.encode() if is_valid else None


def _column(entry: Mapping[str, Any]) -> RowColumn:
    if entry["kind"] not in INPUTS:
        raise ValueError(f"cannot read columns of {entry['kind']}")
    choices = [str(choice) for choice in entry.get("choices", ())]
    known = None if entry.get("known") is None else [str(value) for value in entry["known"]]
    spoken: dict[str | float, str] = {}
    for choice in reversed(known or choices):  # of several that read alike the commonest wins
        spoken[choice.lower()] = choice
        try:
            spoken[float(choice)] = choice
        except ValueError:
            continue
    return RowColumn(
        name=str(entry["name"]),
        kind=entry["kind"],
        decimal=entry.get("decimal", "."),
        units=tuple(entry.get("units", ())),
        datetime_format=entry.get("datetime_format", ""),
        spoken=spoken,
        choices=frozenset(known or choices),
        spellings=None if known is None else Spellings(known),
    )


def _check(place: int, row: object) -> None:
    if not isinstance(row, Mapping):
        raise RowInvalidError(f"row {place} is no object but {type(row).__name__}")
    if len(row) > MAX_CELLS:
        raise RowInvalidError(f"row {place} has {len(row):,} cells, at most {MAX_CELLS:,} are read")
    if not _CELL_TYPES.issuperset(map(type, row.values())):
        name, cell = next((name, cell) for name, cell in row.items() if type(cell) not in _CELL_TYPES)
        raise RowInvalidError(f"row {place}, column {name}: a cell is a text, a number, true, false or null, not {_kind(cell)}")


def _tensor(kind: str, columns: Sequence[RowColumn], rows: Sequence[RowCells], *, is_lenient: bool) -> NDArray[Any]:
    tensor: NDArray[Any] = np.empty((len(rows), len(columns)), dtype=_DTYPES[kind])
    for number, column in enumerate(columns):
        cells = [row.get(column.name) for row in rows]
        if kind == TEXT:
            tensor[:, number] = [text_of(cell) for cell in cells]
        elif kind == CATEGORY:
            tensor[:, number] = [_category(cell, column) for cell in cells]
        else:
            array, invalid = _numbers(cells, column) if kind == NUMBER else moments_of(cells, column.datetime_format)
            if invalid and not is_lenient:
                raise CellInvalidError(invalid[0] + 1, column.name, cells[invalid[0]], EXPECTED[kind])
            with np.errstate(over="ignore"):  # a number beyond float32 is infinite here, as in training
                tensor[:, number] = array
    return tensor


def _numbers(cells: Sequence[Cell], column: RowColumn) -> tuple[NDArray[np.float64], list[int]]:
    """Numbers, and the places of cells that are none; infinity is none."""
    if _NUMBER_TYPES.issuperset(map(type, cells)):
        array, invalid = np.array(cells, dtype=np.float64), list[int]()
    else:
        array, invalid = numbers_of(cells, "," if column.decimal == "," else ".", column.units)
    is_infinite = np.isinf(array)
    if is_infinite.any():
        invalid = sorted({*invalid, *np.flatnonzero(is_infinite).tolist()})
        array[is_infinite] = np.nan
    return array, invalid


def _category(cell: Cell, column: RowColumn) -> str:
    """The value of a category; a number or a boolean is taken for the value that reads so: true for ``True``, 3 for ``3.0``."""
    text = text_of(cell)
    if type(cell) is str and column.spellings is not None:
        return column.spellings.of(text)
    if type(cell) is str or not text or text in column.choices:
        return text
    if type(cell) is bool:
        return column.spoken.get(text) or column.spoken.get(float(cell), text)
    number = number_of(cell)
    return text if number is None else column.spoken.get(number, text)


def _mostly_missing(feeds: Mapping[str, NDArray[Any]]) -> list[int]:
    """Places, from 1, of rows of whose cells more than half are missing."""
    nothing: dict[str, Any] = {INPUTS[DATETIME]: MISSING_TIME, INPUTS[CATEGORY]: "", INPUTS[TEXT]: ""}
    is_missing = [np.isnan(array) if name == INPUTS[NUMBER] else array == nothing[name] for name, array in feeds.items()]
    shares_N = np.concatenate(is_missing, axis=1).mean(axis=1)
    places: list[int] = (np.flatnonzero(shares_N > _MOSTLY) + 1).tolist()
    return places


def _kind(cell: object) -> str:
    return "an object" if isinstance(cell, dict) else "a list" if isinstance(cell, list) else type(cell).__name__


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED_COLUMNS} more" if len(names) > NAMED_COLUMNS else ""
    return ", ".join(names[:NAMED_COLUMNS]) + more
