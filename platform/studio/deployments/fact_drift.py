"""Whether the facts of items have changed, by how many fall into each bin: beyond chance, and by enough to matter.

How large a change is, says the population stability index (``drift.psi_parts``), as of answers; 0.1 at least is large. Whether
chance could have made it, says Fisher's exact test (hypergeometric) of each bin against the others and, of numbers, of all
below each edge against all above it: a Kolmogorov-Smirnov test on the bins, but exact. The least p-value counts, times the
number of tests (Bonferroni).

A permutation test, as of answers, cannot say so little probable: there are dozens of facts, each looked at every hour, so that
``ALPHA`` of a week leaves a fact some 10^-6 at one look, and a million deals a fact and look would be needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from automl.contracts.reference import FactReference, InputReference
from studio.deployments.drift import ALPHA, LARGE_PSI, LOOKS_PER_WEEK, psi_parts


class Direction(StrEnum):
    """How a fact has changed."""

    LESS = "less"
    """Numbers are smaller, by their median."""
    MORE = "more"
    MISSING = "missing"
    """Above all it is not known of more items."""
    OTHER = "other"


@dataclass(frozen=True)
class BinDrift:
    """How far counts in bins differ."""

    psi: float
    p: float | None
    """How likely a difference as clear is where nothing has changed, at most; None where the PSI is small."""
    parts: tuple[float, ...]
    """What each bin adds to the PSI."""

    def is_found(self, num_facts: int) -> bool:
        """Whether the counts have changed, where so many facts are looked at: a week in which none does is silent with 99 %."""
        return self.p is not None and self.p <= ALPHA / (LOOKS_PER_WEEK * num_facts)


@dataclass(frozen=True)
class FactDrift:
    """Whether one fact has changed."""

    reference: FactReference
    after: tuple[int, ...]
    """Callers' items in each bin."""
    drift: BinDrift
    is_changed: bool

    @property
    def median_bin(self) -> int | None:
        """In which bin the median of callers' numbers lies; None where there are none, and of categories."""
        counts = self.after[:-1]
        if self.reference.median is None or not any(counts):
            return None
        below = 0
        for place, count in enumerate(counts):
            below += count
            if 2 * below >= sum(counts):
                return place
        return None

    @property
    def direction(self) -> Direction:
        """Which way it has changed."""
        parts, before = self.drift.parts, self.reference.counts
        if parts[-1] == max(parts) and self.after[-1] / sum(self.after) > before[-1] / sum(before):
            return Direction.MISSING
        place, median = self.median_bin, self.reference.median
        if place is not None and median is not None:
            low, high = bin_limits(self.reference, place)
            if high is not None and high <= median:
                return Direction.LESS
            if low is not None and low > median:
                return Direction.MORE
        return Direction.OTHER


def facts_judge(reference: InputReference, called: Sequence[Sequence[int]]) -> list[FactDrift]:
    """Compares each fact; those that changed most first.

    Args:
        reference: what the items were like that the model was judged on.
        called: by item that callers sent, the bin of each fact; at least one.
    """
    found = []
    for fact, places in zip(reference.facts, zip(*called, strict=True), strict=True):
        counts = Counter(places)
        after = tuple(counts[place] for place in range(len(fact.counts)))
        drift = bin_drift(fact.counts, after, is_ordered=fact.kind == "numeric")
        found.append(FactDrift(fact, after, drift, drift.is_found(len(reference.facts))))
    return sorted(found, key=lambda fact: (not fact.is_changed, -fact.drift.psi))


def bin_limits(fact: FactReference, place: int) -> tuple[float | None, float | None]:
    """Between which numbers a bin lies; None has no end."""
    low = fact.edges[place - 1] if place > 0 else None
    return low, fact.edges[place] if place < len(fact.edges) else None


def bin_drift(before: Sequence[int], after: Sequence[int], *, is_ordered: bool) -> BinDrift:
    """Compares counts; both of the same bins, and neither all 0.

    Args:
        before: counts of the items that the model was judged on; the last bin is of those that lack the fact.
        after: of callers' items.
        is_ordered: whether the bins, but for the last, lie in order.
    """
    counts = np.array(before, dtype=np.int64), np.array(after, dtype=np.int64)
    parts = psi_parts(*counts)
    psi = float(parts.sum())
    p = _chance(*counts, is_ordered=is_ordered) if psi >= LARGE_PSI else None
    return BinDrift(psi, p, tuple(parts.tolist()))


def _chance(before: NDArray[np.int64], after: NDArray[np.int64], *, is_ordered: bool) -> float:
    """The least p-value of the exact tests, times their number."""
    num_bins = len(before)
    sets = np.eye(num_bins, dtype=np.int64)
    if is_ordered:
        below = np.tril(np.ones((num_bins, num_bins), dtype=np.int64))[1 : num_bins - 2]
        sets = np.concatenate([sets, below])
    num_before, num_after = int(before.sum()), int(after.sum())
    values = [
        _exact(int(inside @ before), int(inside @ after), num_before, num_after) for inside in sets if inside @ (before + after)
    ]
    return min(1.0, min(values) * len(values))


def _exact(before: int, after: int, num_before: int, num_after: int) -> float:
    """Fisher's exact test, twice the smaller tail, of the numbers of items inside on each side."""
    inside, total = before + after, num_before + num_after
    least, most = max(0, inside - num_before), min(inside, num_after)
    logs = _log_factorials(total)
    found = np.arange(least, most + 1)
    probability = np.exp(
        (logs[inside] - logs[found] - logs[inside - found])
        + (logs[total - inside] - logs[num_after - found] - logs[total - inside - num_after + found])
        - (logs[total] - logs[num_after] - logs[num_before])
    )
    place = after - least
    return min(1.0, 2.0 * float(min(probability[: place + 1].sum(), probability[place:].sum())))


@lru_cache(maxsize=16)
def _log_factorials(number: int) -> NDArray[np.float64]:
    """Logarithms of 0! to number!."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, number + 1, dtype=np.float64)))])
