"""How well similarities tell pictures of the same thing from others, in numpy alone.

Items that are held back are compared with each other: each judged one with all others, as if they were a gallery. Judged are
those whose labels the model has learned nothing of (``unseen``), if there are two of such a label; else all. Items of other
labels are there to be mistaken for them. Shapes: N items, Q judged items, D numbers, P pairs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import ConfusedPair, JudgedItem, PairsAccepted, SimilarityReport, SplitReport
from engine.tasks.image_similarity.unseen import unseen_places
from engine.tasks.shared.outcomes import Outcomes, right_or_wrong
from engine.tasks.shared.shares import honest, wilson

RATES = (0.1, 0.01, 0.001)
"""Shares of pairs of different things that may be taken for the same."""
USUAL_RATE = 0.01
"""Of the metric ``accepted_pairs``."""
NUM_BINS = 40
MOST_ITEMS, MOST_JUDGED = 5_000, 1_000
"""Of more, drawn evenly: five million similarities are enough for every figure here."""
_MOST_POINTS = 200
"""Of a curve."""
_MOST_CONFUSED = 6
_MARGIN = 1e-6
"""Above the pair that sets a limit: it is not to reach it."""
Floats = NDArray[np.float64]


def metrics(vectors_ND: np.ndarray, targets_N: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """The task's metrics by name; empty where no two items are of the same thing.

    Args:
        vectors_ND: of length one.
        targets_N: as in ``data.targets``.
        labels: names in the order of the targets.

    Raises:
        ValueError: there are no items.
    """
    compared = _compared(vectors_ND, targets_N, labels)
    return {name: value for name, (value, _) in _measured(compared).items()}


def recommended_thresholds(
    vectors_ND: np.ndarray, targets_N: np.ndarray, labels: Sequence[str], *, objective: str = ""
) -> Mapping[str, float]:
    """The least similarity of what is taken for the same thing, by the rate of false matches, as ``"0.01"``.

    It is the order statistic of split conformal prediction (Vovk et al. 2005) on pairs of different things. A rate is left out
    where there are too few pairs for one of them to be a false match; the largest is always there.

    Arguments and errors as of ``metrics``.
    """
    del objective
    different_P = _compared(vectors_ND, targets_N, labels).different
    return {
        str(rate): round(_limit(different_P, rate), 6) for rate in RATES if rate == RATES[0] or len(different_P) * rate >= 1.0
    }


def split_report(
    split: Split,
    records: Sequence[ItemRecord],
    vectors_ND: np.ndarray,
    targets_N: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> SplitReport:
    """Everything that a report shows of one split.

    Args:
        split: which one.
        records: its items, in the order of the vectors.
        vectors_ND: as in ``metrics``.
        targets_N: as in ``metrics``.
        labels: names in the order of the targets.
        thresholds: as ``recommended_thresholds`` gave them, mostly for another split.
    """
    compared = _compared(vectors_ND, targets_N, labels)
    measured = _measured(compared)
    return SplitReport(
        split=split,
        num_items=len(compared.judged_Q),
        metrics={name: value for name, (value, _) in measured.items()},
        intervals={name: interval for name, (_, interval) in measured.items()},
        per_class=(),
        similarity=_similarity(compared, records, labels, thresholds),
        items=_judged_items(records, vectors_ND, targets_N, labels),
    )


def outcomes(
    report: SplitReport,
    vectors_ND: np.ndarray,
    targets_N: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> Outcomes:
    """Whether the nearest item of each is of the same thing; true also of items without another one of their thing.

    Arguments as of ``split_report``, and what it gave.
    """
    del report, labels, thresholds
    return right_or_wrong(_Nearest.of(vectors_ND, targets_N).is_right)


@dataclass(frozen=True)
class _Compared:
    """Judged items beside all items."""

    similarities_QN: Floats
    is_same_QN: NDArray[np.bool_]
    """Never of an item with itself."""
    judged_Q: NDArray[np.int64]
    """Places among the items of the split; so the next."""
    places_N: NDArray[np.int64]
    targets_Q: NDArray[np.int64]
    is_unseen: bool

    @cached_property
    def is_itself(self) -> NDArray[np.bool_]:
        """Pairs of an item with itself."""
        found_QN: NDArray[np.bool_] = self.judged_Q[:, None] == self.places_N[None]
        return found_QN

    @cached_property
    def is_pair(self) -> NDArray[np.bool_]:
        """Each pair once: where both are judged, only one way round."""
        is_judged_N = np.isin(self.places_N, self.judged_Q)
        is_second_QN: NDArray[np.bool_] = is_judged_N[None] & (self.places_N[None] <= self.judged_Q[:, None])
        return ~is_second_QN

    @cached_property
    def same(self) -> Floats:
        """Similarities of pairs of the same thing."""
        return self.similarities_QN[self.is_pair & self.is_same_QN]

    @cached_property
    def different(self) -> Floats:
        """Similarities of pairs of different things."""
        return self.similarities_QN[self.is_pair & ~self.is_same_QN]


def _compared(vectors_ND: np.ndarray, targets_N: np.ndarray, labels: Sequence[str]) -> _Compared:
    """Raises ValueError where there are no items."""
    if len(vectors_ND) == 0:
        raise ValueError("a split without items has no metrics")
    places_N = _evenly(np.arange(len(vectors_ND)), MOST_ITEMS)
    own_N = targets_N[places_N]
    counts = np.bincount(own_N)
    has_pair_N = counts[own_N] > 1
    is_unseen_N = np.isin(own_N, sorted(unseen_places(labels)))
    is_unseen = bool((has_pair_N & is_unseen_N).any())
    judged = _evenly(np.flatnonzero(has_pair_N & is_unseen_N if is_unseen else has_pair_N), MOST_JUDGED)
    vectors = vectors_ND[places_N].astype(np.float32)
    similarities_QN = np.clip(vectors[judged] @ vectors.T, -1.0, 1.0).astype(np.float64)
    is_same_QN = (own_N[judged][:, None] == own_N[None]) & (judged[:, None] != np.arange(len(places_N))[None])
    return _Compared(similarities_QN, is_same_QN, places_N[judged], places_N, own_N[judged], is_unseen)


def _evenly(places: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    if len(places) <= most:
        return places
    return places[np.linspace(0, len(places) - 1, most).astype(np.int64)]


def _measured(compared: _Compared) -> dict[str, tuple[float, tuple[float, float]]]:
    """Each metric with its 95% interval, as if judged items were drawn again.

    Those of one thing are not independent, so the intervals are rather too narrow.
    """
    if not len(compared.judged_Q):
        return {}
    ranked_QN = np.where(compared.is_itself, -np.inf, compared.similarities_QN)
    # Of equal similarities those of other things come first: nothing is gained by vectors that are all the same.
    order_QN = np.lexsort((compared.is_same_QN, -ranked_QN), axis=1)
    hits_QN = np.take_along_axis(compared.is_same_QN, order_QN, axis=1)
    ranks_N = np.arange(1, hits_QN.shape[1] + 1)
    precisions_Q = (hits_QN * hits_QN.cumsum(axis=1) / ranks_N).sum(axis=1) / hits_QN.sum(axis=1)
    first = right_or_wrong(hits_QN[:, 0])
    mean = Outcomes("accuracy", precisions_Q)
    accepted = _share(compared.same >= _limit(compared.different, USUAL_RATE), len(compared.judged_Q))
    precision = float(precisions_Q.mean())
    low, high = honest(mean.interval(mean.values_N), precision, len(precisions_Q))
    return {
        "mean_average_precision": (precision, (max(0.0, low), min(1.0, high))),
        "rank_1": (float(first.values_N.mean()), first.interval(first.values_N)),
        "accepted_pairs": accepted,
    }


def _share(is_hit_P: NDArray[np.bool_], num_independent: int) -> tuple[float, tuple[float, float]]:
    """A share of pairs with Wilson's interval (1927). Pairs share items: it is as wide as if each item counted once."""
    if not len(is_hit_P):
        return 0.0, (0.0, 1.0)
    share = float(is_hit_P.mean())
    return share, wilson(share, min(len(is_hit_P), num_independent))


def _limit(different_P: Floats, rate: float) -> float:
    """The similarity that this share of pairs of different things reaches at most; just above all where they are too few."""
    if not len(different_P):
        return 0.0
    place = min(math.ceil((len(different_P) + 1) * (1.0 - rate) - _MARGIN), len(different_P))
    return float(np.partition(different_P, place - 1)[place - 1]) + _MARGIN


def _similarity(
    compared: _Compared, records: Sequence[ItemRecord], labels: Sequence[str], thresholds: Mapping[str, float]
) -> SimilarityReport | None:
    if not len(compared.judged_Q):
        return None
    same_P, different_P = compared.same, compared.different
    false_K, accepted_K = _curve(same_P, different_P)
    return SimilarityReport(
        is_unseen=compared.is_unseen,
        num_labels=len(np.unique(compared.targets_Q)),
        num_judged=len(compared.judged_Q),
        num_same=len(same_P),
        num_different=len(different_P),
        same_counts=_counts(same_P),
        different_counts=_counts(different_P),
        false_match_rate=tuple(false_K.tolist()),
        accept_rate=tuple(accepted_K.tolist()),
        points=tuple(_point(compared, rate, thresholds[str(rate)]) for rate in RATES if str(rate) in thresholds),
        alike=_confused(compared, records, labels, is_same=False),
        unlike=_confused(compared, records, labels, is_same=True),
    )


def _counts(similarities_P: Floats) -> tuple[int, ...]:
    places_P = np.clip(((similarities_P + 1.0) / 2.0 * NUM_BINS).astype(np.int64), 0, NUM_BINS - 1)
    return tuple(np.bincount(places_P, minlength=NUM_BINS).tolist())


def _curve(same_P: Floats, different_P: Floats) -> tuple[Floats, Floats]:
    """Shares of both kinds of pairs above falling limits: from none to all, at most ``_MOST_POINTS`` of them."""
    if not len(different_P):
        return np.array([0.0, 1.0]), np.array([1.0, 1.0])
    number = len(different_P)
    allowed = np.unique(np.concatenate([[0], np.geomspace(1, number, _MOST_POINTS - 1).astype(np.int64)]))
    falling_P = np.sort(different_P)[::-1]
    # Above the limit lie exactly so many pairs of different things.
    limits_K = np.array([falling_P[each] if each < number else -np.inf for each in allowed])
    accepted_K = np.array([(same_P > limit).mean() for limit in limits_K])
    return np.concatenate([[0.0], allowed / number]), np.concatenate([[0.0], accepted_K])


def _point(compared: _Compared, rate: float, limit: float) -> PairsAccepted:
    num_judged = len(compared.judged_Q)
    accepted, accepted_interval = _share(compared.same >= limit, num_judged)
    mistaken, mistaken_interval = _share(compared.different >= limit, num_judged)
    return PairsAccepted(
        rate=rate,
        limit=limit,
        accepted=accepted,
        accepted_interval=accepted_interval,
        mistaken=mistaken,
        mistaken_interval=mistaken_interval,
    )


def _confused(
    compared: _Compared, records: Sequence[ItemRecord], labels: Sequence[str], *, is_same: bool
) -> tuple[ConfusedPair, ...]:
    """The pairs that are hardest to tell apart, each item at most once."""
    rows, columns = np.nonzero(compared.is_pair & (compared.is_same_QN if is_same else ~compared.is_same_QN))
    values_P = compared.similarities_QN[rows, columns]
    found: list[ConfusedPair] = []
    shown: set[str] = set()
    for place in np.argsort(values_P if is_same else -values_P, kind="stable"):
        pair = records[compared.judged_Q[rows[place]]], records[compared.places_N[columns[place]]]
        items = pair[0].item, pair[1].item
        if shown.isdisjoint(items):
            names = _label(pair[0], labels), _label(pair[1], labels)
            found.append(ConfusedPair(items=items, labels=names, similarity=round(float(values_P[place]), 6)))
            shown.update(items)
        if len(found) == _MOST_CONFUSED:
            break
    return tuple(found)


def _label(record: ItemRecord, labels: Sequence[str]) -> str:
    return next(each.label for each in record.annotations if isinstance(each, ClassLabel) and each.label in labels)


@dataclass(frozen=True)
class _Nearest:
    """The nearest other item of each, by rows so that it needs little memory."""

    place_N: NDArray[np.int64]
    similarity_N: Floats
    right_N: Floats
    """Similarity of the nearest of the same thing; -inf where there is none."""
    wrong_N: Floats
    """Of another thing."""

    @classmethod
    def of(cls, vectors_ND: np.ndarray, targets_N: np.ndarray) -> _Nearest:
        """Compares all with all."""
        number = len(vectors_ND)
        place_N, right_N, wrong_N = np.zeros(number, np.int64), np.zeros(number), np.zeros(number)
        similarity_N = np.zeros(number)
        vectors = vectors_ND.astype(np.float32)
        for start in range(0, number, 512):
            rows = np.arange(start, min(start + 512, number))
            similarities = np.clip(vectors[rows] @ vectors.T, -1.0, 1.0).astype(np.float64)
            similarities[np.arange(len(rows)), rows] = -np.inf
            is_same = targets_N[rows][:, None] == targets_N[None]
            place_N[rows] = similarities.argmax(axis=1)
            similarity_N[rows] = similarities.max(axis=1)
            right_N[rows] = np.where(is_same, similarities, -np.inf).max(axis=1)
            wrong_N[rows] = np.where(is_same, -np.inf, similarities).max(axis=1)
        return cls(place_N, similarity_N, right_N, wrong_N)

    @property
    def has_same(self) -> NDArray[np.bool_]:
        """Whether there is another item of the same thing."""
        return np.isfinite(self.right_N)

    @property
    def is_right(self) -> NDArray[np.bool_]:
        """Whether the nearest is of the same thing, or nothing of it is there to be found."""
        return (self.right_N >= self.wrong_N) | ~self.has_same


def _judged_items(
    records: Sequence[ItemRecord], vectors_ND: np.ndarray, targets_N: np.ndarray, labels: Sequence[str]
) -> tuple[JudgedItem, ...]:
    """Each item with the label of its nearest one; how much nearer a wrong one is than the right one is its loss."""
    nearest = _Nearest.of(vectors_ND, targets_N)
    found = []
    for row, record in enumerate(records):
        prediction: tuple[ClassLabel, ...] = ()
        loss = 0.0
        if nearest.has_same[row]:
            label = labels[targets_N[nearest.place_N[row]]]
            prediction = (ClassLabel(label=label, score=float(np.clip(nearest.similarity_N[row], 0.0, 1.0))),)
            loss = float(np.clip(nearest.wrong_N[row] - nearest.right_N[row] + 1.0, 0.0, 3.0))
        found.append(JudgedItem(item=record.item, truth=record.annotations, prediction=prediction, loss=loss))
    return tuple(found)
