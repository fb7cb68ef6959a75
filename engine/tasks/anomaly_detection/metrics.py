"""How well scores tell defects from normal pictures, in numpy alone. Shapes: N items, H height, W width, L labels.

Without a defect among the items only the share of normal pictures that pass is known, and nothing else is claimed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Annotations, ClassLabel
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import JudgedItem, ScoreDistribution, SplitReport
from automl.contracts.task import OutputKind
from engine.tasks.anomaly_detection.calibration import LIMIT, share_interval
from engine.tasks.shared.classification import ranking
from engine.tasks.shared.classification.metrics import Answers, per_class
from engine.tasks.shared.outcomes import Outcomes, right_or_wrong
from runtime.answers import answers_kind
from runtime.answers.heat_map import normal_index

NUM_BINS = 20
MOST_MAPS = 500
"""Items whose heat maps a report keeps, those with the largest loss: each takes a kilobyte."""
_FEWEST_DEFECTS = 5
"""With fewer the limit stays where normal pictures put it."""
_DIGITS = 4
_TINY = 1e-6
Floats = NDArray[np.float64]


def metrics(maps_NHW: np.ndarray, targets_N: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """The task's metrics by name, with the threshold that these very items recommend; those that are not known are left out.

    Args:
        maps_NHW: anomaly scores, 0..1.
        targets_N: as in ``data.targets``.
        labels: names in the order of the targets.

    Raises:
        ValueError: there are no items.
    """
    sides = _sides(maps_NHW, targets_N, labels)
    return {name: value for name, (value, _) in _measured(sides, _limit(sides)).items()}


def recommended_thresholds(
    maps_NHW: np.ndarray, targets_N: np.ndarray, labels: Sequence[str], *, objective: str = ""
) -> Mapping[str, float]:
    """The score from which a picture is a defect, and what is left of one for the normal label.

    It is one half, which the model's scores put where the project's false-alarm rate is. With five defects and more that lie
    above, false alarms between one half and the lowest of them are left out as well: that loses no defect that is known.

    Arguments and errors as of ``metrics``.
    """
    del objective
    sides = _sides(maps_NHW, targets_N, labels)
    limit = round(_limit(sides), _DIGITS)
    return {name: round(1.0 - limit, _DIGITS) if place == sides.normal else limit for place, name in enumerate(labels)}


def split_report(
    split: Split,
    records: Sequence[ItemRecord],
    maps_NHW: np.ndarray,
    targets_N: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> SplitReport:
    """Everything that a report shows of one split.

    Args:
        split: which one.
        records: its items, in the order of the maps.
        maps_NHW: as in ``metrics``.
        targets_N: as in ``metrics``.
        labels: names in the order of the targets.
        thresholds: as ``recommended_thresholds`` gave them, mostly for another split.
    """
    sides, limits_L = _sides(maps_NHW, targets_N, labels), _limits(thresholds, labels)
    normal = labels[sides.normal]
    measured = _measured(sides, 1.0 - float(limits_L[sides.normal]))
    answers = _answers(sides, targets_N, limits_L)
    roc, precision_recall, _ = ranking.curves(answers.scores_NL, answers.truth_NL, labels)
    return SplitReport(
        split=split,
        num_items=len(records),
        metrics={name: value for name, (value, _) in measured.items()},
        intervals={name: interval for name, (_, interval) in measured.items()},
        per_class=per_class(answers, labels),
        confusion=tuple(tuple(row) for row in answers.confusion().tolist()),
        precision_recall=tuple(each for each in precision_recall if each.label != normal),
        roc=tuple(each for each in roc if each.label != normal),
        score_distribution=_distribution(sides, targets_N, labels),
        items=_judged_items(records, maps_NHW, answers, labels, thresholds),
    )


def outcomes(
    report: SplitReport,
    maps_NHW: np.ndarray,
    targets_N: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> Outcomes:
    """Whether each item is answered right; arguments as of ``split_report``, and what it gave."""
    del report
    answers = _answers(_sides(maps_NHW, targets_N, labels), targets_N, _limits(thresholds, labels))
    return right_or_wrong(answers.is_right())


@dataclass(frozen=True)
class _Sides:
    """Normal pictures and defects."""

    scores_N: Floats
    is_defect_N: NDArray[np.bool_]
    normal: int
    """Place of the normal label."""


def _sides(maps_NHW: np.ndarray, targets_N: np.ndarray, labels: Sequence[str]) -> _Sides:
    """Raises ValueError where there are no items."""
    if len(maps_NHW) == 0:
        raise ValueError("a split without items has no metrics")
    normal = normal_index(labels)
    return _Sides(maps_NHW.reshape(len(maps_NHW), -1).max(axis=1).astype(np.float64), targets_N != normal, normal)


def _limit(sides: _Sides) -> float:
    found_M = sides.scores_N[sides.is_defect_N & (sides.scores_N >= LIMIT)]
    if len(found_M) < _FEWEST_DEFECTS:
        return LIMIT
    lowest = float(found_M.min())
    alarms_M = sides.scores_N[~sides.is_defect_N & (sides.scores_N >= LIMIT) & (sides.scores_N < lowest)]
    return (float(alarms_M.max()) + lowest) / 2 if len(alarms_M) else LIMIT


def _measured(sides: _Sides, limit: float) -> dict[str, tuple[float, tuple[float, float]]]:
    """Each metric that is known, with its 95% interval: exact of shares, bootstrapped of the area."""
    is_predicted_N, is_defect_N = sides.scores_N >= limit, sides.is_defect_N
    found: dict[str, tuple[float, tuple[float, float]]] = {}
    if is_defect_N.any() and not is_defect_N.all():
        scores_N1, truth_N1 = sides.scores_N[:, None], is_defect_N[:, None].astype(np.int64)
        found["auroc"] = (ranking.area(scores_N1, truth_N1), ranking.area_interval(scores_N1, truth_N1))
    if is_defect_N.any():
        found["defects_found"] = _share(is_predicted_N[is_defect_N])
    if not is_defect_N.all():
        found["normal_passed"] = _share(~is_predicted_N[~is_defect_N])
    return found


def _share(is_hit_M: NDArray[np.bool_]) -> tuple[float, tuple[float, float]]:
    return float(is_hit_M.mean()), share_interval(int(is_hit_M.sum()), len(is_hit_M))


def _limits(thresholds: Mapping[str, float], labels: Sequence[str]) -> Floats:
    return np.array([thresholds.get(label, LIMIT) for label in labels])


def _answers(sides: _Sides, targets_N: np.ndarray, limits_L: Floats) -> Answers:
    """The same as scores of labels that exclude each other."""
    is_normal_1L = np.arange(len(limits_L))[None] == sides.normal
    scores_NL = np.where(is_normal_1L, 1.0 - sides.scores_N[:, None], sides.scores_N[:, None])
    return Answers.of(scores_NL, targets_N, np.maximum(limits_L, _TINY))


def _distribution(sides: _Sides, targets_N: np.ndarray, labels: Sequence[str]) -> tuple[ScoreDistribution, ...]:
    places_N = np.clip((sides.scores_N * NUM_BINS).astype(np.int64), 0, NUM_BINS - 1)
    return tuple(
        ScoreDistribution(
            label=label,
            is_normal=place == sides.normal,
            counts=tuple(np.bincount(places_N[targets_N == place], minlength=NUM_BINS).tolist()),
        )
        for place, label in enumerate(labels)
    )


def _judged_items(
    records: Sequence[ItemRecord],
    maps_NHW: np.ndarray,
    answers: Answers,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> tuple[JudgedItem, ...]:
    kind, losses_N = answers_kind(OutputKind.HEAT_MAP.value)(labels), answers.item_losses()
    has_map_N = np.argsort(np.argsort(-losses_N, kind="stable")) < MOST_MAPS
    found = []
    for record, map_HW, loss, has_map in zip(records, maps_NHW, losses_N, has_map_N, strict=True):
        encoded = kind.encode(map_HW.astype(np.float32), None, top=1, threshold=None, thresholds=thresholds)
        predicted = Annotations.validate_python(encoded)
        if not has_map:
            predicted = tuple(each.model_copy(update={"heat_map": None}) for each in predicted if isinstance(each, ClassLabel))
        found.append(JudgedItem(item=record.item, truth=record.annotations, prediction=predicted, loss=float(loss)))
    return tuple(found)
