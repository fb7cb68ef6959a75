"""A number: ``1.234,5`` and ``1,234.5`` are the same one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ._digits import corrected, decimal_of, normal
from .kind import Problem, Reading

SEPARATORS = (".", ",")
_UNIT = re.compile(r"[^\d]*$")


class Number:
    """See ``Reader``. The option ``decimal_separator``, ``.`` or ``,``, is what parts decimals; without it the text decides."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.separator = options.get("decimal_separator")
        if self.separator not in (None, *SEPARATORS):
            raise ValueError("the decimal separator is . or ,")

    def read(self, rows: Sequence[str]) -> Reading:
        """See ``Reader``: a JSON number. What stands behind it, such as a unit, is left out."""
        text = normal(" ".join(rows)).strip()
        for given in (text, _UNIT.sub("", text)):
            if (found := decimal_of(given, self.separator)) is not None:
                return Reading(_plain(float(found)))
        if (found := decimal_of(corrected(text), self.separator)) is not None:
            return Reading(_plain(float(found)), [Problem(code="characters_corrected")], 0.8)
        return Reading(None, [Problem(code="number_invalid")])


def _plain(value: float) -> float | int:
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


KIND = Number
