"""COCO's way of counting boxes, in numpy: which prediction finds which true box, and what precision that buys.

Equal to pycocotools to rounding (``tests/engine/detection/test_coco.py``), after its rules (Lin et al. 2014,
https://arxiv.org/abs/1405.0312): predictions choose in the order of their scores; each true box is found once; true boxes
outside an area range are neither required nor wrong to find. Written anew because pycocotools needs a compiler, knows no
weights of pictures, and keeps no record of what matched what.

Shapes: N pictures, D predictions of a picture, M true boxes of a picture, G true boxes of one label, P predictions of one
label in all pictures, T overlaps, R weightings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

THRESHOLDS_T = np.linspace(0.5, 0.95, 10)
_RECALLS = np.linspace(0.0, 1.0, 101)
AREA_RANGES_PX = {"small": (0.0, 32.0**2), "medium": (32.0**2, 96.0**2), "large": (96.0**2, 1e10)}
EVERY_AREA = (0.0, 1e10)
_UNMATCHED = -1


@dataclass(frozen=True)
class RankedPredictions:
    """The predictions of one label in all pictures, best first."""

    scores_P: np.ndarray
    pictures_P: np.ndarray
    """Index of the picture."""
    rows_P: np.ndarray
    """Row of the prediction among those of its picture."""
    matches_TP: np.ndarray
    """Row of the true box that it finds at each overlap, -1 for none."""
    is_ignored_TP: np.ndarray
    """Neither right nor wrong: what it found, or itself, lies outside the area range."""
    support_N: np.ndarray
    """True boxes of the label on each picture, within the area range."""

    @property
    def support(self) -> int:
        """True boxes of the label."""
        return int(self.support_N.sum())

    def is_right(self, threshold: int = 0) -> np.ndarray:
        """Whether each prediction finds a true box, ``_P``, at the overlap of this index."""
        return (self.matches_TP[threshold] != _UNMATCHED) & ~self.is_ignored_TP[threshold]

    def is_wrong(self, threshold: int = 0) -> np.ndarray:
        """Whether each prediction finds nothing, ``_P``."""
        return (self.matches_TP[threshold] == _UNMATCHED) & ~self.is_ignored_TP[threshold]

    def precision_recall(self, threshold: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Precision and recall when each prediction is the last that counts, ``_P``."""
        right_P, wrong_P = np.cumsum(self.is_right(threshold)), np.cumsum(self.is_wrong(threshold))
        return right_P / np.maximum(right_P + wrong_P, 1), right_P / max(self.support, 1)

    def average_precision(self, threshold: int, weights_RN: np.ndarray | None = None) -> np.ndarray:
        """Precision at 101 recalls, averaged, for each weighting of the pictures, ``_R``; NaN where no true box weighs.

        Args:
            threshold: index of the overlap.
            weights_RN: how often each picture counts; None counts each once.
        """
        weights_RN = np.ones((1, len(self.support_N))) if weights_RN is None else weights_RN
        found_R = []
        for weights_N in weights_RN:
            support = weights_N @ self.support_N
            weights_P = weights_N[self.pictures_P]
            right_P = np.cumsum(weights_P * self.is_right(threshold))
            wrong_P = np.cumsum(weights_P * self.is_wrong(threshold))
            found_R.append(_interpolated(right_P, wrong_P, support) if support > 0 else np.nan)
        return np.array(found_R)


def ranked(
    detections_ND6: np.ndarray,
    targets_NM5: np.ndarray,
    num_labels: int,
    *,
    sizes_N2: np.ndarray | None = None,
    area_range_px: tuple[float, float] = EVERY_AREA,
    thresholds_T: np.ndarray = THRESHOLDS_T,
) -> list[RankedPredictions]:
    """Matches predictions with true boxes, one entry a label.

    Args:
        detections_ND6: x, y, width, height, score, label; rows with the label -1 do not count.
        targets_NM5: left, top, right, bottom, label; likewise.
        num_labels: how many there are.
        sizes_N2: width and height of the pictures in pixels; needed where areas matter.
        area_range_px: areas of the true boxes that are asked, in square pixels.
        thresholds_T: overlaps from which a box counts as found.
    """
    truth_NM4, boxes_ND4 = _as_pixels(detections_ND6, targets_NM5, sizes_N2)
    truth_labels_NM, labels_ND = targets_NM5[..., 4].astype(np.int64), detections_ND6[..., 5].astype(np.int64)
    return [
        _of_label(
            boxes_ND4,
            detections_ND6[..., 4],
            labels_ND == label,
            truth_NM4,
            truth_labels_NM == label,
            area_range_px,
            thresholds_T,
        )
        for label in range(num_labels)
    ]


def mean(values: Sequence[float] | np.ndarray) -> float:
    """Mean of what is a number; 0 where nothing is."""
    numbers = np.asarray(values, dtype=np.float64)
    is_number = ~np.isnan(numbers)
    return float(numbers[is_number].mean()) if is_number.any() else 0.0


def _as_pixels(
    detections_ND6: np.ndarray, targets_NM5: np.ndarray, sizes_N2: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """True boxes and predictions as x, y, width, height; in fractions where sizes are not known."""
    scale_N14 = np.ones((len(targets_NM5), 1, 4)) if sizes_N2 is None else np.tile(sizes_N2, 2)[:, None].astype(np.float64)
    corners_NM4 = targets_NM5[..., :4].astype(np.float64) * scale_N14
    truth_NM4 = np.concatenate([corners_NM4[..., :2], corners_NM4[..., 2:] - corners_NM4[..., :2]], axis=-1)
    return truth_NM4, detections_ND6[..., :4].astype(np.float64) * scale_N14


def _of_label(  # noqa: PLR0917 - one call, the parts of one question
    boxes_ND4: np.ndarray,
    scores_ND: np.ndarray,
    is_label_ND: np.ndarray,
    truth_NM4: np.ndarray,
    is_truth_NM: np.ndarray,
    area_range_px: tuple[float, float],
    thresholds_T: np.ndarray,
) -> RankedPredictions:
    low, high = area_range_px
    areas_NM, areas_ND = truth_NM4[..., 2:].prod(axis=-1), boxes_ND4[..., 2:].prod(axis=-1)
    is_outside_NM = (areas_NM < low) | (areas_NM > high)
    is_outside_ND = (areas_ND < low) | (areas_ND > high)
    pictures, rows, matches, ignored = [], [], [], []
    for picture in np.flatnonzero(is_label_ND.any(axis=1)):
        detected = np.flatnonzero(is_label_ND[picture])
        detected = detected[np.argsort(-scores_ND[picture, detected], kind="stable")]
        truth = np.flatnonzero(is_truth_NM[picture])
        overlap_DG = _iou(boxes_ND4[picture, detected], truth_NM4[picture, truth])
        found_TD = _matched(overlap_DG, is_outside_NM[picture, truth], thresholds_T)
        is_hit_TD = found_TD != _UNMATCHED
        found_TD = np.where(is_hit_TD, truth[found_TD], _UNMATCHED) if len(truth) else found_TD
        hits_outside_TD = is_hit_TD & is_outside_NM[picture][found_TD]
        ignored.append(hits_outside_TD | (~is_hit_TD & is_outside_ND[picture, detected]))
        matches.append(found_TD)
        pictures.append(np.full(len(detected), picture))
        rows.append(detected)
    support_N = (is_truth_NM & ~is_outside_NM).sum(axis=1)
    num_thresholds = len(thresholds_T)
    all_pictures = np.concatenate([np.empty(0, dtype=np.int64), *pictures])
    all_rows = np.concatenate([np.empty(0, dtype=np.int64), *rows])
    all_matches = np.concatenate([np.empty((num_thresholds, 0), dtype=np.int64), *matches], axis=1)
    all_ignored = np.concatenate([np.empty((num_thresholds, 0), dtype=bool), *ignored], axis=1)
    scores_P = scores_ND[all_pictures, all_rows]
    order = np.argsort(-scores_P, kind="stable")
    return RankedPredictions(
        scores_P[order], all_pictures[order], all_rows[order], all_matches[:, order], all_ignored[:, order], support_N
    )


def _matched(overlap_DG: np.ndarray, is_outside_G: np.ndarray, thresholds_T: np.ndarray) -> np.ndarray:
    """For each overlap and prediction the place of the true box that it takes, -1 for none; predictions are best first."""
    num_detected, num_truth = overlap_DG.shape
    found_TD = np.full((len(thresholds_T), num_detected), _UNMATCHED)
    if num_truth == 0:
        return found_TD
    limits_T1 = np.minimum(thresholds_T, 1 - 1e-10)[:, None]
    is_free_TG = np.ones((len(thresholds_T), num_truth), dtype=bool)
    every_t = np.arange(len(thresholds_T))
    for detected in np.flatnonzero(overlap_DG.max(axis=1) >= limits_T1.min()):
        fits_TG = is_free_TG & (overlap_DG[detected] >= limits_T1)
        inside_TG = fits_TG & ~is_outside_G  # a true box that is asked goes before one that is not
        fits_TG = np.where(inside_TG.any(axis=1, keepdims=True), inside_TG, fits_TG)
        values_TG = np.where(fits_TG, overlap_DG[detected], -1.0)
        best_T = num_truth - 1 - values_TG[:, ::-1].argmax(axis=1)  # of equal ones the last, as pycocotools has it
        is_found_T = fits_TG.any(axis=1)
        found_TD[is_found_T, detected] = best_T[is_found_T]
        is_free_TG[every_t[is_found_T], best_T[is_found_T]] = False
    return found_TD


def _iou(boxes_D4: np.ndarray, truth_G4: np.ndarray) -> np.ndarray:
    """``_DG`` of boxes given as x, y, width, height."""
    far_D2, far_G2 = boxes_D4[:, :2] + boxes_D4[:, 2:], truth_G4[:, :2] + truth_G4[:, 2:]
    sides_DG2 = np.minimum(far_D2[:, None], far_G2) - np.maximum(boxes_D4[:, None, :2], truth_G4[:, :2])
    inter_DG = np.clip(sides_DG2, 0, None).prod(axis=-1)
    union_DG = boxes_D4[:, 2:].prod(axis=-1)[:, None] + truth_G4[:, 2:].prod(axis=-1) - inter_DG
    return inter_DG / np.maximum(union_DG, np.finfo(np.float64).tiny)


def _interpolated(right_P: np.ndarray, wrong_P: np.ndarray, support: float) -> float:
    total_P = right_P + wrong_P
    precision_P = np.divide(right_P, total_P, out=np.zeros(len(right_P)), where=total_P > 0)
    envelope_P = np.maximum.accumulate(precision_P[::-1])[::-1]
    places = np.searchsorted(right_P / support, _RECALLS, side="left")
    return float(np.append(envelope_P, 0.0)[places].mean())
