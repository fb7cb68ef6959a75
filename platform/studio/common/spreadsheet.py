"""Cells of CSV files that spreadsheets open: what they would take for a formula gets an apostrophe, and is read back whole.

Whoever labels, names a file or fills a table decides what such a cell holds, and whoever opens the download runs it ("CSV
injection"). Only files that we have written are unquoted: an apostrophe of anybody else's is part of the cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_STARTS = re.compile(r"[=+\-@\t\r].", re.DOTALL)
"""One such character alone is no formula, and often means that there is nothing."""
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)*|\.\d+)([eE][+-]?\d+)?%?")


def quoted(cells: Iterable[object]) -> list[object]:
    """The cells of a row as they may be written; numbers stay as they are."""
    return [f"'{cell}" if isinstance(cell, str) and _is_formula(cell.lstrip("'")) else cell for cell in cells]


def unquoted(cells: Iterable[str]) -> list[str]:
    """The cells as they were before ``quoted``."""
    return [cell[1:] if cell.startswith("'") and _is_formula(cell.lstrip("'")) else cell for cell in cells]


def _is_formula(cell: str) -> bool:
    return _STARTS.match(cell) is not None and _NUMBER.fullmatch(cell) is None
