"""One of the values that a template names: the nearest to what was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._texts import likeness, plain
from .kind import Problem, Reading

LEAST_LIKENESS = 0.6


class Choice:
    """See ``Reader``. The option ``choices`` lists the values."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.choices = [str(each) for each in options["choices"]]
        if not self.choices or not all(each.strip() for each in self.choices):
            raise ValueError("a choice has values")

    def read(self, rows: Sequence[str]) -> Reading:
        """See ``Reader``: exactly one of the values."""
        text = " ".join(rows)
        ranked = sorted(
            ((_alike(text, each), place) for place, each in enumerate(self.choices)), key=lambda each: (-each[0], each[1])
        )
        best, place = ranked[0]
        second = ranked[1][0] if len(ranked) > 1 else 0.0
        if best < LEAST_LIKENESS or best == second:
            return Reading(None, [Problem(code="choice_unknown", choices=self.choices)])
        return Reading(self.choices[place], (), best)


def _alike(one: str, other: str) -> float:
    if one.strip() == other.strip():
        return 1.0
    (first, _), (second, _) = plain(one), plain(other)
    return likeness(first or one, second or other) * (1.0 if first == second else 0.999)


KIND = Choice
