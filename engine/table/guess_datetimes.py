"""Finds the format that the moments of a column are written in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from runtime.cells import EPOCH_MS, EPOCH_S, ISO, Cell, is_missing, seconds_of

_MOST_CELLS = 2_000
"""Different cells that a format is tried on: all of them in most columns."""
_LOOK_CELLS = 25
"""A format that reads too few of the first ones is not tried on more."""
_FIRST_CELLS = 6
"""One of these fits a format that most cells have, but once in a thousand columns of many odd cells."""
_PLAIN_NUMBER = re.compile(r"[+-]?\d*[.,]?\d+(e[+-]?\d+)?", re.IGNORECASE)
_DATES = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y年%m月%d日",
    "%Y年%m月%d号",
    "%Y%m%d",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d.%m.%Y",
    "%m.%d.%Y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%d-%m-%y",
    "%m-%d-%y",
    "%d.%m.%y",
    "%d %b %Y",
    "%d %B %Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%d/%b/%Y",
    "%d%b%Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%b %d %Y",
    "%B %d %Y",
    "%a, %d %b %Y",
    "%a %b %d, %Y",
    "%A, %B %d, %Y",
    "%Y-%b-%d",
)
_TIMES = (
    "%H:%M",
    "%H:%M:%S",
    "%H:%M:%S.%f",
    "%I:%M %p",
    "%I:%M:%S %p",
    "%I:%M%p",
    "%H时%M分",
    "%H时%M分%S秒",
    "%H:%M:%S%z",
    "%H:%M:%S.%f%z",
    "%H:%M:%S %z",
    "%H:%M:%S %Z",
    "%H:%M%z",
)
_ALONE = (
    "%Y-%m",
    "%Y/%m",
    "%Y年%m月",
    "%b %Y",
    "%B %Y",
    "%b-%Y",
    "%b-%y",
    "%Y-%b",
    "%m/%Y",
    "%Y%m%d%H%M%S",
    "%Y%m%d%H%M",
    "%Y%m%dT%H%M%S",
    "%Y%m%dT%H%M%SZ",
    "%Y%m%d_%H%M%S",
    "%d/%b/%Y:%H:%M:%S %z",
    "%a %b %d %H:%M:%S %Y",
    "%H:%M",
    "%H:%M:%S",
    "%I:%M %p",
)
_LIKE_VERSIONS = frozenset(("%d.%m.%y", "%m.%d.%y"))
"""``3.10.12`` need not be a day."""
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_LONG_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_PARTS: Mapping[str, str] = {
    "Y": r"(?:1[5-9]|2[0-2])\d\d",
    "y": r"\d\d",
    "m": r"\d{1,2}",
    "d": r"\d{1,2}",
    "H": r"\d{1,2}",
    "I": r"\d{1,2}",
    "M": r"\d\d",
    "S": r"\d\d",
    "f": r"\d{1,6}",
    "p": r"[ap]m",
    "z": r"(?:z|[+-]\d\d:?\d\d)",
    "Z": r"(?:utc|gmt)",
    "b": rf"(?:{_MONTHS})",
    "B": rf"(?:{_LONG_MONTHS})",
    "a": r"(?:mon|tue|wed|thu|fri|sat|sun)",
    "A": r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)",
}
_ISO_LIKE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(z|[+-]\d\d(:?\d\d)?)?)?", re.IGNORECASE)
_DAY_FIRST = re.compile(r"%d([/.-])%m\1(%Y|%y)")
_MONTH_FIRST = re.compile(r"%m([/.-])%d\1(%Y|%y)")
_TIME_WORDS = frozenset(
    (
        *("time", "timestamp", "ts", "date", "datetime", "day", "epoch", "unix", "created", "updated", "modified", "at"),
        *("when", "visited", "joined", "signup", "born", "birthday", "dob", "start", "end"),
    )
)
_CHINESE_TIME = ("时间", "日期", "年月", "月份", "时刻", "生日")
_ID_WORDS = frozenset(
    ("id", "ids", "no", "number", "code", "key", "phone", "tel", "mobile", "zip", "isbn", "ean", "barcode", "sku", "account")
)


@dataclass(frozen=True)
class Moments:
    """How the cells of a column are read as dates and times."""

    format: str
    """As ``Column.datetime_format``."""
    share: float
    """Of the cells that are there, how many it reads."""
    other: str | None = None
    """A format that reads as many, with day and month the other way round; None where the cells leave no doubt."""


def moments_guess(
    words: Sequence[str], cells: Mapping[str, int], order: Sequence[Cell], *, is_day_first: bool | None = None
) -> Moments | None:
    """The format that reads most of the cells.

    Day and month of ``03/04/2024`` are told apart by a number above 12 anywhere in the column. Where there is none, the reading
    counts in whose order the file is sorted, then that of the table's other columns, then the reading in whose order the
    file nearly is, then what is usual: month first between slashes, day first between dots and dashes.

    Args:
        words: of the column's name, lower case.
        cells: different cells that are not missing, with how often each occurs.
        order: all cells in the order of the file.
        is_day_first: whether the table's other columns have the day first.

    Returns:
        None where hardly any cell is a moment.
    """
    some = dict(list(cells.items())[:_MOST_CELLS])
    whole = sum(some.values())
    if not whole:
        return None
    found: dict[str, float] = {}
    for each in _candidates(words, list(some)):
        share = sum(count for cell, count in some.items() if is_moment(cell, each)) / whole
        if share > 0.5:
            found[each] = share
        if share == 1.0 and each == ISO:
            break
    if not found:
        return None
    best = max(found, key=lambda each: found[each])  # the first of equals
    twin = _day_month_swapped(best)
    if twin is None or found.get(twin) != found[best]:
        return Moments(best, found[best])
    chosen = _of_two(best, twin, order, is_day_first)
    return Moments(chosen, found[best], other=twin if chosen == best else best)


def is_moment(cell: str, datetime_format: str) -> bool:
    """Whether a cell is surely meant as a moment of this format: stricter than reading it, which takes ``1212024`` too."""
    if datetime_format in {EPOCH_S, EPOCH_MS}:
        return seconds_of(cell, datetime_format) is not None
    if not _pattern(datetime_format).fullmatch(cell):
        return False
    return seconds_of(cell, datetime_format) is not None


def is_day_first(datetime_format: str) -> bool | None:
    """Whether a numeric format has the day before the month; None for other formats."""
    if _DAY_FIRST.search(datetime_format):
        return True
    return False if _MONTH_FIRST.search(datetime_format) else None


def _candidates(words: Sequence[str], cells: Sequence[str]) -> Iterator[str]:
    """Formats worth trying, the likelier first."""
    look = cells[:_LOOK_CELLS]
    if all(cell.isdigit() for cell in look):
        yield from _of_digits(words, cells)
        return
    half = max(1, len(look) // 2)
    if sum(any(char.isdigit() for char in cell) and len(cell) <= 40 for cell in look) < half:
        return
    if all(_PLAIN_NUMBER.fullmatch(cell) for cell in look):
        return
    is_named = _is_named(words)
    for each in (ISO, *_formats()):
        if each in _LIKE_VERSIONS and not is_named and any(len(cell) != 8 for cell in look):
            continue
        fits = _pattern(each).fullmatch
        if any(map(fits, look[:_FIRST_CELLS])) and sum(fits(cell) is not None for cell in look) >= half:
            yield each


def _of_digits(words: Sequence[str], cells: Sequence[str]) -> Iterator[str]:
    """Moments written as whole numbers: only what hardly any other number would be."""
    lengths = {len(cell) for cell in cells}
    is_named = _is_named(words)
    is_id = bool(_ID_WORDS & set(words))
    if 8 in lengths and (is_named or (len(cells) >= 3 and not is_id)):
        yield "%Y%m%d"
    if 14 in lengths:
        yield "%Y%m%d%H%M%S"
    if 12 in lengths and (is_named or not is_id):
        yield "%Y%m%d%H%M"
    if 6 in lengths and (is_named or {"month", "period", "yearmonth", "yyyymm"} & set(words)):
        yield "%Y%m"
    numbers = [int(cell) for cell in cells if cell.isdecimal() and len(cell) < 15]
    if not numbers:
        return
    middle = sorted(numbers)[len(numbers) // 2]
    if len(str(middle)) == 13 and 8e11 < middle < 2.3e12 and (is_named or (len(cells) >= 5 and not is_id)):
        yield EPOCH_MS
    if is_named and not is_id and 1e8 < middle < 4.2e9 and len(str(middle)) in {9, 10}:
        yield EPOCH_S


def _is_named(words: Sequence[str]) -> bool:
    return bool(_TIME_WORDS & set(words)) or any(word in "".join(words) for word in _CHINESE_TIME)


@lru_cache(maxsize=1)
def _formats() -> tuple[str, ...]:
    with_times = [f"{date}{between}{time}" for date in _DATES for time in _TIMES for between in (" ", "T", "")]
    return (*_DATES, *_ALONE, *(each for each in with_times if "T" in each or " " in each or "日" in each))


@lru_cache(maxsize=4_096)
def _pattern(datetime_format: str) -> re.Pattern[str]:
    """What cells of a format look like; parts of two digits are whole where nothing stands between them."""
    if datetime_format in {"", ISO}:
        return _ISO_LIKE
    written = re.split(r"(%[A-Za-z])", datetime_format)
    pattern, is_digit_before = "", False
    for place, part in enumerate(written):
        if part.startswith("%") and len(part) == 2:
            is_digit_after = place + 2 < len(written) and written[place + 1] == "" and written[place + 2][1:] in set("YymdHIMS")
            wide = _PARTS[part[1]]
            pattern += r"\d\d" if wide == r"\d{1,2}" and (is_digit_before or is_digit_after) else wide
            is_digit_before = part[1] in "YymdHIMS"
        elif part:
            pattern += re.escape(part)
            is_digit_before = False
    return re.compile(pattern, re.IGNORECASE)


def _day_month_swapped(datetime_format: str) -> str | None:
    """The same format with day and month the other way round."""
    if _DAY_FIRST.search(datetime_format):
        return _DAY_FIRST.sub(r"%m\1%d\1\2", datetime_format)
    if _MONTH_FIRST.search(datetime_format):
        return _MONTH_FIRST.sub(r"%d\1%m\1\2", datetime_format)
    return None


def _of_two(first: str, second: str, cells: Sequence[Cell], prefers_day_first: bool | None) -> str:
    """Which of two formats that read every cell is meant."""
    some = [cell for cell in cells[:_MOST_CELLS] if not is_missing(cell)]
    sorted_by = {each: _sortedness([seconds_of(cell, each) for cell in some]) for each in (first, second)}
    more = max(sorted_by, key=lambda each: sorted_by[each])
    lead = sorted_by[more] - min(sorted_by.values())
    if len(some) >= 5 and sorted_by[more] == 1.0 and lead > 0:
        return more
    if prefers_day_first is None and len(some) >= 5 and sorted_by[more] > 0.9 and lead > 0.2:
        return more
    if prefers_day_first is None:
        prefers_day_first = "/" not in first
    return first if is_day_first(first) == prefers_day_first else second


def _sortedness(seconds: Sequence[int | None]) -> float:
    """The share of neighbours that rise, or fall where that is more."""
    there = [one for one in seconds if one is not None]
    steps = [after - before for before, after in pairwise(there)]
    if not steps:
        return 0.0
    return max(sum(step >= 0 for step in steps), sum(step <= 0 for step in steps)) / len(steps)
