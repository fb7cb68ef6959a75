"""How well labels of pixels fit the truth, in numpy alone. What is counted of each picture is in ``counts``.

Compared is what a person is shown: the planes laid over the picture, without the pixels that do not reach their label's
threshold. Every share is of the pixels of all items together, by label, and then the mean over the labels that occur. Shapes: N
items, K numbers of an item's run lengths, L labels, R bootstrap rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Annotations
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import ClassMetrics, JudgedItem, SplitReport
from automl.contracts.task import OutputKind
from engine.tasks.semantic_segmentation.counts import Counts, counted, sureness_counts
from engine.tasks.shared.outcomes import Outcomes
from engine.tasks.shared.raster import PictureSize, shapes_of
from engine.tasks.shared.shares import honest
from runtime.answers import answers_kind

BOOTSTRAP_ROUNDS = 200
NEAR_BEST = 0.002
"""A threshold that gains no more is not worth leaving pixels out."""
Floats = NDArray[np.float64]


def metrics(planes_N2HW: np.ndarray, targets_NK: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """The task's metrics by name, with the thresholds that these very items recommend.

    Args:
        planes_N2HW: index of each pixel's label (-1: none) and how sure the model is of it.
        targets_NK: as in ``data.targets``.
        labels: names in the order of the indices.

    Raises:
        ValueError: there are no items.
    """
    limits = recommended_thresholds(planes_N2HW, targets_NK, labels)
    return _metrics(counted(planes_N2HW, targets_NK, _limits(limits, labels)))


def recommended_thresholds(
    planes_N2HW: np.ndarray, targets_NK: np.ndarray, labels: Sequence[str], *, objective: str = ""
) -> Mapping[str, float]:
    """How sure the model has to be of a pixel of each label: what gives the best intersection over union; 0 where it is all.

    Arguments and errors as of ``metrics``.
    """
    del objective
    if len(planes_N2HW) == 0:
        raise ValueError("a split without items has no metrics")
    found = sureness_counts(planes_N2HW, targets_NK, len(labels))
    right_LT, wrong_LT = (np.cumsum(each[:, ::-1], axis=1)[:, ::-1] for each in (found.right_LT, found.wrong_LT))
    shares_LT = right_LT / np.maximum(found.there_L[:, None] + wrong_LT, 1)
    places_L = np.argmax(shares_LT >= shares_LT.max(axis=1, keepdims=True) - NEAR_BEST, axis=1)
    steps = shares_LT.shape[1]
    return {label: float(place) / steps for label, place in zip(labels, places_L, strict=True)}


def split_report(
    split: Split,
    records: Sequence[ItemRecord],
    planes_N2HW: np.ndarray,
    targets_NK: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> SplitReport:
    """Everything that a report shows of one split.

    Args:
        split: which one.
        records: its items, in the order of the planes.
        planes_N2HW: as in ``metrics``.
        targets_NK: as in ``metrics``.
        labels: names in the order of the indices.
        thresholds: as ``recommended_thresholds`` gave them, mostly for another split.
    """
    counts = counted(planes_N2HW, targets_NK, _limits(thresholds, labels))
    return SplitReport(
        split=split,
        num_items=len(records),
        metrics=_metrics(counts),
        intervals=_intervals(counts),
        per_class=_per_class(counts, labels),
        items=_judged_items(records, planes_N2HW, counts, labels, thresholds),
    )


def outcomes(
    report: SplitReport,
    planes_N2HW: np.ndarray,
    targets_NK: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> Outcomes:
    """The mean F1 of each item's labels; arguments as of ``split_report``, and what it gave."""
    del planes_N2HW, targets_NK, labels, thresholds
    return Outcomes("f1", np.array([1.0 - item.loss for item in report.items]))


def _limits(thresholds: Mapping[str, float], labels: Sequence[str]) -> Floats:
    return np.array([thresholds.get(label, 0.0) for label in labels])


def _metrics(counts: Counts) -> dict[str, float]:
    weights_1N = np.ones((1, len(counts.num_pixels_N)))
    return {name: float(measure(weights_1N)[0]) for name, measure in _measures(counts).items()}


def _intervals(counts: Counts, *, seed: int = 0) -> dict[str, tuple[float, float]]:
    """95% intervals by bootstrap over items: the spread if the same number were drawn again; of few as wide as Wilson's."""
    num_items, values = len(counts.num_pixels_N), _metrics(counts)
    shares = np.full(num_items, 1.0 / num_items)
    weights_RN = np.random.default_rng(seed).multinomial(num_items, shares, size=BOOTSTRAP_ROUNDS).astype(np.float64)
    found = {}
    for name, measure in _measures(counts).items():
        low, high = np.quantile(measure(weights_RN), (0.025, 0.975))
        found[name] = honest((float(low), float(high)), values[name], num_items)
    return found


def _measures(counts: Counts) -> dict[str, Callable[[Floats], Floats]]:
    """Each metric for each weighting ``_RN`` of the items, ``_R``."""
    is_there_NL = counts.there_NL

    def pixel_accuracy(weights_RN: Floats) -> Floats:
        accuracy_R: Floats = (weights_RN @ counts.num_right_N) / np.maximum(weights_RN @ counts.num_pixels_N, 1.0)
        return accuracy_R

    def mean(of: Callable[[Floats], Floats], weights_RN: Floats) -> Floats:
        occurs_RL = weights_RN @ is_there_NL > 0
        sums_R = np.where(occurs_RL, of(weights_RN), 0.0).sum(axis=1)
        mean_R: Floats = sums_R / np.maximum(occurs_RL.sum(axis=1), 1)
        return mean_R

    return {
        "miou": partial(mean, lambda weights_RN: _by_label(counts, weights_RN).intersection_over_union),
        "dice": partial(mean, lambda weights_RN: _by_label(counts, weights_RN).f1),
        "boundary_f1": partial(mean, lambda weights_RN: _boundary_f1(counts, weights_RN)),
        "pixel_accuracy": pixel_accuracy,
    }


@dataclass(frozen=True)
class _ByLabel:
    """Pixels of each label, ``_RL`` each."""

    right: Floats
    predicted: Floats
    there: Floats

    @property
    def intersection_over_union(self) -> Floats:
        return _share(self.right, self.predicted + self.there - self.right)

    @property
    def f1(self) -> Floats:
        return _share(2.0 * self.right, self.predicted + self.there)


def _by_label(counts: Counts, weights_RN: Floats) -> _ByLabel:
    return _ByLabel(weights_RN @ counts.right_NL, weights_RN @ counts.predicted_NL, weights_RN @ counts.there_NL)


def _boundary_f1(counts: Counts, weights_RN: Floats) -> Floats:
    precision_RL = _share(weights_RN @ counts.edge_right_NL, weights_RN @ counts.edge_predicted_NL)
    recall_RL = _share(weights_RN @ counts.edge_recalled_NL, weights_RN @ counts.edge_there_NL)
    has_none_RL = weights_RN @ (counts.edge_predicted_NL + counts.edge_there_NL) == 0  # it fills its pictures, and all agree
    return np.where(has_none_RL, 1.0, _share(2.0 * precision_RL * recall_RL, precision_RL + recall_RL))


def _share(part: Floats, whole: Floats) -> Floats:
    shares: Floats = np.divide(part, whole, out=np.zeros_like(part, dtype=np.float64), where=whole > 0)
    return shares


def _per_class(counts: Counts, labels: Sequence[str]) -> tuple[ClassMetrics, ...]:
    by_label = _by_label(counts, np.ones((1, len(counts.num_pixels_N))))
    precision_L, recall_L = (_share(by_label.right, whole)[0] for whole in (by_label.predicted, by_label.there))
    f1_L, shared_L, support_L = by_label.f1[0], by_label.intersection_over_union[0], (counts.there_NL > 0).sum(axis=0)
    return tuple(
        ClassMetrics(
            label=label,
            precision=float(precision_L[place]),
            recall=float(recall_L[place]),
            f1=float(f1_L[place]),
            support=int(support_L[place]),
            intersection_over_union=float(shared_L[place]),
        )
        for place, label in enumerate(labels)
    )


def _judged_items(
    records: Sequence[ItemRecord],
    planes_N2HW: np.ndarray,
    counts: Counts,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> tuple[JudgedItem, ...]:
    """Items with their answers as the runtime gives them; the loss is one less the mean F1 of the labels there or predicted."""
    kind = answers_kind(OutputKind.MASK.value)(labels)
    sums_NL = counts.predicted_NL + counts.there_NL
    f1_NL, is_either_NL = _share(2.0 * counts.right_NL, sums_NL), sums_NL > 0
    num_N = is_either_NL.sum(axis=1)
    losses_N = np.where(num_N > 0, 1.0 - (f1_NL * is_either_NL).sum(axis=1) / np.maximum(num_N, 1), 0.0)
    found = []
    for record, planes_2HW, loss in zip(records, planes_N2HW, losses_N, strict=True):
        size = PictureSize(record.media.width, record.media.height)
        masks = kind.passing(planes_2HW.astype(np.float32), size, thresholds)
        prediction = Annotations.validate_python(masks)
        truth = tuple(shapes_of(record.annotations))
        found.append(JudgedItem(item=record.item, truth=truth, prediction=prediction, loss=float(loss)))
    return tuple(found)
