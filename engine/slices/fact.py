"""What is known of items before a model answers them, and how it cuts them into parts.

Numbers are cut at their quantiles: a part then has enough items to say something, and the tails, where models fail, are parts
of their own. Ends of parts are rounded before items are counted, so that what a page shows is what was counted.
Shapes: N items.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.base import Text
from automl.contracts.report import SliceScale

MIN_ITEMS = 20
"""Of a part, and of the rest: fewer say nothing."""
MIN_SHARE = 0.005
"""So many of all items at least."""
MAX_VALUES = 30
"""Of a category, the commonest: a name that occurs once is no part."""
FEW_NUMBERS = 6
"""Up to so many different numbers each is a part of its own."""
_CUTS = ((0.1, 0.25, 0.5, 0.75, 0.9), (0.25, 0.5, 0.75), (0.5,))
"""Shares of the items below each end, finest first."""


@dataclass(frozen=True)
class Fact:
    """One thing that is known of each item."""

    key: str
    """Names the fact beside the others of a report."""
    title: Text
    values_N: NDArray[Any]
    """Numbers (float64, NaN is unknown) or names (object, empty is unknown)."""
    scale: SliceScale = "value"
    ends: tuple[Text, Text] | None = None
    """What people call items with little and with much of it."""
    reports_unknown: bool = False
    """Items of which it is not known are a part too."""


@dataclass(frozen=True)
class Part:
    """Some of the items, and by what they were cut."""

    fact: Fact
    """Without its values: of a large table there are more of them than memory holds."""
    bits: NDArray[np.uint8]
    """Eight items a byte, for the same reason."""
    num_items: int
    """All, in the part and outside."""
    title: Text | None = None
    low: float | None = None
    """The least value."""
    high: float | None = None
    """The value below which all are."""
    value: str | None = None

    def mask(self) -> NDArray[np.bool_]:
        """Which items it holds, ``_N``."""
        return np.unpackbits(self.bits, count=self.num_items).astype(bool)


def parts_of(fact: Fact) -> Iterator[Part]:
    """The parts with enough items in and outside of them."""
    num = len(fact.values_N)
    least = least_of(num)
    bare = replace(fact, values_N=fact.values_N[:0])
    for is_in_N, ends in _CUTTERS[fact.scale](fact):
        if least <= int(is_in_N.sum()) <= num - least:
            yield Part(bare, np.packbits(is_in_N), num, **ends)


def least_of(num_items: int) -> int:
    """Items that a part of so many must have; of many more, so that their mean is normal."""
    return max(MIN_ITEMS, int(num_items * MIN_SHARE))


def _by_value(fact: Fact) -> Iterator[tuple[NDArray[np.bool_], dict[str, Any]]]:
    common = Counter(fact.values_N.tolist())
    unknown = common.pop("", 0)
    for value, count in common.most_common(MAX_VALUES):
        if count < MIN_ITEMS:
            break
        yield fact.values_N == value, {"value": str(value)}
    if unknown and fact.reports_unknown:
        yield fact.values_N == "", {"value": ""}


def _by_number(fact: Fact) -> Iterator[tuple[NDArray[np.bool_], dict[str, Any]]]:
    is_known_N = np.isfinite(fact.values_N)
    known = fact.values_N[is_known_N]
    if fact.reports_unknown and not is_known_N.all():
        yield ~is_known_N, {"value": ""}
    different = np.unique(known)
    if len(different) < 2:
        return
    edges = [-np.inf, *_edges(known, different), np.inf]
    below, above = (
        fact.ends if fact.ends is not None and len(edges) > len(_CUTS[-1]) + 2 else (None, None)
    )  # halves are no ends
    for place, (low, high) in enumerate(pairwise(edges)):
        is_in_N = is_known_N & (fact.values_N >= low) & (fact.values_N < high)
        yield (
            is_in_N,
            {
                "title": below if place == 0 else above if place == len(edges) - 2 else None,
                "low": float(low) if math.isfinite(low) else None,
                "high": float(high) if math.isfinite(high) else None,
            },
        )


def _edges(known: NDArray[np.float64], different: NDArray[np.float64]) -> Sequence[float]:
    if len(different) <= FEW_NUMBERS:
        return [float(value) for value in different[1:]]
    fitting = (cuts for cuts in _CUTS if cuts[0] * len(known) >= MIN_ITEMS)
    cuts = next(fitting, _CUTS[-1])
    found = np.quantile(known, cuts)
    if (different == np.floor(different)).all():  # counts and years: a limit between two of them is none
        rounded = {float(edge) for edge in np.ceil(found)}
    else:
        low, high = np.quantile(known, (0.01, 0.99))
        spread = float(high - low) or float(different[-1] - different[0])
        digits = 2 - math.floor(math.log10(spread))
        rounded = {round(float(edge), digits) for edge in found}
    return sorted(edge for edge in rounded if different[0] < edge <= different[-1])


_CUTTERS: Mapping[SliceScale, Callable[[Fact], Iterator[tuple[NDArray[np.bool_], dict[str, Any]]]]] = {
    "value": _by_value,
    "number": _by_number,
    "time": _by_number,
}
