"""Guesses from a table's cells what its columns mean. A person may correct a guess; no cell changes.

What is decided, where the cells alone leave it open:

- Numbers with zeros in front (``00501``), of more than 15 digits, or in columns that are named as codes, are categories: adding
  them up would mean nothing, and the zeros count.
- Two different values are a category, ``0`` and ``1`` too. Other small whole numbers are numbers: their order carries
  information, and trees can split them anywhere.
- A column is a number or a moment when 9 of 10 cells are, or 7 of 10 where the others are at most three different words.
- Numbers may have a unit or a currency beside them, the same throughout (``units``); with several they are a category.
- Columns that only identify rows are ignored: row numbers, keys that occur once, people's names, telephone numbers. So is
  a column that is empty or always the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.table import Column, ColumnKind, ColumnRole, TableSchema
from engine.table.guess_datetimes import Moments, is_day_first, moments_guess
from engine.table.guess_numbers import Numbers, decimal_of, numbers_guess
from engine.table.guess_words import (
    CODE_WORDS,
    ID_WORDS,
    MEASURED_WORDS,
    has_any,
    is_code_like,
    is_name_of_person,
    is_phone,
    is_prose,
    target_rank,
    words_of,
)
from runtime.cells import Cell, Decimal, is_missing

SAMPLE_ROWS = 20_000
_SAMPLE_CELLS = 4_000_000
"""Of a table with very many columns, fewer rows are read."""
_LEAST_ROWS = 20
"""Fewer rows do not show that a column is always the same, or that each value occurs once."""
_MOST_DIGITS = 15
"""Longer whole numbers are not exact as floating point numbers."""

Cells = Mapping[str, int]
"""Different cells that are not missing, with how often each occurs, in the order of the file."""


def sample_rows(num_columns: int) -> int:
    """How many rows of a table the guess is based on."""
    return min(SAMPLE_ROWS, max(1_000, _SAMPLE_CELLS // max(1, num_columns)))


def sample_places(num_rows: int, num_columns: int = 1) -> NDArray[np.intp]:
    """Numbers of the rows that a guess is based on, spread evenly over a file.

    Args:
        num_rows: of the file.
        num_columns: of the file.

    Returns:
        Rising row numbers from 0, at most ``SAMPLE_ROWS``.
    """
    most = sample_rows(num_columns)
    return np.unique(np.linspace(0, max(0, num_rows - 1), min(num_rows, most)).astype(np.intp))


def table_guess(names: Sequence[str], columns: Sequence[Sequence[Cell]], *, decimal: Decimal | None = None) -> TableSchema:
    """Guesses what the columns of a table mean.

    Args:
        names: of the columns, in the order of the file, each once.
        columns: the cells of each, as they came; at most about ``SAMPLE_ROWS``, spread over the file (``sample_places``), in
            its order.
        decimal: the sign of columns that can be read with either; None: that of the other columns.

    Returns:
        A schema without a target; see ``target_guess``.

    Raises:
        ValueError: the lists differ in length, or a name is empty or occurs twice.
    """
    counted = [_counted(cells) for _, cells in zip(names, columns, strict=True)]
    words = [words_of(name) for name in names]
    moments = [moments_guess(name_words, one, cells) for name_words, one, cells in zip(words, counted, columns, strict=True)]
    numbers = [numbers_guess(cells) for cells in counted]
    orders = {is_day_first(one.format) for one in moments if one is not None and one.other is None and one.share > 0.9} - {None}
    if len(orders) == 1:
        order = orders.pop()
        moments = [
            moments_guess(name_words, one, cells, is_day_first=order) if when is not None and when.other is not None else when
            for name_words, one, cells, when in zip(words, counted, columns, moments, strict=True)
        ]
    decimal = decimal or decimal_of(numbers)
    guessed = [
        _column(name, cells, _reread(one_cells, one, decimal), when, one_cells)
        for name, cells, one_cells, one, when in zip(names, columns, counted, numbers, moments, strict=True)
    ]
    return TableSchema(columns=tuple(guessed))


def column_guess(name: str, cells: Sequence[Cell], *, decimal: Decimal | None = None) -> Column:
    """Guesses what one column means, without looking at the table's other columns.

    Args:
        name: of the column.
        cells: as they came, in the order of the file.
        decimal: the sign that other columns use, where that is known.
    """
    counted = _counted(cells)
    moments = moments_guess(words_of(name), counted, cells)
    return _column(name, cells, numbers_guess(counted, decimal=decimal), moments, counted)


def other_readings(schema: TableSchema, columns: Mapping[str, Sequence[Cell]]) -> dict[str, str]:
    """Columns whose cells could all be read in another way as well, where no other column of the table decides it.

    Args:
        schema: as the cells are read now.
        columns: cells of a sample, by the columns' names; a name may be missing.

    Returns:
        By name the other datetime format or the other decimal sign.
    """
    found: dict[str, str] = {}
    has_order, has_sign = False, False
    for column in schema.columns:
        cells = columns.get(column.name, ())
        counted = _counted(cells)
        if column.kind is ColumnKind.DATETIME:
            moments = moments_guess(words_of(column.name), counted, cells)
            if moments is None:
                continue
            if moments.other is None:
                has_order |= is_day_first(moments.format) is not None
            else:
                found[column.name] = moments.other if moments.format == column.datetime_format else moments.format
        elif column.kind is ColumnKind.NUMBER:
            numbers = numbers_guess(counted, decimal=column.decimal)
            if numbers.other is not None and numbers.share > 0.9:
                found[column.name] = numbers.other
            has_sign |= numbers.is_sure and numbers.is_signed
    decided = ({ColumnKind.DATETIME} if has_order else set()) | ({ColumnKind.NUMBER} if has_sign else set())
    kinds = {column.name: column.kind for column in schema.columns}
    return {name: other for name, other in found.items() if kinds[name] not in decided}


def merge(schema: TableSchema, guessed: TableSchema) -> TableSchema:
    """The columns that are there as they are, and behind them those of a later file that are new.

    Raises:
        ValueError: there would be too many columns.
    """
    known = {column.name for column in schema.columns}
    return TableSchema(columns=(*schema.columns, *(column for column in guessed.columns if column.name not in known)))


def target_guess(schema: TableSchema) -> str | None:
    """The column that is probably to be predicted: by its name, else the last one. A suggestion for a person, no more.

    Returns:
        The column's name; None where no column is fit to be predicted.
    """
    fit = [column for column in schema.columns if column.role is ColumnRole.FEATURE and column.kind in _TARGETS]
    if schema.target is not None:
        return schema.target.name
    if not fit:
        return None
    names = {column.name.strip().lower() for column in schema.columns}
    ranked = [(target_rank(column.name, names), place) for place, column in enumerate(fit)]
    best = max(ranked)  # of two that are named alike the later
    return fit[best[1]].name


_NUMBERS = frozenset(("number", "no", "nr", "index"))
_TARGETS = {ColumnKind.NUMBER, ColumnKind.CATEGORY}


def _counted(cells: Sequence[Cell]) -> Cells:
    counts: Counter[Cell] = Counter(cells)
    found: dict[str, int] = {}
    for cell, count in counts.items():
        if not is_missing(cell):
            text = str(cell).strip()
            found[text] = found.get(text, 0) + count
    return found


def _reread(cells: Cells, numbers: Numbers, decimal: Decimal | None) -> Numbers:
    is_open = decimal is not None and numbers.other is not None
    return numbers_guess(cells, decimal=decimal) if is_open else numbers


def _column(name: str, cells: Sequence[Cell], numbers: Numbers, moments: Moments | None, counted: Cells) -> Column:
    words = words_of(name)
    num_there = sum(counted.values())
    role = ColumnRole.FEATURE
    if not counted or (len(counted) == 1 and num_there == len(cells) >= _LEAST_ROWS):
        role = ColumnRole.IGNORED
    if moments is not None and _is_enough(moments.share, 4) and not (numbers.share == 1.0 and moments.share < 0.95):
        return Column(name=name, kind=ColumnKind.DATETIME, role=role, datetime_format=moments.format)
    if numbers.units.mixed:  # never ignored by guess: a person is shown what to mend
        return Column(name=name, kind=ColumnKind.CATEGORY, role=role)
    kind = _kind(words, counted, numbers)
    if role is ColumnRole.FEATURE and _is_row_id(words, cells, counted, kind, numbers):
        role = ColumnRole.IGNORED
    if kind is not ColumnKind.NUMBER:
        return Column(name=name, kind=kind, role=role)
    return Column(name=name, kind=kind, role=role, decimal=numbers.decimal, units=numbers.units.spellings)


def _is_enough(share: float, num_odd: int) -> bool:
    return share >= 0.9 or (share >= 0.7 and num_odd <= 3)


def _kind(words: Sequence[str], cells: Cells, numbers: Numbers) -> ColumnKind:
    if cells and _is_enough(numbers.share, len(numbers.odd)):
        return ColumnKind.CATEGORY if _is_code(words, cells, numbers) else ColumnKind.NUMBER
    return ColumnKind.TEXT if is_prose(cells) else ColumnKind.CATEGORY


def _is_code(words: Sequence[str], cells: Cells, numbers: Numbers) -> bool:
    """Whether numbers are only names of something."""
    plain = [cell for cell in cells if cell.isdigit()]
    with_zeros = sum(cells[cell] for cell in plain if len(cell) > 1 and cell.startswith("0"))
    all_plain = len(plain) + len(numbers.odd) == len(cells)
    num_there = sum(cells.values())
    if all_plain and with_zeros and (with_zeros > 1 or num_there < 100) and with_zeros >= 0.005 * num_there:
        return True
    if any(len(cell) > _MOST_DIGITS for cell in plain) or is_phone(words, cells):
        return True
    if len(cells) == 2 and (num_there >= 10 or set(cells) == {"0", "1"}):
        return (
            len(set(numbers.values.values())) == 2
            and all(value.is_integer() for value in numbers.values.values())
            and not has_any(words, MEASURED_WORDS)
        )
    return (all_plain or bool(numbers.units.spellings)) and has_any(words, CODE_WORDS)


def _is_row_id(words: Sequence[str], cells: Sequence[Cell], counted: Cells, kind: ColumnKind, numbers: Numbers) -> bool:
    """Whether a column identifies rows rather than describes them."""
    num_there, num_different = sum(counted.values()), len(counted)
    is_unique = num_different == num_there >= 0.9 * len(cells)
    if num_there < 5 or num_different < 0.9 * num_there:
        return False
    if is_phone(words, counted) or (is_name_of_person(words) and kind is not ColumnKind.NUMBER):
        return True
    is_named = _is_named_id(words)
    if kind is ColumnKind.NUMBER:
        is_whole = not numbers.odd and all(map(float.is_integer, numbers.values.values()))
        if numbers.units.spellings or not is_unique or not is_whole:
            return False
        values = (numbers.values[str(cell).strip()] for cell in cells if not is_missing(cell))
        return is_named or _counts_rows(words, np.fromiter(values, dtype=np.float64))
    if kind is ColumnKind.CATEGORY:
        is_short = num_there < _LEAST_ROWS
        return is_unique and (is_named or (not is_short and (is_code_like(counted) or numbers.share > 0.9)))
    return is_unique and is_code_like(counted) and num_there >= _LEAST_ROWS


def _is_named_id(words: Sequence[str]) -> bool:
    """Of ``number`` and the like only as the last word: ``number_of_rooms`` is none."""
    return has_any(words, ID_WORDS) and (has_any(words, ID_WORDS - _NUMBERS) or words[-1] in _NUMBERS)


def _counts_rows(words: Sequence[str], values_N: NDArray[np.float64]) -> bool:
    """Whether numbers count the rows in the order of the file, of which a sample may be seen."""
    if has_any(words, MEASURED_WORDS) or len(values_N) < _LEAST_ROWS:
        return False
    line_N = np.linspace(values_N[0], values_N[-1], len(values_N))
    stride = (values_N[-1] - values_N[0]) / (len(values_N) - 1)
    is_straight = stride >= 1 and bool(np.abs(values_N - line_N).max() <= 1.0)
    return is_straight and (values_N[0] in {0.0, 1.0} or not words)
