"""What is counted of each picture to judge labels of pixels, in numpy alone.

Planes are looked up at the centres of the truth's pixels, as the runtime looks them up at those of the picture. Outlines are
compared as in Csurka et al. 2013 (A good boundary measure for semantic segmentation): a pixel on an outline is found where the
other side has one of the same label within a small share of the picture's diagonal. Pixels that do not count are left out, of
outlines too: where a label meets them is no outline.

Shapes: N items, L labels, T steps of sureness, H height, W width.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tasks.semantic_segmentation.raster import BACKGROUND, IGNORED, LabelMap, map_of
from engine.tasks.shared.raster import nearest

SURENESS_STEPS = 50
EDGE_TOLERANCE = 0.0075
"""How far an outline may lie beside the true one, of the picture's diagonal."""
Floats = NDArray[np.float64]
Pixels = NDArray[np.bool_]


@dataclass(frozen=True)
class Counts:
    """Of each item; floats, so that they can be weighed."""

    right_NL: Floats
    """Pixels that truth and answer give the label."""
    predicted_NL: Floats
    """Pixels that the answer gives it."""
    there_NL: Floats
    """Pixels that have it."""
    edge_right_NL: Floats
    """Of the answer's outline, pixels near the true one."""
    edge_predicted_NL: Floats
    edge_recalled_NL: Floats
    """Of the true outline, pixels near the answer's."""
    edge_there_NL: Floats
    num_right_N: Floats
    """Pixels predicted rightly, a label or none."""
    num_pixels_N: Floats
    """Pixels that count."""


@dataclass(frozen=True)
class SurenessCounts:
    """Pixels of all items by how sure the model is of the label that it gives them."""

    right_LT: NDArray[np.int64]
    wrong_LT: NDArray[np.int64]
    there_L: NDArray[np.int64]
    """Pixels that have the label."""


def counted(planes_N2HW: np.ndarray, targets_NK: np.ndarray, limits_L: Floats) -> Counts:
    """Counts pixels that are right, predicted and true.

    Args:
        planes_N2HW: index of each pixel's label (-1: none) and how sure the model is of it.
        targets_NK: as in ``data.targets``.
        limits_L: a pixel of which the model is less sure than its label's limit has none.

    Raises:
        ValueError: there are no items.
    """
    num_items, num_labels = len(planes_N2HW), len(limits_L)
    if num_items == 0:
        raise ValueError("a split without items has no metrics")
    found_7NL, found_2N = np.zeros((7, num_items, num_labels)), np.zeros((2, num_items))
    limits = np.append(limits_L, 0.0)  # the last is that of none
    for item, (truth_HW, predicted_HW, sure_HW) in enumerate(_laid_over(planes_N2HW, targets_NK)):
        is_ignored_HW = truth_HW == IGNORED
        answer_HW = np.where(sure_HW < limits[predicted_HW], np.int16(BACKGROUND), predicted_HW)
        answer_HW[is_ignored_HW] = IGNORED
        is_right_HW = (truth_HW == answer_HW) & ~is_ignored_HW
        found_7NL[:3, item] = [_by_label(each, num_labels) for each in (truth_HW[is_right_HW], answer_HW, truth_HW)]
        found_2N[:, item] = is_right_HW.sum(), truth_HW.size - is_ignored_HW.sum()
        for label in np.flatnonzero(found_7NL[1:3, item].any(axis=0)):
            found_7NL[3:, item, label] = _edges(truth_HW == label, answer_HW == label, is_ignored_HW)
    return Counts(*found_7NL, *found_2N)


def sureness_counts(planes_N2HW: np.ndarray, targets_NK: np.ndarray, num_labels: int) -> SurenessCounts:
    """Counts pixels by label and sureness; arguments as of ``counted``."""
    right_LT, wrong_LT = np.zeros((2, num_labels, SURENESS_STEPS), dtype=np.int64)
    there_L = np.zeros(num_labels, dtype=np.int64)
    for truth_HW, predicted_HW, sure_HW in _laid_over(planes_N2HW, targets_NK):
        there_L += _by_label(truth_HW, num_labels)
        is_label_HW = (predicted_HW != BACKGROUND) & (truth_HW != IGNORED)
        is_right = (truth_HW == predicted_HW)[is_label_HW]
        steps = np.minimum((sure_HW[is_label_HW] * SURENESS_STEPS).astype(np.int64), SURENESS_STEPS - 1)
        places = predicted_HW[is_label_HW].astype(np.int64) * SURENESS_STEPS + steps
        right_LT += _by_place(places[is_right], right_LT.shape)
        wrong_LT += _by_place(places[~is_right], wrong_LT.shape)
    return SurenessCounts(right_LT, wrong_LT, there_L)


def _laid_over(planes_N2HW: np.ndarray, targets_NK: np.ndarray) -> Iterator[tuple[LabelMap, LabelMap, NDArray[np.float32]]]:
    """Of each item the true labels, the predicted ones and their scores, all at the size of the truth."""
    for planes_2HW, runs_K in zip(planes_N2HW, targets_NK, strict=True):
        truth_HW = map_of(runs_K)
        rows, columns = (nearest(there, here) for there, here in zip(planes_2HW.shape[1:], truth_HW.shape, strict=True))
        place = np.ix_(rows, columns)
        yield truth_HW, np.rint(planes_2HW[0]).astype(np.int16)[place], planes_2HW[1].astype(np.float32)[place]


def _by_label(labels: LabelMap, num_labels: int) -> NDArray[np.int64]:
    return np.bincount(np.maximum(labels.reshape(-1) - BACKGROUND, 0), minlength=num_labels + 1)[1:]


def _by_place(places: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.int64]:
    return np.bincount(places, minlength=math.prod(shape)).reshape(shape)


def _edges(truth_HW: Pixels, answer_HW: Pixels, is_ignored_HW: Pixels) -> tuple[int, int, int, int]:
    """Pixels of the answer's outline near the true one, of it at all, of the true one near the answer's, of it at all."""
    reach = max(1, round(EDGE_TOLERANCE * float(np.hypot(*truth_HW.shape))))
    true_HW, predicted_HW = _outline(truth_HW, is_ignored_HW), _outline(answer_HW, is_ignored_HW)
    right, found = (predicted_HW & _widened(true_HW, reach)).sum(), (true_HW & _widened(predicted_HW, reach)).sum()
    return int(right), int(predicted_HW.sum()), int(found), int(true_HW.sum())


def _outline(is_inside_HW: Pixels, is_ignored_HW: Pixels) -> Pixels:
    """Pixels inside with a neighbour outside that counts; the picture's edge is no outline."""
    is_deep_HW, is_beside_HW = is_inside_HW.copy(), is_inside_HW | is_ignored_HW
    is_deep_HW[1:] &= is_beside_HW[:-1]
    is_deep_HW[:-1] &= is_beside_HW[1:]
    is_deep_HW[:, 1:] &= is_beside_HW[:, :-1]
    is_deep_HW[:, :-1] &= is_beside_HW[:, 1:]
    return is_inside_HW & ~is_deep_HW


def _widened(is_line_HW: Pixels, reach: int) -> Pixels:
    """Pixels no further away than ``reach``, along rows and columns each."""
    wide_HW = is_line_HW
    for lines in (False, True):
        done = 0
        while done < reach:
            step = min(reach - done, 2 * done + 1)
            before_HW, wide_HW = wide_HW, wide_HW.copy()
            sides = ((slice(step, None), slice(None, -step)), (slice(None, -step), slice(step, None)))
            for to, of in sides:
                wide_HW[(slice(None), to) if lines else to] |= before_HW[(slice(None), of) if lines else of]
            done += step
    return wide_HW
