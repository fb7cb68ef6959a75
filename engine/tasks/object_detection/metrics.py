"""How well detections fit the truth, in numpy alone. How boxes are matched is in ``coco``.

Average precisions are COCO's. Precision, recall and F1 are those of a person who looks at the boxes above the recommended
thresholds: over all boxes of all labels together, at an overlap of one half. Shapes: N items, D detections of an item, M
true boxes of an item, P predictions of one label, T overlaps, R bootstrap rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from automl.contracts.annotation import Box
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import ClassMetrics, JudgedItem, PrecisionRecall, SizeMetrics, SplitReport
from engine.tasks.object_detection import coco
from engine.tasks.object_detection.coco import RankedPredictions
from engine.tasks.shared.outcomes import Outcomes

DEFAULT_THRESHOLD = 0.5
BOOTSTRAP_ROUNDS = 200
_BOOTSTRAP_CELLS = 20_000_000
"""Rounds times predictions at most: keeps the intervals of a large split within a second or two."""
_AT_HALF, _AT_THREE_QUARTERS = 0, 5
"""Places in ``coco.THRESHOLDS_T``."""
_CURVE_POINTS = 200
_SHOWN_BOXES = 10
"""Boxes of an item that a report keeps beside those above their thresholds."""
_MIN_SHOWN_SCORE = 0.05


def metrics(detections_ND6: np.ndarray, targets_NM5: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """The task's metrics by name, with the thresholds that these very items recommend.

    Args:
        detections_ND6: x, y, width, height as fractions, score, label; rows with the label -1 are empty.
        targets_NM5: as in ``data.targets``.
        labels: names in the order of the indices.

    Raises:
        ValueError: there are no items.
    """
    by_label = _ranked(detections_ND6, targets_NM5, labels)
    return _metrics(by_label, _thresholds(by_label, labels), labels)


def size_metrics(
    detections_ND6: np.ndarray, targets_NM5: np.ndarray, labels: Sequence[str], sizes_N2: np.ndarray
) -> tuple[SizeMetrics, ...]:
    """COCO's AP by the areas of true boxes in pixels; a size that does not occur is left out.

    Args:
        detections_ND6: as in ``metrics``.
        targets_NM5: as in ``metrics``.
        labels: as in ``metrics``.
        sizes_N2: width and height of the pictures in pixels.
    """
    found = []
    for size, area_range_px in coco.AREA_RANGES_PX.items():
        by_label = coco.ranked(detections_ND6, targets_NM5, len(labels), sizes_N2=sizes_N2, area_range_px=area_range_px)
        support = sum(one.support for one in by_label)
        if support:
            average = _average_precision(by_label, range(len(coco.THRESHOLDS_T)))
            found.append(SizeMetrics.model_validate({"size": size, "support": support, "average_precision": average}))
    return tuple(found)


def recommended_thresholds(
    detections_ND6: np.ndarray, targets_NM5: np.ndarray, labels: Sequence[str], *, objective: str = ""
) -> Mapping[str, float]:
    """The score from which boxes of each label should be drawn: the best F1; one half where there is none to find."""
    del objective
    return _thresholds(_ranked(detections_ND6, targets_NM5, labels), labels)


def split_report(
    split: Split,
    records: Sequence[ItemRecord],
    detections_ND6: np.ndarray,
    targets_NM5: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> SplitReport:
    """Everything that a report shows of one split.

    Args:
        split: which one.
        records: its items, in the order of the detections.
        detections_ND6: as in ``metrics``.
        targets_NM5: as in ``metrics``.
        labels: names in the order of the indices.
        thresholds: as ``recommended_thresholds`` gave them, mostly for another split.
    """
    by_label = _ranked(detections_ND6, targets_NM5, labels)
    sizes_N2 = np.array([(record.media.width, record.media.height) for record in records])
    return SplitReport(
        split=split,
        num_items=len(records),
        metrics=_metrics(by_label, thresholds, labels),
        intervals=_intervals(by_label, thresholds, labels),
        per_class=tuple(_class_metrics(one, label, thresholds) for one, label in zip(by_label, labels, strict=True)),
        per_size=size_metrics(detections_ND6, targets_NM5, labels, sizes_N2),
        precision_recall=tuple(_curve(one, label, thresholds[label]) for one, label in zip(by_label, labels, strict=True)),
        items=_judged_items(records, detections_ND6, by_label, labels, thresholds),
    )


def outcomes(
    report: SplitReport,
    detections_ND6: np.ndarray,
    targets_NM5: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> Outcomes:
    """The F1 of each item's boxes; arguments as of ``split_report``, and what it gave."""
    del detections_ND6, targets_NM5, labels, thresholds
    found = []
    for item in report.items:
        num_right = len(item.matches)
        total = 2 * num_right + item.loss  # the loss counts wrong boxes and missed ones
        found.append(2.0 * num_right / total if total else 1.0)
    return Outcomes("f1", np.array(found))


def _ranked(detections_ND6: np.ndarray, targets_NM5: np.ndarray, labels: Sequence[str]) -> list[RankedPredictions]:
    if len(detections_ND6) == 0:
        raise ValueError("a split without items has no metrics")
    return coco.ranked(detections_ND6, targets_NM5, len(labels))


def _metrics(by_label: list[RankedPredictions], thresholds: Mapping[str, float], labels: Sequence[str]) -> dict[str, float]:
    weights_1N = np.ones((1, len(by_label[0].support_N)))
    counted = _counted(by_label, thresholds, labels, weights_1N)
    return {
        "ap50": _average_precision(by_label, (_AT_HALF,)),
        "ap": _average_precision(by_label, range(len(coco.THRESHOLDS_T))),
        "ap75": _average_precision(by_label, (_AT_THREE_QUARTERS,)),
        **{name: float(values[0]) for name, values in counted.items()},
    }


def _intervals(
    by_label: list[RankedPredictions], thresholds: Mapping[str, float], labels: Sequence[str], *, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """95% intervals by bootstrap over items: the spread if the same number of items were drawn again."""
    num_items = len(by_label[0].support_N)
    num_cells = sum(len(one.scores_P) for one in by_label) * len(coco.THRESHOLDS_T)
    rounds = max(50, min(BOOTSTRAP_ROUNDS, _BOOTSTRAP_CELLS // max(num_cells, 1)))
    generator = np.random.default_rng(seed)
    weights_RN = generator.multinomial(num_items, np.full(num_items, 1.0 / num_items), size=rounds).astype(np.float64)
    by_threshold_TLR = np.array(
        [[one.average_precision(at, weights_RN) for one in by_label] for at in range(len(coco.THRESHOLDS_T))]
    )
    drawn: dict[str, np.ndarray | list[float]] = {
        "ap50": [coco.mean(by_threshold_TLR[_AT_HALF, :, number]) for number in range(rounds)],
        "ap": [coco.mean(by_threshold_TLR[:, :, number]) for number in range(rounds)],
        "ap75": [coco.mean(by_threshold_TLR[_AT_THREE_QUARTERS, :, number]) for number in range(rounds)],
        **_counted(by_label, thresholds, labels, weights_RN),
    }
    found = {}
    for name, values in drawn.items():
        low, high = np.quantile(values, (0.025, 0.975))
        found[name] = (float(low), float(high))
    return found


def _average_precision(by_label: list[RankedPredictions], thresholds: Sequence[int]) -> float:
    return coco.mean([one.average_precision(at)[0] for one in by_label for at in thresholds])


def _counted(
    by_label: list[RankedPredictions], thresholds: Mapping[str, float], labels: Sequence[str], weights_RN: np.ndarray
) -> dict[str, np.ndarray]:
    """Precision, recall and F1 over all labels for each weighting of the items, ``_R`` each."""
    right_N, wrong_N, support_N = (np.zeros(weights_RN.shape[1]) for _ in range(3))
    for one, label in zip(by_label, labels, strict=True):
        is_drawn_P = one.scores_P >= thresholds[label]
        right_N += np.bincount(one.pictures_P[is_drawn_P & one.is_right()], minlength=len(right_N))
        wrong_N += np.bincount(one.pictures_P[is_drawn_P & one.is_wrong()], minlength=len(wrong_N))
        support_N += one.support_N
    right_R, wrong_R, support_R = weights_RN @ right_N, weights_RN @ wrong_N, weights_RN @ support_N
    return {
        "precision": right_R / np.maximum(right_R + wrong_R, 1.0),
        "recall": right_R / np.maximum(support_R, 1.0),
        "f1": 2.0 * right_R / np.maximum(right_R + wrong_R + support_R, 1.0),
    }


def _thresholds(by_label: list[RankedPredictions], labels: Sequence[str]) -> dict[str, float]:
    return {label: _best_threshold(one) for one, label in zip(by_label, labels, strict=True)}


def _best_threshold(one: RankedPredictions) -> float:
    right_P = np.cumsum(one.is_right())
    if one.support == 0 or len(right_P) == 0 or right_P[-1] == 0:
        return DEFAULT_THRESHOLD
    f1_P = 2.0 * right_P / (np.arange(1, len(right_P) + 1) + one.support)
    is_last_of_ties_P = np.append(one.scores_P[1:] < one.scores_P[:-1], True)
    best = int(np.argmax(np.where(is_last_of_ties_P, f1_P, -1.0)))
    below = float(one.scores_P[best + 1]) if best + 1 < len(right_P) else 0.0
    return (float(one.scores_P[best]) + below) / 2.0  # half way to the next one leaves room on both sides


def _class_metrics(one: RankedPredictions, label: str, thresholds: Mapping[str, float]) -> ClassMetrics:
    num_drawn = int((one.scores_P >= thresholds[label]).sum())
    num_right = int(one.is_right()[:num_drawn].sum())
    return ClassMetrics(
        label=label,
        precision=num_right / max(num_drawn, 1),
        recall=num_right / max(one.support, 1),
        f1=2.0 * num_right / max(num_drawn + one.support, 1),
        support=one.support,
        average_precision=float(one.average_precision(_AT_HALF)[0]) if one.support else None,
    )


def _curve(one: RankedPredictions, label: str, threshold: float) -> PrecisionRecall:
    """From the highest score to the lowest, thinned out evenly along the line; the threshold's own point is always there.

    A detector says thousands of boxes that it hardly means: evenly by rank nearly all points would be theirs.
    """
    precision_P, recall_P = one.precision_recall()
    steps_P = np.abs(np.diff(recall_P, prepend=0.0)) + np.abs(np.diff(precision_P, prepend=precision_P[:1]))
    along_P = np.cumsum(steps_P)
    even_places = np.searchsorted(along_P, np.linspace(0.0, along_P[-1] if len(along_P) else 0.0, _CURVE_POINTS))
    num_drawn = int((one.scores_P >= threshold).sum())
    drawn = np.unique(np.concatenate([even_places, [0, num_drawn - 1, len(along_P) - 1]]))
    places = drawn[(drawn >= 0) & (drawn < len(along_P))]
    return PrecisionRecall(
        label=label,
        recall=tuple(recall_P[places].tolist()),
        precision=tuple(precision_P[places].tolist()),
        score=tuple(np.clip(one.scores_P[places].astype(np.float64), 0.0, 1.0).tolist()),
        num_wrong=tuple(np.cumsum(one.is_wrong())[places].tolist()),
    )


def _judged_items(
    records: Sequence[ItemRecord],
    detections_ND6: np.ndarray,
    by_label: list[RankedPredictions],
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> tuple[JudgedItem, ...]:
    found: list[dict[int, int]] = [{} for _ in records]
    """For each item the prediction's row and the true box's."""
    for one in by_label:
        for picture, row, match in zip(one.pictures_P, one.rows_P, one.matches_TP[_AT_HALF], strict=True):
            if match >= 0:
                found[picture][int(row)] = int(match)
    limits_L = np.array([thresholds[label] for label in labels])
    return tuple(
        _judged_item(record, rows_D6, own, labels, limits_L)
        for record, rows_D6, own in zip(records, detections_ND6, found, strict=True)
    )


def _judged_item(
    record: ItemRecord, rows_D6: np.ndarray, match_of: Mapping[int, int], labels: Sequence[str], limits_L: np.ndarray
) -> JudgedItem:
    """An item with its boxes; its loss is how many it draws that are wrong, and how many it misses."""
    truth = tuple(annotation for annotation in record.annotations if isinstance(annotation, Box))
    named_D = rows_D6[:, 5].astype(np.int64)
    is_drawn_D = (named_D >= 0) & (rows_D6[:, 4] >= limits_L[named_D])
    is_shown_D = (named_D >= 0) & (rows_D6[:, 4] >= _MIN_SHOWN_SCORE)
    best = np.argsort(-rows_D6[:, 4], kind="stable")
    shown = [int(row) for place, row in enumerate(best) if is_drawn_D[row] or (is_shown_D[row] and place < _SHOWN_BOXES)]
    matches = tuple((match_of[row], place) for place, row in enumerate(shown) if row in match_of and is_drawn_D[row])
    num_wrong = int(is_drawn_D.sum()) - len(matches)
    return JudgedItem(
        item=record.item,
        truth=truth,
        prediction=tuple(_box(rows_D6[row], record, labels) for row in shown),
        loss=float(num_wrong + len(truth) - len(matches)),
        matches=matches,
    )


def _box(row_6: np.ndarray, record: ItemRecord, labels: Sequence[str]) -> Box:
    width, height = record.media.width, record.media.height
    return Box(
        label=labels[int(row_6[5])],
        x=float(row_6[0]) * width,
        y=float(row_6[1]) * height,
        width=float(row_6[2]) * width,
        height=float(row_6[3]) * height,
        score=float(np.clip(row_6[4], 0.0, 1.0)),
    )
