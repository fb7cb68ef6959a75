"""What tasks that find single objects report: COCO's precisions, thresholds, curves and items, from matched predictions.

Average precisions are COCO's. Precision, recall and F1 are those of a person who looks at the objects above the recommended
thresholds: over all objects of all labels together, at an overlap of one half. Shapes: N items, D predictions of an item, P
predictions of one label, T overlaps, R bootstrap rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from automl.contracts.annotation import Annotation, Box, Mask, Polygon
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import ClassMetrics, JudgedItem, PrecisionRecall, SizeMetrics, SplitReport
from engine.tasks.shared import coco
from engine.tasks.shared.coco import RankedPredictions
from engine.tasks.shared.outcomes import Outcomes
from engine.tasks.shared.shares import honest

DEFAULT_THRESHOLD = 0.5
BOOTSTRAP_ROUNDS = 200
_BOOTSTRAP_CELLS = 20_000_000
"""Rounds times predictions at most: keeps the intervals of a large split within a second or two."""
_AT_HALF, _AT_THREE_QUARTERS = 0, 5
"""Places in ``coco.THRESHOLDS_T``."""
_CURVE_POINTS = 200
_SHOWN = 10
"""Predictions of an item that a report keeps beside those above their thresholds."""
_MIN_SHOWN_SCORE = 0.05
_CONFUSED_LABELS = 200
"""Most labels whose objects are counted by label and answer."""
Overlaps = Callable[[int, np.ndarray, np.ndarray], np.ndarray]
"""``coco.Shapes.overlaps``."""


def size_metrics(ranked_within: Callable[[tuple[float, float]], list[RankedPredictions]]) -> tuple[SizeMetrics, ...]:
    """COCO's AP by the areas of true objects in pixels; a size that does not occur is left out.

    Args:
        ranked_within: matches objects of these areas in square pixels, at least and at most.
    """
    found = []
    for size, area_range_px in coco.AREA_RANGES_PX.items():
        by_label = ranked_within(area_range_px)
        support = sum(one.support for one in by_label)
        if support:
            average = _average_precision(by_label, range(len(coco.THRESHOLDS_T)))
            found.append(SizeMetrics.model_validate({"size": size, "support": support, "average_precision": average}))
    return tuple(found)


def report_of(
    split: Split,
    by_label: list[RankedPredictions],
    labels: Sequence[str],
    thresholds: Mapping[str, float],
    *,
    per_size: tuple[SizeMetrics, ...],
    items: tuple[JudgedItem, ...],
) -> SplitReport:
    """Everything that a report shows of one split."""
    labelled = list(zip(by_label, labels, strict=True))
    measured, drawn = metrics_of(by_label, thresholds, labels), _drawn(by_label, thresholds, labels)
    return SplitReport(
        split=split,
        num_items=len(items),
        metrics=measured,
        intervals={name: honest(drawn[name], value, len(items)) for name, value in measured.items()},
        per_class=tuple(_class_metrics(one, label, thresholds) for one, label in labelled),
        per_size=per_size,
        object_confusion=_confusion(items, labels, thresholds),
        precision_recall=tuple(_curve(one, label, thresholds[label]) for one, label in labelled),
        items=items,
    )


def metrics_of(by_label: list[RankedPredictions], thresholds: Mapping[str, float], labels: Sequence[str]) -> dict[str, float]:
    """COCO's precisions, and precision, recall and F1 at the thresholds, by name."""
    weights_1N = np.ones((1, len(by_label[0].support_N)))
    counted = _counted(by_label, thresholds, labels, weights_1N)
    return {
        "ap50": _average_precision(by_label, (_AT_HALF,)),
        "ap": _average_precision(by_label, range(len(coco.THRESHOLDS_T))),
        "ap75": _average_precision(by_label, (_AT_THREE_QUARTERS,)),
        **{name: float(values[0]) for name, values in counted.items()},
    }


def _drawn(
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
    rounds_of: dict[str, np.ndarray | list[float]] = {
        "ap50": [coco.mean(by_threshold_TLR[_AT_HALF, :, number]) for number in range(rounds)],
        "ap": [coco.mean(by_threshold_TLR[:, :, number]) for number in range(rounds)],
        "ap75": [coco.mean(by_threshold_TLR[_AT_THREE_QUARTERS, :, number]) for number in range(rounds)],
        **_counted(by_label, thresholds, labels, weights_RN),
    }
    found = {}
    for name, values in rounds_of.items():
        low, high = np.quantile(values, (0.025, 0.975))
        found[name] = (float(low), float(high))
    return found


def best_thresholds(by_label: list[RankedPredictions], labels: Sequence[str]) -> dict[str, float]:
    """The score from which objects of each label should be drawn: the best F1; one half where there is none to find."""
    return {label: _best_threshold(one) for one, label in zip(by_label, labels, strict=True)}


def _class_metrics(one: RankedPredictions, label: str, thresholds: Mapping[str, float]) -> ClassMetrics:
    """How well one label is found."""
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

    A detector has thousands of boxes with tiny scores: evenly by rank, nearly all points would be theirs.
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


def outcomes(report: SplitReport) -> Outcomes:
    """The F1 of each item's objects, of what ``judged_items`` gave."""
    found = []
    for item in report.items:
        num_right = len(item.matches)
        total = 2 * num_right + item.loss  # the loss counts wrong boxes and missed ones
        found.append(2.0 * num_right / total if total else 1.0)
    return Outcomes("f1", np.array(found))


def judged_items(
    records: Sequence[ItemRecord],
    rows_ND2: np.ndarray,
    by_label: list[RankedPredictions],
    labels: Sequence[str],
    thresholds: Mapping[str, float],
    *,
    truth_of: Callable[[ItemRecord], Sequence[Annotation]],
    shown: Callable[[int, Sequence[int]], Sequence[Annotation]],
    overlaps: Overlaps,
) -> tuple[JudgedItem, ...]:
    """Items with their objects; the loss is how many are drawn that are wrong, and how many are missed.

    Args:
        records: of the items.
        rows_ND2: score and label of each prediction; -1 is none.
        by_label: the matched predictions, whose true rows count the objects that ``truth_of`` gives.
        labels: names in the order of the indices.
        thresholds: by label.
        truth_of: the true objects of an item.
        shown: some rows of an item's predictions, as annotations.
        overlaps: as ``coco.Shapes.overlaps``.
    """
    found: list[dict[int, int]] = [{} for _ in records]
    """For each item the prediction's row and the true object's."""
    for one in by_label:
        for picture, row, match in zip(one.pictures_P, one.rows_P, one.matches_TP[_AT_HALF], strict=True):
            if match >= 0:
                found[picture][int(row)] = int(match)
    limits_L = np.array([thresholds[label] for label in labels])
    judged = []
    for place, (record, rows_D2, match_of) in enumerate(zip(records, rows_ND2, found, strict=True)):
        truth, ways = tuple(truth_of(record)), (partial(shown, place), partial(overlaps, place))
        judged.append(_judged_item(record, rows_D2, match_of, limits_L, truth=truth, shown=ways[0], overlaps=ways[1]))
    return tuple(judged)


def _judged_item(
    record: ItemRecord,
    rows_D2: np.ndarray,
    match_of: Mapping[int, int],
    limits_L: np.ndarray,
    *,
    truth: tuple[Annotation, ...],
    shown: Callable[[Sequence[int]], Sequence[Annotation]],
    overlaps: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> JudgedItem:
    scores_D, labels_D = rows_D2[:, 0], rows_D2[:, 1].astype(np.int64)
    is_drawn_D = (labels_D >= 0) & (scores_D >= limits_L[labels_D])
    is_shown_D = (labels_D >= 0) & (scores_D >= _MIN_SHOWN_SCORE)
    best = np.argsort(-scores_D, kind="stable")
    rows = [int(row) for place, row in enumerate(best) if is_drawn_D[row] or (is_shown_D[row] and place < _SHOWN)]
    matches = tuple((match_of[row], place) for place, row in enumerate(rows) if row in match_of and is_drawn_D[row])
    num_wrong = int(is_drawn_D.sum()) - len(matches)
    found = {place for place, _ in matches}
    wrong = [place for place, row in enumerate(rows) if is_drawn_D[row] and row not in match_of]
    missed = [place for place in range(len(truth)) if place not in found]
    return JudgedItem(
        item=record.item,
        truth=truth,
        prediction=tuple(shown(rows)),
        loss=float(num_wrong + len(truth) - len(matches)),
        matches=matches,
        mistaken=_mistaken(overlaps(np.array(rows)[wrong], np.array(missed)), missed, wrong) if wrong and missed else (),
    )


def _mistaken(overlap_DG: np.ndarray, missed: Sequence[int], wrong: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Missed objects and the wrong predictions that cover them by half; the best scores choose first, each object once."""
    found = []
    for overlap_G, place in zip(overlap_DG, wrong, strict=True):
        nearest = int(overlap_G.argmax())
        if overlap_G[nearest] >= coco.THRESHOLDS_T[_AT_HALF]:
            found.append((missed[nearest], place))
            overlap_DG[:, nearest] = 0.0
    return tuple(found)


def _confusion(
    items: Sequence[JudgedItem], labels: Sequence[str], thresholds: Mapping[str, float]
) -> tuple[tuple[int, ...], ...]:
    """Objects by their label and by that of what was drawn, beside them what lies on nothing and what was missed."""
    if len(labels) > _CONFUSED_LABELS:
        return ()
    nothing = len(labels)
    place_of = {label: place for place, label in enumerate(labels)}
    counts_LL = np.zeros((nothing + 1, nothing + 1), dtype=np.int64)
    for item in items:
        truth, answers = ([_object(one) for one in each] for each in (item.truth, item.prediction))
        found = {**dict(item.matches), **dict(item.mistaken)}
        for true, given in found.items():
            counts_LL[place_of[truth[true].label], place_of[answers[given].label]] += 1
        for place, one in enumerate(truth):
            counts_LL[place_of[one.label], nothing] += place not in found
        for place, one in enumerate(answers):
            is_drawn = (one.score or 0.0) >= thresholds[one.label]
            counts_LL[nothing, place_of[one.label]] += is_drawn and place not in found.values()
    return tuple(tuple(row) for row in counts_LL.tolist())


def _object(one: Annotation) -> Box | Mask | Polygon:
    if not isinstance(one, Box | Mask | Polygon):
        raise TypeError(f"{one.kind} is no object of a picture")
    return one


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


def _best_threshold(one: RankedPredictions) -> float:
    right_P = np.cumsum(one.is_right())
    if one.support == 0 or len(right_P) == 0 or right_P[-1] == 0:
        return DEFAULT_THRESHOLD
    f1_P = 2.0 * right_P / (np.arange(1, len(right_P) + 1) + one.support)
    is_last_of_ties_P = np.append(one.scores_P[1:] < one.scores_P[:-1], True)
    best = int(np.argmax(np.where(is_last_of_ties_P, f1_P, -1.0)))
    below = float(one.scores_P[best + 1]) if best + 1 < len(right_P) else 0.0
    return (float(one.scores_P[best]) + below) / 2.0  # half way to the next one leaves room on both sides
