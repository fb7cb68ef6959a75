"""Augmentation of pictures together with their labels: crop, mirror, colour; by the same draws as whole pictures are varied.

Labels are looked up where the picture's pixels come from, in the truth at its own size: a crop shows as much of it as there is.
Shapes: B batch, H height, W width, C colour channels, K numbers of an item's run lengths.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.data.augment import POLICIES, Draws, Policy, apply_on_cpu, draw
from engine.tasks.semantic_segmentation.raster import LabelMap, map_of

_WHOLE = (0.0, 0.0, 1.0, 1.0)


class Augmenter:
    """Varies a batch and its truth; the same state of the generator gives the same result."""

    def __init__(self, policy: Policy, *, is_mirrored: bool = True):
        if policy not in POLICIES:
            raise ValueError(f"there is no augmentation {policy!r}; known: {', '.join(POLICIES)}")
        self.policy = policy
        self.is_mirrored = is_mirrored

    def __call__(self, pictures_BHWC: Tensor, targets_BK: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Gives pictures of the same shape, and the index of each pixel's label ``_BHW`` (-1: none, -2: does not count).

        Args:
            pictures_BHWC: uint8 RGB on the CPU.
            targets_BK: as in ``data.targets``.
            generator: of the CPU.
        """
        num_pictures, height, width = pictures_BHWC.shape[:3]
        crops_B4, is_flipped_B = np.tile(_WHOLE, (num_pictures, 1)), np.zeros(num_pictures, dtype=bool)
        if self.policy != "none":
            draws = self._drawn(draw(self.policy, num_pictures, generator))
            pictures_BHWC = apply_on_cpu(pictures_BHWC, draws)
            crops_B4, is_flipped_B = draws.crops_B4.double().numpy(), draws.is_flipped_B.numpy()
        maps = [
            _cropped(map_of(runs_K), crop_4, (height, width), is_flipped=bool(is_flipped))
            for runs_K, crop_4, is_flipped in zip(targets_BK.numpy(), crops_B4, is_flipped_B, strict=True)
        ]
        return pictures_BHWC, torch.from_numpy(np.stack(maps))

    def _drawn(self, draws: Draws) -> Draws:
        """Nothing is cut out: what was there could not be told from the rest of the picture."""
        draws = replace(draws, cutouts_B4=torch.zeros_like(draws.cutouts_B4))
        return draws if self.is_mirrored else replace(draws, is_flipped_B=torch.zeros_like(draws.is_flipped_B))


def _cropped(labels_HW: LabelMap, crop_4: NDArray[np.float64], size: tuple[int, int], *, is_flipped: bool) -> LabelMap:
    """What of a label map is seen in a crop that becomes a picture of this height and width."""
    rows = _seen(crop_4[1], crop_4[3], size[0], labels_HW.shape[0])
    columns = _seen(crop_4[0], crop_4[2], size[1], labels_HW.shape[1])
    return labels_HW[np.ix_(rows, columns[::-1] if is_flipped else columns)]


def _seen(start: float, length: float, side_px: int, truth_px: int) -> NDArray[np.int64]:
    """Places in the truth under the centres of ``side_px`` pixels; the crop has the whole pixels that the picture's has."""
    first, count = np.rint(start * side_px), max(1.0, np.rint(length * side_px))
    places = (first + (np.arange(side_px) + 0.5) * count / side_px) * truth_px / side_px
    return np.clip(places.astype(np.int64), 0, truth_px - 1)
