"""Whether a model's answers are still those of its test: how often each label is predicted, and how high the scores are.

Two figures, both of items in the test against calls:

- the population stability index (PSI, Siddiqi, "Credit Risk Scorecards", 2006) of the answers: by label, or of numbers by
  tenths of the test's; below 0.1 it is customarily called stable, above 0.25 a large shift;
- the largest distance of the two distribution functions (Kolmogorov and Smirnov) of the best scores, or of the numbers.

Large samples make the smallest difference significant and small ones make chance look large, so answers count as changed only
where a figure is both large, 0.1 at least, and significant.

PSI is judged by a permutation test: were nothing different, calls and test items could be swapped at will, so its
distribution is known whatever the numbers, and the p-value ``(1 + as large) / (1 + drawn)`` is valid (Phipson and Smyth,
2010). KS has its asymptotic p-value (Stephens, 1970), which errs towards silence where scores tie. Somebody looks every
hour, and looks that share calls depend on each other; Bonferroni's bound needs no independence, so ``ALPHA`` of a week is
shared by its looks and the two figures: in a week in which nothing changes, the chance of any alarm is at most ``ALPHA``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALPHA = 0.01
LOOKS_PER_WEEK = 7 * 24
NUM_FIGURES = 2
ENOUGH_P = ALPHA / (LOOKS_PER_WEEK * NUM_FIGURES)
"""From which p-value on a figure is significant at one look."""
LARGE_PSI = 0.1
LARGE_KS = 0.1
FEWEST_ANSWERS = 100
"""Calls below which nothing is judged."""
FEWEST_TESTED = 30
"""Test items below which nothing is judged."""
MOST_CATEGORIES = 30
"""Labels that are distinguished; the rarer ones are one category."""
NUM_TENTHS = 10
_DRAWN = 999
_DRAWN_EXACTLY = 99_999
_PROMISING_P = 0.005
"""A p-value of few draws from which on more are worth their time."""
_AT_ONCE = 20_000
_SEED = 20061
_SMOOTHING = 0.5
"""Added to each count, so that a label that never was predicted has a logarithm."""


@dataclass(frozen=True)
class BestAnswer:
    """The best answer for an item."""

    label: str | None = None
    score: float | None = None
    value: float | None = None
    """Where numbers are predicted."""

    @classmethod
    def of(cls, logged: Mapping[str, Any] | None) -> BestAnswer:
        """The entry of a prediction server's log; None: nothing was found."""
        return cls(**logged or {})


@dataclass(frozen=True)
class Change:
    """How often an answer is given, as fractions of all."""

    label: str | None
    """None where nothing was found."""
    before: float
    after: float
    part: float
    """Of the PSI."""


@dataclass(frozen=True)
class Spread:
    """Where numbers or scores lie."""

    low: float
    """A tenth lies below."""
    median: float
    high: float
    """A tenth lies above."""


@dataclass(frozen=True)
class Drift:
    """The two figures of drift, and whether they matter."""

    psi: float
    psi_p: float
    """How likely at least such a PSI is where nothing has changed."""
    ks: float
    """0..1"""
    ks_p: float
    changes: list[Change]
    """By label, that with the largest part first; empty of numbers."""
    before: Spread | None
    """Scores or numbers in the test; None where nothing was found at all."""
    after: Spread | None

    @property
    def is_answers_changed(self) -> bool:
        """Whether other answers are given than in the test."""
        return self.psi >= LARGE_PSI and self.psi_p <= ENOUGH_P

    @property
    def is_scores_changed(self) -> bool:
        """Whether scores, or numbers, are others than in the test."""
        return self.ks >= LARGE_KS and self.ks_p <= ENOUGH_P

    @property
    def is_significant(self) -> bool:
        """Whether the answers have changed by either figure."""
        return self.is_answers_changed or self.is_scores_changed


def drift_judge(before: Sequence[BestAnswer], after: Sequence[BestAnswer]) -> Drift:
    """Compares the answers of a test with those of calls; both not empty."""
    categories, num = _categories(before, after)
    counts = [np.bincount(places, minlength=num).astype(np.int64) for places in categories]
    psi = float(psi_parts(counts[0], counts[1]).sum())
    levels = [np.array(sorted(level for each in answers if (level := _level(each)) is not None)) for answers in (before, after)]
    ks = _ks(*levels)
    is_number = any(each.value is not None for each in before)
    return Drift(
        psi=psi,
        psi_p=_psi_p(counts[0], counts[1], psi),
        ks=ks,
        ks_p=_ks_p(ks, len(levels[0]), len(levels[1])),
        changes=[] if is_number else _changes(before, after),
        before=_spread(levels[0]),
        after=_spread(levels[1]),
    )


def _level(answered: BestAnswer) -> float | None:
    return answered.score if answered.value is None else answered.value


def _categories(before: Sequence[BestAnswer], after: Sequence[BestAnswer]) -> tuple[list[NDArray[np.int64]], int]:
    """In which category each answer lies, and how many there are: labels, or the tenths of the test's numbers."""
    values = [each.value for each in before if each.value is not None]
    if values:
        edges = np.unique(np.quantile(values, np.arange(1, NUM_TENTHS) / NUM_TENTHS))
        places = [
            np.searchsorted(edges, [each.value for each in answers if each.value is not None], side="right").astype(np.int64)
            for answers in (before, after)
        ]
        return places, len(edges) + 1
    common = Counter(each.label for each in (*before, *after)).most_common(MOST_CATEGORIES)
    place_of = {label: place for place, (label, _) in enumerate(common)}
    rest = len(place_of)
    places = [np.array([place_of.get(each.label, rest) for each in answers], dtype=np.int64) for answers in (before, after)]
    return places, rest + any(rest in side for side in places)


def _changes(before: Sequence[BestAnswer], after: Sequence[BestAnswer]) -> list[Change]:
    counted = [Counter(each.label for each in answers) for answers in (before, after)]
    labels = sorted(counted[0].keys() | counted[1].keys(), key=str)
    numbers = [np.array([count[label] for label in labels], dtype=np.int64) for count in counted]
    parts = psi_parts(*numbers)
    rows = [
        Change(label, counted[0][label] / len(before), counted[1][label] / len(after), float(part))
        for label, part in zip(labels, parts, strict=True)
    ]
    return sorted(rows, key=lambda row: -row.part)


def psi_parts(before: NDArray[np.int64], after: NDArray[np.int64]) -> NDArray[np.float64]:
    """What each category adds to the PSI; of several draws at once, in the last axis."""
    first, second = (
        (counts + _SMOOTHING) / (counts.sum(axis=-1, keepdims=True) + _SMOOTHING * counts.shape[-1])
        for counts in (before, after)
    )
    parts: NDArray[np.float64] = (second - first) * np.log(second / first)
    return parts


def _psi_p(before: NDArray[np.int64], after: NDArray[np.int64], psi: float) -> float:
    """The p-value of a PSI by permuting calls and test items; with many permutations only where few are not decisive."""
    chance = np.random.default_rng(_SEED)
    p = _dealt(before, after, psi, _DRAWN, chance)
    return p if p > _PROMISING_P else _dealt(before, after, psi, _DRAWN_EXACTLY, chance)


def _dealt(before: NDArray[np.int64], after: NDArray[np.int64], psi: float, number: int, chance: np.random.Generator) -> float:
    pooled, num_after = before + after, int(after.sum())
    as_large = 0
    for start in range(0, number, _AT_ONCE):
        drawn = chance.multivariate_hypergeometric(pooled, num_after, size=min(_AT_ONCE, number - start), method="marginals")
        found = psi_parts(pooled - drawn, drawn).sum(axis=-1)
        as_large += int((found >= psi - 1e-12).sum())
    return (1 + as_large) / (1 + number)


def _ks(before: NDArray[np.float64], after: NDArray[np.float64]) -> float:
    """Largest distance of the distribution functions; 0 where one side has nothing."""
    if not len(before) or not len(after):
        return 0.0
    at = np.concatenate([before, after])
    shares = [np.searchsorted(side, at, side="right") / len(side) for side in (before, after)]
    return float(np.abs(shares[0] - shares[1]).max())


def _ks_p(distance: float, num_before: int, num_after: int) -> float:
    if not num_before or not num_after:
        return 1.0
    root = math.sqrt(num_before * num_after / (num_before + num_after))
    scaled = (root + 0.12 + 0.11 / root) * distance
    if scaled < 0.2:  # below it the series needs many terms, and its sum is 1
        return 1.0
    total = math.fsum((-1) ** (term - 1) * math.exp(-2 * (term * scaled) ** 2) for term in range(1, 101))
    return min(1.0, max(0.0, 2 * total))


def _spread(levels: NDArray[np.float64]) -> Spread | None:
    if not len(levels):
        return None
    low, median, high = (float(each) for each in np.quantile(levels, [0.1, 0.5, 0.9]))
    return Spread(low, median, high)
