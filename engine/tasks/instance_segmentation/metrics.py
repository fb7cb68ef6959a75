"""How well objects and their pixels fit the truth, in numpy alone.

How objects are matched is in ``shared.coco``, what is reported of them in ``shared.objects``. Masks are compared at the size of
the picture (of large ones at ``LONGEST_SIDE_PX`` of the longer side), laid over it as the runtime does.

Shapes: N items, D detections of an item, C columns of a detection, K numbers of an item's truth, M true objects of an item, G
true objects of one label.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Annotation, Annotations
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import SplitReport
from automl.contracts.task import OutputKind
from engine.tasks.instance_segmentation.truth import Truth, annotations_of, unpacked
from engine.tasks.shared import coco, objects
from engine.tasks.shared.coco import RankedPredictions
from engine.tasks.shared.outcomes import Outcomes
from engine.tasks.shared.raster import PictureSize, drawn_size
from runtime.answers import answers_kind
from runtime.answers.instances import Part, part_of

_SCORE, _LABEL = 4, 5


def metrics(instances_NDC: np.ndarray, targets_NK: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """The task's metrics by name, with the thresholds that these very items recommend.

    Args:
        instances_NDC: x, y, width, height as fractions, score, label, mask; rows with the label -1 are empty.
        targets_NK: as in ``data.targets``.
        labels: names in the order of the indices.

    Raises:
        ValueError: there are no items.
    """
    by_label = _Compared(instances_NDC, targets_NK).ranked(labels)
    return objects.metrics_of(by_label, objects.best_thresholds(by_label, labels), labels)


def recommended_thresholds(
    instances_NDC: np.ndarray, targets_NK: np.ndarray, labels: Sequence[str], *, objective: str = ""
) -> Mapping[str, float]:
    """The score from which objects of each label should be drawn: the best F1; one half where there is none to find."""
    del objective
    return objects.best_thresholds(_Compared(instances_NDC, targets_NK).ranked(labels), labels)


def split_report(
    split: Split,
    records: Sequence[ItemRecord],
    instances_NDC: np.ndarray,
    targets_NK: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> SplitReport:
    """Everything that a report shows of one split.

    Args:
        split: which one.
        records: its items, in the order of the detections.
        instances_NDC: as in ``metrics``.
        targets_NK: as in ``metrics``.
        labels: names in the order of the indices.
        thresholds: as ``recommended_thresholds`` gave them, mostly for another split.
    """
    scales = [record.media.width * record.media.height / math.prod(drawn_size(record)) for record in records]
    compared = _Compared(instances_NDC, targets_NK, scales)
    by_label = compared.ranked(labels)
    kind = answers_kind(OutputKind.INSTANCES.value)(labels)

    def shown(place: int, rows: Sequence[int]) -> Sequence[Annotation]:
        size = PictureSize(records[place].media.width, records[place].media.height)
        return Annotations.validate_python(kind.passing(instances_NDC[place, rows].astype(np.float32), size, {}))

    items = objects.judged_items(
        records,
        instances_NDC[..., _SCORE : _LABEL + 1],
        by_label,
        labels,
        thresholds,
        truth_of=annotations_of,
        shown=shown,
        overlaps=compared.overlaps,
    )
    per_size = objects.size_metrics(lambda area_range_px: compared.ranked(labels, area_range_px=area_range_px))
    return objects.report_of(split, by_label, labels, thresholds, per_size=per_size, items=items)


def outcomes(
    report: SplitReport,
    instances_NDC: np.ndarray,
    targets_NK: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> Outcomes:
    """The F1 of each item's objects; arguments as of ``split_report``, and what it gave."""
    del instances_NDC, targets_NK, labels, thresholds
    return objects.outcomes(report)


class _Compared:
    """Predicted and true objects of items, see ``coco.Shapes``.

    Args:
        instances_NDC: as in ``metrics``.
        targets_NK: as in ``metrics``.
        scales_N: square pixels of the picture for one of it as it is compared.

    Raises:
        ValueError: there are no items.
    """

    def __init__(self, instances_NDC: np.ndarray, targets_NK: np.ndarray, scales_N: Sequence[float] | None = None):
        if len(instances_NDC) == 0:
            raise ValueError("a split without items has no metrics")
        self.scores_ND = instances_NDC[..., _SCORE].astype(np.float64)
        self.labels_ND = instances_NDC[..., _LABEL].astype(np.int64)
        truths = [unpacked(runs_K) for runs_K in targets_NK]
        self.truth = [[Part(one.left, one.top, one.is_inside_HW) for one in truth.objects] for truth in truths]
        self.found = [_parts(rows_DC, truth) for rows_DC, truth in zip(instances_NDC, truths, strict=True)]
        most = max(1, *map(len, self.truth))
        self.true_labels_NM = np.full((len(truths), most), -1)
        for own_M, truth in zip(self.true_labels_NM, truths, strict=True):
            own_M[: len(truth.objects)] = [one.label for one in truth.objects]
        scales = [1.0] * len(truths) if scales_N is None else scales_N
        self.areas_NM, self.areas_ND = np.zeros((len(truths), most)), np.zeros(self.scores_ND.shape)
        for place, scale in enumerate(scales):
            self.areas_NM[place, : len(self.truth[place])] = [scale * _area(part) for part in self.truth[place]]
            self.areas_ND[place] = [scale * _area(part) for part in self.found[place]]
        self.known: dict[tuple[int, int, int], float] = {}

    def ranked(self, labels: Sequence[str], *, area_range_px: tuple[float, float] = coco.EVERY_AREA) -> list[RankedPredictions]:
        """The predictions of each label, matched with the truth."""
        return coco.ranked(self.scores_ND, self.labels_ND, self.true_labels_NM, self, len(labels), area_range_px=area_range_px)

    def overlaps(self, picture: int, detected: np.ndarray, truth: np.ndarray) -> np.ndarray:
        """See ``coco.Shapes``."""
        overlaps_DG = np.zeros((len(detected), len(truth)))
        for at, row in enumerate(detected.tolist()):
            for place, number in enumerate(truth.tolist()):
                overlaps_DG[at, place] = self._overlap(picture, row, number)
        return overlaps_DG

    def _overlap(self, picture: int, row: int, number: int) -> float:
        key = (picture, row, number)
        if key not in self.known:
            found, true = self.found[picture][row], self.truth[picture][number]
            shared = _shared(found, true)
            self.known[key] = shared / max(_area(found) + _area(true) - shared, 1)
        return self.known[key]


_NOTHING = Part(0, 0, np.zeros((0, 0), dtype=bool))


def _parts(rows_DC: np.ndarray, truth: Truth) -> list[Part]:
    """Each prediction laid over its picture; nothing of rows without one."""
    size = PictureSize(truth.width, truth.height)
    return [part_of(row_C, size) if row_C[_LABEL] >= 0 else _NOTHING for row_C in rows_DC.astype(np.float32)]


def _area(part: Part) -> int:
    return int(np.count_nonzero(part.is_inside_hw))


def _shared(one: Part, other: Part) -> int:
    """Pixels that two parts of a picture both hold."""
    left, top = max(one.left, other.left), max(one.top, other.top)
    sides = [(part.is_inside_hw.shape[1] + part.left, part.is_inside_hw.shape[0] + part.top) for part in (one, other)]
    right, bottom = (min(each) for each in zip(*sides, strict=True))
    if right <= left or bottom <= top:
        return 0
    cut: list[NDArray[np.bool_]] = [
        part.is_inside_hw[top - part.top : bottom - part.top, left - part.left : right - part.left] for part in (one, other)
    ]
    return int(np.count_nonzero(cut[0] & cut[1]))
