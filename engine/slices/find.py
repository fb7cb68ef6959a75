"""Which parts of a split a model answers worse than the rest, how surely, and by how much.

Shares of right answers are compared by Fisher's exact test (1935), one-sided; their intervals are Wilson's (1927). Means of
other measures are compared by a permutation test, or where there are very many items by the normal distribution; their
intervals are bootstrapped, or of many items normal. Intervals of differences are made of those of both sides (Newcombe 1998,
method 10). One looks at many parts, so that some look bad by chance: p-values are adjusted for all that were looked at
(Benjamini and Hochberg 1995), and at most one in twenty of the parts that are called worse is so by chance. Surely worse parts
come first, and among them the one whose difference is at least the largest.

Shapes: N items, P parts, R rounds.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.report import Slice, SliceReport
from engine.slices.fact import Fact, Part, parts_of
from engine.tasks.shared.outcomes import Outcomes

LEVEL = 0.05
"""Adjusted p-value up to which a part is called worse."""
MOST_SLICES = 20
"""Parts that a report keeps; those that are surely worse come first."""
_ROUNDS, _CHUNK = 5_000, 250
MANY_ITEMS = 5_000
"""Above, means are tested as if normal, which they are whatever the items are."""


@dataclass(frozen=True)
class SliceResult:
    """The parts that are answered worst, and where their items stand."""

    report: SliceReport
    places: tuple[tuple[int, ...], ...]
    """By part, among the items that a report lists."""


def slices(facts: Iterable[Fact], outcomes: Outcomes, *, item_ids: Sequence[str], listed: Sequence[str]) -> SliceResult | None:
    """The parts that are answered worst; None where there are too few items to cut.

    Args:
        facts: of the items.
        outcomes: how well each was answered.
        item_ids: of all items, in their order.
        listed: ids of the items that the report lists, in its order.
    """
    parts = _different(part for fact in facts for part in parts_of(fact))
    if not parts:
        return None
    values_N = outcomes.values_N
    p_values_P = _shares_tested(parts, values_N) if outcomes.is_share else _means_tested(parts, outcomes)
    weighed = [
        (_slice_of(part, outcomes, float(p_value), float(sure)), part)
        for part, p_value, sure in zip(parts, p_values_P, adjusted(p_values_P), strict=True)
    ]
    weighed.sort(key=lambda pair: (not pair[0].is_worse, -pair[0].worse_by_interval[0], -pair[0].worse_by))
    shown = [(one, part) for one, part in weighed if one.worse_by > 0][:MOST_SLICES]
    places = {item: place for place, item in enumerate(item_ids)}
    rows = np.array([places[item] for item in listed], dtype=np.int64)
    report = SliceReport(
        measure=outcomes.measure,
        is_higher_better=outcomes.is_higher_better,
        value=float(values_N.mean()),
        interval=outcomes.interval(values_N),
        num_tested=len(parts),
        num_worse=sum(one.is_worse for one, _ in weighed),
        slices=tuple(one for one, _ in shown),
    )
    return SliceResult(report, tuple(tuple(np.flatnonzero(part.mask()[rows]).tolist()) for _, part in shown))


def adjusted(p_values_P: NDArray[np.float64]) -> NDArray[np.float64]:
    """P-values that count how many were looked at (Benjamini and Hochberg 1995)."""
    order = np.argsort(p_values_P)
    scaled = p_values_P[order] * len(order) / np.arange(1, len(order) + 1)
    found = np.empty_like(p_values_P)
    found[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return found


def _different(parts: Iterable[Part]) -> list[Part]:
    """Two facts may cut alike; the first one counts."""
    seen: dict[bytes, Part] = {}
    for part in parts:
        seen.setdefault(hashlib.sha256(part.bits.tobytes()).digest(), part)
    return list(seen.values())


def _slice_of(part: Part, outcomes: Outcomes, p_value: float, sure: float) -> Slice:
    is_in_N = part.mask()
    within, rest = outcomes.values_N[is_in_N], outcomes.values_N[~is_in_N]
    sign = 1.0 if outcomes.is_higher_better else -1.0
    mean, other = float(within.mean()), float(rest.mean())
    interval, rest_interval = outcomes.interval(within), outcomes.interval(rest)
    worse_by = sign * (other - mean)
    # Newcombe's: the way from each mean to the end of its interval that lies towards the other, as sides of a triangle.
    low = worse_by - math.hypot(*(_way(mean, interval, sign), _way(other, rest_interval, -sign)))
    high = worse_by + math.hypot(*(_way(mean, interval, -sign), _way(other, rest_interval, sign)))
    fact = part.fact
    return Slice(
        fact=fact.key,
        name=fact.title,
        title=part.title,
        scale=fact.scale,
        low=part.low,
        high=part.high,
        value=part.value,
        num_items=len(within),
        measured=mean,
        interval=interval,
        rest=other,
        rest_interval=rest_interval,
        worse_by=worse_by,
        worse_by_interval=(low, high),
        p_value=p_value,
        adjusted_p_value=sure,
        is_worse=sure <= LEVEL and worse_by > 0,
    )


def _way(mean: float, interval: tuple[float, float], sign: float) -> float:
    return interval[1] - mean if sign > 0 else mean - interval[0]


def _shares_tested(parts: Sequence[Part], values_N: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely each part has so many wrong answers where wrong ones fall anywhere."""
    num = len(values_N)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, num + 1)))])

    def choices(total: int, chosen: NDArray[np.int64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = logs[total] - logs[chosen] - logs[total - chosen]
        return found

    num_wrong = int((values_N == 0).sum())
    found = []
    for part in parts:
        within = values_N[part.mask()]
        size, wrong = len(within), int((within == 0).sum())
        cases = np.arange(wrong, min(size, num_wrong) + 1)
        cases = cases[cases >= size - (num - num_wrong)]
        every = float(choices(num, np.array([size]))[0])
        found.append(float(np.exp(choices(num_wrong, cases) + choices(num - num_wrong, size - cases) - every).sum()))
    return np.minimum(np.array(found), 1.0)


def _means_tested(parts: Sequence[Part], outcomes: Outcomes) -> NDArray[np.float64]:
    """How likely each part has so bad a mean where items stand anywhere."""
    bad_N = -outcomes.values_N if outcomes.is_higher_better else outcomes.values_N
    num = len(bad_N)
    if num > MANY_ITEMS:
        return np.array([_normal_tail(bad_N, part.mask()) for part in parts])
    is_in_NP = np.stack([part.mask() for part in parts], axis=1).astype(np.float64)
    sums_P = bad_N @ is_in_NP
    generator = np.random.default_rng(0)
    tiny = 1e-9 * max(1e-300, float(np.abs(bad_N).sum()))  # sums in another order differ in their last digits
    num_as_bad_P = np.zeros(len(parts))
    for _ in range(_ROUNDS // _CHUNK):
        drawn_RN = generator.permuted(np.broadcast_to(bad_N, (_CHUNK, num)), axis=1)
        num_as_bad_P += (drawn_RN @ is_in_NP >= sums_P - tiny).sum(axis=0)
    found: NDArray[np.float64] = (num_as_bad_P + 1.0) / (_ROUNDS + 1.0)
    return found


def _normal_tail(bad_N: NDArray[np.float64], is_in_N: NDArray[np.bool_]) -> float:
    """How likely a sum over so many items drawn without putting back is as large, as if it were normal."""
    num, size = len(bad_N), int(is_in_N.sum())
    spread = float(bad_N.std()) * math.sqrt(size * (num - size) / (num - 1.0))
    if spread == 0.0:
        return 1.0
    return 0.5 * math.erfc((float(bad_N[is_in_N].sum()) - size * float(bad_N.mean())) / spread / math.sqrt(2.0))
