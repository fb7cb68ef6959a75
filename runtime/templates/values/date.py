"""A day, as ISO 8601 writes it: ``2026-11-27``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from ._digits import corrected, normal
from .kind import Problem, Reading

ORDERS = ("dmy", "mdy", "ymd")
"""What comes first where a text does not say: day, month or year."""
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan januar january janvier", "feb februar february fevrier février", "mar mär maerz märz march mars",
            "apr april avril", "may mai", "jun juni june juin", "jul juli july juillet", "aug august aout août",
            "sep sept september septembre", "oct okt october oktober octobre", "nov november novembre",
            "dec dez december dezember decembre décembre",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_EAST = re.compile(r"^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?$")
_NUMBERS = re.compile(r"^(\d{1,4})\s*[./\-\s]\s*(\d{1,2})\s*[./\-\s]\s*(\d{1,4})\.?$")
_COMPACT = re.compile(r"^(\d{4})(\d{2})(\d{2})$")
_DAY_FIRST = re.compile(r"^(\d{1,2})(?:st|nd|rd|th)?[.\s\-]*([^\W\d]+)[.,\s\-]*(\d{4}|\d{2})$")
_MONTH_FIRST = re.compile(r"^([^\W\d]+)[.\s\-]*(\d{1,2})(?:st|nd|rd|th)?[.,\s\-]+(\d{4}|\d{2})$")
_CENTURY_FROM = 70
"""Two digits from here on are of the century before."""


class Date:
    """See ``Reader``. The option ``order`` is one of ``ORDERS``, for texts such as 03/04/2026."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.order = options.get("order", "dmy")
        if self.order not in ORDERS:
            raise ValueError(f"the order of a date is one of {', '.join(ORDERS)}")

    def read(self, rows: Sequence[str]) -> Reading:
        """See ``Reader``."""
        text = normal(" ".join(rows)).strip(" .:,")
        if (found := self._read(text)) is not None:
            return Reading(found.isoformat())
        if (found := self._read(corrected(text))) is not None:
            return Reading(found.isoformat(), [Problem(code="characters_corrected")], 0.8)
        return Reading(None, [Problem(code="date_invalid")])

    def _read(self, text: str) -> date | None:
        if match := _EAST.match(text) or _COMPACT.match(text):
            return _day(*map(int, match.groups()))
        if match := _DAY_FIRST.match(text):
            day, month, year = match.groups()
            return _day(_year(year), _MONTHS.get(month.casefold(), 0), int(day))
        if match := _MONTH_FIRST.match(text):
            month, day, year = match.groups()
            return _day(_year(year), _MONTHS.get(month.casefold(), 0), int(day))
        if match := _NUMBERS.match(text):
            return self._ordered(*match.groups())
        return None

    def _ordered(self, first: str, second: str, third: str) -> date | None:
        if len(first) == 4:
            return _day(int(first), int(second), int(third)) if len(third) <= 2 else None
        if self.order == "ymd" and len(third) <= 2:
            return _day(_year(first), int(second), int(third))
        day, month = (second, first) if self.order == "mdy" else (first, second)
        # A month above twelve says that the other order is meant.
        return _day(_year(third), int(month), int(day)) or _day(_year(third), int(day), int(month))


def _year(text: str) -> int:
    year = int(text)
    return year if len(text) > 2 else year + (1900 if year >= _CENTURY_FROM else 2000)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


KIND = Date
