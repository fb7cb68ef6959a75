"""How well boxes fit the truth, in numpy alone.

How objects are matched is in ``shared.coco``, what is reported of them in ``shared.objects``.

Shapes: N items, D detections of an item, M true boxes of an item, G true boxes of one label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from automl.contracts.annotation import Box
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import SizeMetrics, SplitReport
from engine.tasks.shared import coco, objects
from engine.tasks.shared.coco import RankedPredictions
from engine.tasks.shared.outcomes import Outcomes


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
    return objects.metrics_of(by_label, objects.best_thresholds(by_label, labels), labels)


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
    within = partial(ranked, detections_ND6, targets_NM5, len(labels), sizes_N2=sizes_N2)
    return objects.size_metrics(lambda area_range_px: within(area_range_px=area_range_px))


def recommended_thresholds(
    detections_ND6: np.ndarray, targets_NM5: np.ndarray, labels: Sequence[str], *, objective: str = ""
) -> Mapping[str, float]:
    """The score from which boxes of each label should be drawn: the best F1; one half where there is none to find."""
    del objective
    return objects.best_thresholds(_ranked(detections_ND6, targets_NM5, labels), labels)


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
    items = objects.judged_items(
        records,
        detections_ND6[..., 4:],
        by_label,
        labels,
        thresholds,
        truth_of=_truth,
        shown=lambda place, rows: [_box(detections_ND6[place, row], records[place], labels) for row in rows],
        overlaps=_shapes(detections_ND6, targets_NM5).overlaps,
    )
    per_size = size_metrics(detections_ND6, targets_NM5, labels, sizes_N2)
    return objects.report_of(split, by_label, labels, thresholds, per_size=per_size, items=items)


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
    return objects.outcomes(report)


def ranked(
    detections_ND6: np.ndarray,
    targets_NM5: np.ndarray,
    num_labels: int,
    *,
    sizes_N2: np.ndarray | None = None,
    area_range_px: tuple[float, float] = coco.EVERY_AREA,
) -> list[RankedPredictions]:
    """Matches predicted boxes with true ones, one entry a label.

    Args:
        detections_ND6: x, y, width, height, score, label; rows with the label -1 do not count.
        targets_NM5: left, top, right, bottom, label; likewise.
        num_labels: how many there are.
        sizes_N2: width and height of the pictures in pixels; needed where areas matter.
        area_range_px: areas of the true boxes that count, in square pixels.
    """
    true_labels_NM, labels_ND = targets_NM5[..., 4].astype(np.int64), detections_ND6[..., 5].astype(np.int64)
    shapes = _shapes(detections_ND6, targets_NM5, sizes_N2)
    return coco.ranked(detections_ND6[..., 4], labels_ND, true_labels_NM, shapes, num_labels, area_range_px=area_range_px)


@dataclass(frozen=True)
class _Boxes:
    """See ``coco.Shapes``; x, y, width, height."""

    boxes_ND4: np.ndarray
    truth_NM4: np.ndarray

    @property
    def areas_ND(self) -> np.ndarray:  # noqa: N802 - the suffix is the shape
        areas_ND: np.ndarray = self.boxes_ND4[..., 2:].prod(axis=-1)
        return areas_ND

    @property
    def areas_NM(self) -> np.ndarray:  # noqa: N802 - as above
        areas_NM: np.ndarray = self.truth_NM4[..., 2:].prod(axis=-1)
        return areas_NM

    def overlaps(self, picture: int, detected: np.ndarray, truth: np.ndarray) -> np.ndarray:
        return _iou(self.boxes_ND4[picture, detected], self.truth_NM4[picture, truth])


def _ranked(detections_ND6: np.ndarray, targets_NM5: np.ndarray, labels: Sequence[str]) -> list[RankedPredictions]:
    if len(detections_ND6) == 0:
        raise ValueError("a split without items has no metrics")
    return ranked(detections_ND6, targets_NM5, len(labels))


def _truth(record: ItemRecord) -> list[Box]:
    return [annotation for annotation in record.annotations if isinstance(annotation, Box)]


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


def _shapes(detections_ND6: np.ndarray, targets_NM5: np.ndarray, sizes_N2: np.ndarray | None = None) -> _Boxes:
    """Predictions and true boxes; in fractions where sizes are not known."""
    scale_N14 = np.ones((len(targets_NM5), 1, 4)) if sizes_N2 is None else np.tile(sizes_N2, 2)[:, None].astype(np.float64)
    corners_NM4 = targets_NM5[..., :4].astype(np.float64) * scale_N14
    truth_NM4 = np.concatenate([corners_NM4[..., :2], corners_NM4[..., 2:] - corners_NM4[..., :2]], axis=-1)
    return _Boxes(detections_ND6[..., :4].astype(np.float64) * scale_N14, truth_NM4)


def _iou(boxes_D4: np.ndarray, truth_G4: np.ndarray) -> np.ndarray:
    """``_DG`` of boxes given as x, y, width, height."""
    far_D2, far_G2 = boxes_D4[:, :2] + boxes_D4[:, 2:], truth_G4[:, :2] + truth_G4[:, 2:]
    sides_DG2 = np.minimum(far_D2[:, None], far_G2) - np.maximum(boxes_D4[:, None, :2], truth_G4[:, :2])
    inter_DG = np.clip(sides_DG2, 0, None).prod(axis=-1)
    union_DG = boxes_D4[:, 2:].prod(axis=-1)[:, None] + truth_G4[:, 2:].prod(axis=-1) - inter_DG
    return inter_DG / np.maximum(union_DG, np.finfo(np.float64).tiny)
