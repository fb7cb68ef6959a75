"""Augmentation of pictures together with the objects on them: as of boxes, and masks are cut and mirrored with their boxes.

Masks are looked up in the truth at its own size: what is left of an object after a cut is shown as finely as there is.

Shapes: B batch, H height, W width of an object, C columns, K numbers of an item, M objects, T cells of a mask's side.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.data.augment import Policy
from engine.tasks.instance_segmentation.truth import TrueObject, unpacked
from engine.tasks.shared.boxes_augment import Augmenter as BoxesAugmenter

MASK_SIDE = 56
"""T: twice what the network answers with, so that regions beside the true box are compared as finely."""
NUM_BOX_COLUMNS = 5
_CORNERS, _OBJECT = slice(5, 9), 9
"""Columns on the way: where the uncut object lies, and its place among the batch's."""


class Augmenter:
    """Varies a batch and its truth; the same state of the generator gives the same result."""

    def __init__(self, policy: Policy, *, is_mirrored: bool = True):
        self.boxes = BoxesAugmenter(policy, is_mirrored=is_mirrored)

    def __call__(self, pictures_BHWC: Tensor, targets_BK: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Gives pictures of the same shape, and for each object its box, label and mask within the box, ``_BM(5+TT)``.

        Boxes are left, top, right, bottom as fractions of the picture; masks row by row, 0 or 1; the label -1 pads.

        Args:
            pictures_BHWC: uint8 RGB on the CPU.
            targets_BK: as in ``data.targets``.
            generator: of the CPU.
        """
        rows, objects = _rows(targets_BK.numpy())
        pictures_BHWC, moved_BMC = self.boxes(pictures_BHWC, torch.from_numpy(rows), generator)
        kept = [[row for row in _seen_of(rows_MC, objects) if row is not None] for rows_MC in moved_BMC.numpy()]
        targets_BMC = np.zeros((len(kept), max(1, *map(len, kept)), NUM_BOX_COLUMNS + MASK_SIDE**2), dtype=np.float32)
        targets_BMC[..., 4] = -1
        for place, own in enumerate(kept):
            if own:
                targets_BMC[place, : len(own)] = own
        return pictures_BHWC, torch.from_numpy(targets_BMC)


def _rows(targets_BK: NDArray[np.int32]) -> tuple[NDArray[np.float32], list[TrueObject]]:
    """Boxes ``_BMC`` for the augmenter of boxes, and the objects that their last column counts."""
    truths = [unpacked(runs_K) for runs_K in targets_BK]
    objects = [one for truth in truths for one in truth.objects]
    rows_BMC = np.zeros((len(truths), max(1, *(len(truth.objects) for truth in truths)), _OBJECT + 1), dtype=np.float32)
    rows_BMC[..., 4] = -1
    number = 0
    for rows_MC, truth in zip(rows_BMC, truths, strict=True):
        for row_C, one in zip(rows_MC, truth.objects, strict=False):
            high, wide = one.is_inside_HW.shape
            corners = np.array([one.left, one.top, one.left + wide, one.top + high])
            row_C[:4] = row_C[_CORNERS] = corners / [truth.width, truth.height, truth.width, truth.height]
            row_C[4], row_C[_OBJECT] = one.label, number
            number += 1
    return rows_BMC, objects


def _seen_of(rows_MC: NDArray[np.float32], objects: list[TrueObject]) -> list[NDArray[np.float32] | None]:
    return [_seen(row_C, objects[int(row_C[_OBJECT])]) for row_C in rows_MC if row_C[4] >= 0]


def _seen(row_C: NDArray[np.float32], one: TrueObject) -> NDArray[np.float32] | None:
    """What is left of an object: the box around it, its label and its mask; None where no pixel is."""
    row_C = row_C.astype(np.float64)
    spans = [_Span(row_C[5 + axis], row_C[7 + axis], one.is_inside_HW.shape[1 - axis]) for axis in (0, 1)]
    columns, rows = (span.places(row_C[axis], row_C[2 + axis]) for axis, span in enumerate(spans))
    part_HW = one.is_inside_HW[rows, columns]
    if not part_HW.any():
        return None
    low, high = np.empty(2), np.empty(2)
    for axis, (span, first) in enumerate(zip(spans, (columns.start, rows.start), strict=True)):
        there = np.flatnonzero(part_HW.any(axis=axis)) + first
        edges = span.at(there[0]), span.at(there[-1] + 1)
        low[axis], high[axis] = max(min(edges), row_C[axis]), min(max(edges), row_C[2 + axis])
    if (high <= low).any():
        return None
    centres_T = (np.arange(MASK_SIDE) + 0.5) / MASK_SIDE
    looked_up = [span.place(low[axis] + centres_T * (high[axis] - low[axis])) for axis, span in enumerate(spans)]
    mask_TT = one.is_inside_HW[np.ix_(looked_up[1], looked_up[0])]
    return np.concatenate([low, high, row_C[4:5], mask_TT.reshape(-1)]).astype(np.float32)


class _Span:
    """How pixels of an uncut object lie along an axis of the picture.

    Args:
        start: where its first pixel begins, as a fraction of the picture.
        stop: where its last ends; before the start in a mirrored picture.
        num_pixels: that it has.
    """

    def __init__(self, start: float, stop: float, num_pixels: int):
        self.start, self.stop, self.num_pixels = start, stop, num_pixels

    def at(self, pixel: int) -> float:
        """Where a pixel begins."""
        return float(self.start + (self.stop - self.start) * pixel / self.num_pixels)

    def place(self, fractions: NDArray[np.float64]) -> NDArray[np.int64]:
        """The pixels at some places of the picture."""
        pixels = (fractions - self.start) / (self.stop - self.start) * self.num_pixels
        return np.clip(np.floor(pixels), 0, self.num_pixels - 1).astype(np.int64)

    def places(self, low: float, high: float) -> slice:
        """The pixels between two places of the picture."""
        pixels = sorted(self.place(np.array([low, high]) + np.array([1e-6, -1e-6])).tolist())
        return slice(pixels[0], pixels[1] + 1)
