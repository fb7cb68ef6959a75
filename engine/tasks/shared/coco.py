"""COCO's way of counting objects, in numpy: which prediction finds which true one, and what precision that buys.

Equal to pycocotools to rounding, for boxes and for masks (``tests/engine``: ``detection``, ``instances``), after its rules (Lin
et al. 2014, https://arxiv.org/abs/1405.0312): predictions choose in the order of their scores; each true object is found once;
true objects outside an area range are neither required nor wrong to find. Written anew because pycocotools needs a compiler,
knows no weights of pictures, and keeps no record of what matched what.

Shapes: N pictures, D predictions of a picture, M true objects of a picture, G true objects of one label, P predictions of one
label in all pictures, T overlaps, R weightings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

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
    """Row of the true object that it finds at each overlap, -1 for none."""
    is_ignored_TP: np.ndarray
    """Neither right nor wrong: what it found, or itself, lies outside the area range."""
    support_N: np.ndarray
    """True objects of the label on each picture, within the area range."""

    @property
    def support(self) -> int:
        """True objects of the label."""
        return int(self.support_N.sum())

    def is_right(self, threshold: int = 0) -> np.ndarray:
        """Whether each prediction finds a true object, ``_P``, at the overlap of this index."""
        return (self.matches_TP[threshold] != _UNMATCHED) & ~self.is_ignored_TP[threshold]

    def is_wrong(self, threshold: int = 0) -> np.ndarray:
        """Whether each prediction finds nothing, ``_P``."""
        return (self.matches_TP[threshold] == _UNMATCHED) & ~self.is_ignored_TP[threshold]

    def precision_recall(self, threshold: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Precision and recall when each prediction is the last that counts, ``_P``."""
        right_P, wrong_P = np.cumsum(self.is_right(threshold)), np.cumsum(self.is_wrong(threshold))
        return right_P / np.maximum(right_P + wrong_P, 1), right_P / max(self.support, 1)

    def average_precision(self, threshold: int, weights_RN: np.ndarray | None = None) -> np.ndarray:
        """Precision at 101 recalls, averaged, for each weighting of the pictures, ``_R``; NaN where no true object weighs.

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


class Shapes(Protocol):
    """What predictions and true objects cover of their pictures."""

    @property
    def areas_ND(self) -> np.ndarray:  # noqa: N802 - the suffix is the shape
        """Areas of the predictions in square pixels, ``_ND``."""

    @property
    def areas_NM(self) -> np.ndarray:  # noqa: N802 - as above
        """Areas of the true objects, ``_NM``."""

    def overlaps(self, picture: int, detected: np.ndarray, truth: np.ndarray) -> np.ndarray:
        """Intersection over union of predictions and true objects of a picture, by their rows, ``_DG``."""


def ranked(
    scores_ND: np.ndarray,
    labels_ND: np.ndarray,
    true_labels_NM: np.ndarray,
    shapes: Shapes,
    num_labels: int,
    *,
    area_range_px: tuple[float, float] = EVERY_AREA,
    thresholds_T: np.ndarray = THRESHOLDS_T,
) -> list[RankedPredictions]:
    """Matches predictions with true objects, one entry a label.

    Args:
        scores_ND: of the predictions.
        labels_ND: theirs; rows with the label -1 do not count.
        true_labels_NM: of the true objects; likewise.
        shapes: of both.
        num_labels: how many there are.
        area_range_px: areas of the true objects that count, in square pixels.
        thresholds_T: overlaps from which an object counts as found.
    """
    of_labels = ((labels_ND == label, true_labels_NM == label, area_range_px, thresholds_T) for label in range(num_labels))
    return [_of_label(scores_ND, shapes, *one) for one in of_labels]


def mean(values: Sequence[float] | np.ndarray) -> float:
    """Mean of what is a number; 0 where nothing is."""
    numbers = np.asarray(values, dtype=np.float64)
    is_number = ~np.isnan(numbers)
    return float(numbers[is_number].mean()) if is_number.any() else 0.0


def _of_label(  # noqa: PLR0917 - one call, the parts of one question
    scores_ND: np.ndarray,
    shapes: Shapes,
    is_label_ND: np.ndarray,
    is_truth_NM: np.ndarray,
    area_range_px: tuple[float, float],
    thresholds_T: np.ndarray,
) -> RankedPredictions:
    low, high = area_range_px
    is_outside_NM = (shapes.areas_NM < low) | (shapes.areas_NM > high)
    is_outside_ND = (shapes.areas_ND < low) | (shapes.areas_ND > high)
    pictures, rows, matches, ignored = [], [], [], []
    for picture in np.flatnonzero(is_label_ND.any(axis=1)):
        detected = np.flatnonzero(is_label_ND[picture])
        detected = detected[np.argsort(-scores_ND[picture, detected], kind="stable")]
        truth = np.flatnonzero(is_truth_NM[picture])
        overlap_DG = shapes.overlaps(int(picture), detected, truth)
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
    """For each overlap and prediction the place of the true object that it takes, -1 for none; predictions are best first."""
    num_detected, num_truth = overlap_DG.shape
    found_TD = np.full((len(thresholds_T), num_detected), _UNMATCHED)
    if num_truth == 0:
        return found_TD
    limits_T1 = np.minimum(thresholds_T, 1 - 1e-10)[:, None]
    is_free_TG = np.ones((len(thresholds_T), num_truth), dtype=bool)
    every_t = np.arange(len(thresholds_T))
    for detected in np.flatnonzero(overlap_DG.max(axis=1) >= limits_T1.min()):
        fits_TG = is_free_TG & (overlap_DG[detected] >= limits_T1)
        inside_TG = fits_TG & ~is_outside_G  # a true object that counts goes before one that does not
        fits_TG = np.where(inside_TG.any(axis=1, keepdims=True), inside_TG, fits_TG)
        values_TG = np.where(fits_TG, overlap_DG[detected], -1.0)
        best_T = num_truth - 1 - values_TG[:, ::-1].argmax(axis=1)  # of equal ones the last, as pycocotools has it
        is_found_T = fits_TG.any(axis=1)
        found_TD[is_found_T, detected] = best_T[is_found_T]
        is_free_TG[every_t[is_found_T], best_T[is_found_T]] = False
    return found_TD


def _interpolated(right_P: np.ndarray, wrong_P: np.ndarray, support: float) -> float:
    total_P = right_P + wrong_P
    precision_P = np.divide(right_P, total_P, out=np.zeros(len(right_P)), where=total_P > 0)
    envelope_P = np.maximum.accumulate(precision_P[::-1])[::-1]
    places = np.searchsorted(right_P / support, _RECALLS, side="left")
    return float(np.append(envelope_P, 0.0)[places].mean())
