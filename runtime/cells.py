"""Reads the cells of tables: what is missing, which number or moment a text means.

The one place that says so. Training reads with it as much as every service that answers, so that a cell never means two things;
it needs only the standard library and numpy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Cell = str | int | float | bool | None
Decimal = Literal[".", ","]
MISSING_WORDS = frozenset(
    (
        "",
        "na",
        "n/a",
        "#n/a",
        "#na",
        "<na>",
        "nan",
        "null",
        "none",
        "nil",
        "-",
        "--",
        "?",
        "#null!",
        "#div/0!",
        "#value!",
        "缺失",
    )
)
"""Lower case."""
MISSING_TIME = int(np.iinfo(np.int64).min)
"""Stands for a moment that is missing, in seconds."""
ISO, EPOCH_S, EPOCH_MS = "iso", "epoch_s", "epoch_ms"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_AROUND = re.compile(r"^[\s$€£¥￥₹]+|[\s%％$€£¥￥₹元]+$")
_SIGNED = re.compile(r"\s*([+-])(?=\s*[$€£¥￥₹])")
"""A sign in front of a currency's sign."""
_ANY_CASE_CHARS = 3
"""Of a unit so long the case does not count: ``KWH`` is ``kWh``, but ``mb`` is not ``MB``, nor ``M`` a metre."""
_GROUPED = {
    ".": re.compile(r"[+-]?\d{1,3}([,\s'’]\d{3})+(\.\d*)?"),
    ",": re.compile(r"[+-]?\d{1,3}([.\s'’]\d{3})+(,\d*)?"),
}
_PARTED = {".": re.compile(r"[,\s'’]"), ",": re.compile(r"[.\s'’]")}
_PLAIN = {
    ".": re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"),
    ",": re.compile(r"[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?"),
}


def is_missing(cell: Cell) -> bool:
    """Whether a cell says nothing."""
    if cell is None:
        return True
    if isinstance(cell, str):
        return cell.strip().lower() in MISSING_WORDS
    return isinstance(cell, float) and math.isnan(cell)


def text_of(cell: Cell) -> str:
    """A cell as a category or a text; empty when it is missing. Numbers are written without needless zeros: 3.0 is ``3``."""
    if is_missing(cell):
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell).strip()


def number_of(cell: Cell, decimal: Decimal = ".", units: tuple[str, ...] = ()) -> float | None:
    """The number that a cell means; NaN when it is missing, None when it is no number.

    Parted thousands are understood; ``(5)`` is -5. ``12%`` is 12. Infinity is no number.

    Args:
        cell: as it came.
        decimal: the decimal sign; the other one may part thousands.
        units: spellings of the column's unit. It may stand before or behind the number, or be left out; a cell with another
            one is no number. Where a column has no unit, signs of currencies and per cent are left aside.
    """
    if is_missing(cell):
        return float("nan")
    if isinstance(cell, int | float):
        try:
            value = float(cell)
        except OverflowError:
            return None
        return value if abs(value) != float("inf") else None
    text = str(cell)
    if _PLAIN[decimal].fullmatch(text) is None:
        text = text.strip().replace("\u2212", "-")
        sign = 1.0
        if text.startswith("(") and text.endswith(")"):
            sign, text = -1.0, text[1:-1]
        text = bare_of(text, units)
        if text.startswith("(") and text.endswith(")") and sign > 0:  # $(5)
            sign, text = -1.0, text[1:-1]
        if _PLAIN[decimal].fullmatch(text) is None:
            if _GROUPED[decimal].fullmatch(text) is None:
                return None
            text = _PARTED[decimal].sub("", text)
    else:
        sign = 1.0
    value = sign * float(text.replace(",", "."))
    return value if abs(value) != float("inf") else None


def bare_of(text: str, units: tuple[str, ...] = ()) -> str:
    """A number's text without its unit, or, where the column has none, without signs of currencies and per cent.

    The sign of the number may stand on either side of a unit in front of it.
    """
    if not units:
        signed = _SIGNED.match(text)
        return _AROUND.sub("", text) if signed is None else signed[1] + _AROUND.sub("", text[signed.end() :])
    sign, rest = "", text.strip()
    if rest[:1] in {"+", "-"}:
        sign, rest = rest[0], rest[1:].lstrip()
    longest = _longest_first(units)
    before = next((unit for unit in longest if _is_unit(rest[: len(unit)], unit)), "")
    rest = rest[len(before) :].lstrip()
    behind = next((unit for unit in longest if _is_unit(rest[-len(unit) :], unit)), "")
    return sign + rest[: len(rest) - len(behind)].rstrip()


def seconds_of(cell: Cell, datetime_format: str = ISO) -> int | None:
    """The moment that a cell means, in seconds since 1970; ``MISSING_TIME`` when it is missing, None when it is no moment.

    A moment without a time zone is taken as UTC; one with a zone is turned into UTC.
    """
    if is_missing(cell):
        return MISSING_TIME
    if datetime_format in {EPOCH_S, EPOCH_MS}:
        value = number_of(cell)
        if value is None or abs(value) > 1e15:
            return None
        return int(value // (1000 if datetime_format == EPOCH_MS else 1))
    text = str(cell).strip()
    try:
        is_iso = datetime_format in {"", ISO}
        moment = datetime.fromisoformat(text) if is_iso else datetime.strptime(text, datetime_format)  # noqa: DTZ007 - see below
    except ValueError:
        return None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return (moment - _EPOCH) // timedelta(seconds=1)


def numbers_of(
    cells: Sequence[Cell], decimal: Decimal = ".", units: tuple[str, ...] = ()
) -> tuple[NDArray[np.float64], list[int]]:
    """The numbers of a column, NaN where missing or no number, and the places of those that are no numbers."""
    return _read(cells, lambda cell: number_of(cell, decimal, units), np.float64, float("nan"))


def moments_of(cells: Sequence[Cell], datetime_format: str = ISO) -> tuple[NDArray[np.int64], list[int]]:
    """The moments of a column in seconds, ``MISSING_TIME`` where missing or no moment, and the places of the latter."""
    return _read(cells, lambda cell: seconds_of(cell, datetime_format), np.int64, MISSING_TIME)


def texts_of(cells: Iterable[Cell]) -> NDArray[np.object_]:
    """The categories or texts of a column, empty where missing."""
    return np.array([text_of(cell) for cell in cells], dtype=object)


def folded(text: str) -> str:
    """A category whatever its case and the spaces in and around it: spellings of one value are equal then."""
    return " ".join(text.casefold().split())


class Spellings:
    """Finds which of a column's known values a cell means, in training as in every service."""

    def __init__(self, known: Sequence[str]) -> None:
        """Takes the values, commonest first: of several that fold alike that one is meant by other spellings."""
        self.known = frozenset(known)
        self._by_folded = {folded(value): value for value in reversed(known)}

    def of(self, text: str) -> str:
        """The value itself where it is known, the known one that folds alike, or else the text as it is."""
        return text if not text or text in self.known else self._by_folded.get(folded(text), text)


@lru_cache(maxsize=4_096)
def _longest_first(units: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(units, key=len, reverse=True))


def _is_unit(text: str, unit: str) -> bool:
    return text == unit or (len(unit) >= _ANY_CASE_CHARS and text.lower() == unit.lower())


def _read(
    cells: Sequence[Cell], one: Callable[[Cell], float | int | None], dtype: type[Any], missing: float | int
) -> tuple[NDArray[Any], list[int]]:
    """Reads each different cell once: columns repeat themselves."""
    known: dict[Cell, float | int | None] = {}
    found: NDArray[Any] = np.empty(len(cells), dtype=dtype)
    invalid: list[int] = []
    for place, cell in enumerate(cells):
        try:
            value = known[cell]
        except KeyError:
            value = known[cell] = one(cell)
        if value is None:
            invalid.append(place)
            value = missing
        found[place] = value
    return found, invalid
