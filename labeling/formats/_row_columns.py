"""How a table of rows is laid out: what parts its columns, and whether the first row names them. Pure."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Sequence
from itertools import islice, pairwise

from labeling.formats._tables import RowFault, csv_rows
from runtime.cells import number_of

SAMPLE_ROWS = 200
_DELIMITERS = ",;\t|"
_SHARE = 0.5
"""At least so much of the rows must have the same number of cells."""

_NEARLY_ALL = 0.9

Rows = Sequence[Sequence[str]]


def csv_delimiter(sample: str, usual: str) -> str:
    """The mark that parts the rows alike; of several the one whose cells are numbers more often, then the usual one.

    Empty where none does.
    ``1,5;2,5`` falls apart evenly at its commas too, but ``5;2`` is no number.

    Args:
        sample: the beginning of the file, in whole lines.
        usual: what the file's name lets expect.
    """
    found: list[tuple[float, float, bool, str]] = []
    for delimiter in (usual, *_DELIMITERS.replace(usual, "")):
        try:
            read = list(islice(csv_rows(io.StringIO(sample, newline=""), delimiter), SAMPLE_ROWS))
        except csv.Error:
            continue
        rows = [row for row in read if not isinstance(row, RowFault) and any(map(str.strip, row))]
        width, count = Counter(map(len, rows)).most_common(1)[0] if rows else (1, 0)
        if width > 1 and len(rows[0]) > 1 and count >= _SHARE * (len(rows) - 1):
            found.append((round(count / len(rows), 2), _numeric(rows), delimiter == usual, delimiter))
    return max(found)[-1] if found else ""


def _numeric(rows: Rows) -> float:
    """The share of cells that are numbers, whichever the decimal sign."""
    cells = [cell for row in rows[1:] for cell in row if cell.strip()]
    return round(sum(_is_number(cell) for cell in cells) / max(len(cells), 1), 2)


def _is_number(cell: str) -> bool:
    return any(value is not None and not math.isnan(value) for value in (number_of(cell), number_of(cell, ",")))


def has_head(rows: Rows) -> bool:
    """Whether the first row names the columns rather than being one of the rows.

    A word above numbers is a name. Numbers above numbers are none, unless they count up beside a named column (2019, 2020).
    Where all is words, names are those that are all there, all different and come nowhere again in their columns.

    Args:
        rows: the first rows, none of them blank.
    """
    if not rows:
        return False
    head, body = [cell.strip() for cell in rows[0]], rows[1:]
    if not body:
        return not any(_is_number(cell) for cell in head)
    columns = [[row[at].strip() for row in body if at < len(row) and row[at].strip()] for at in range(len(head))]
    numeric = [bool(column) and all(map(_is_number, column)) for column in columns]
    if any(is_numeric and name and not _is_number(name) for name, is_numeric in zip(head, numeric, strict=True)):
        return True
    named = [name and name not in column for name, column, is_one in zip(head, columns, numeric, strict=True) if not is_one]
    counted = [name for name, is_one in zip(head, numeric, strict=True) if is_one and _is_number(name)]
    if counted:
        return len(counted) > 1 and bool(named) and all(named) and _counts_up(counted)
    return all(head) and len(set(head)) == len(head) and all(named)


def lacks_first(head: Sequence[str], rows: Rows) -> bool:
    """Whether a head names all columns but the first, as R writes tables whose rows have names."""
    wide = sum(len(row) == len(head) + 1 for row in rows)
    return wide >= max(1, _NEARLY_ALL * len(rows))


def mostly_filled(at: int, rows: Rows) -> bool:
    """Whether more than half of the rows have something in a column, though the head may not name it."""
    return sum(at < len(row) and bool(row[at].strip()) for row in rows) > len(rows) / 2


def _counts_up(names: Sequence[str]) -> bool:
    numbers = [number_of(name) for name in names]
    return all(one is not None and other is not None and other - one == 1 for one, other in pairwise(numbers))
