"""Parts of large pictures with their truth: drawn at random to learn from, and an even grid of them to judge epochs by.

Half of the random parts are put around a pixel of a label, rare labels first, as a part drawn anywhere mostly shows none. What
lies outside of a picture continues its edge, and does not count.

Shapes: N pictures, B batch, S side of a part, H height, W width, C colour channels, K numbers of a picture's run lengths.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from automl.planning.tiles import MOST_JUDGED
from engine.data.augment import Draws, Policy, apply_on_cpu, draw
from engine.tasks.semantic_segmentation.raster import IGNORED, LabelMap, map_of, pixels_by_label, runs_of
from runtime.pipelines.tiles import starts, window

AROUND_LABEL = 0.5
"""Share of the parts that are put around a pixel of a label."""
_ZOOMS = {"none": 1.0, "light": 1.2, "strong": 1.5}
"""Largest factor by which the side of a part differs from what the network sees."""
Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class TiledTruth:
    """Pictures and their truth."""

    picture: Callable[[int], Pixels]
    """A picture ``_HWC`` by its place."""
    targets_NK: NDArray[np.int32]
    """As in ``data.targets``."""
    num_labels: int
    window_px: int


class RandomTiles:
    """Takes places of pictures ``_B1`` and gives parts of them ``_BSSC`` with their label maps ``_BSS``."""

    def __init__(self, truth: TiledTruth, policy: Policy, *, is_mirrored: bool = True):
        self._truth, self._policy, self._is_mirrored = truth, policy, is_mirrored
        pixels_NL = pixels_by_label(truth.targets_NK, truth.num_labels)[:, 1:]
        chances_L = 1.0 / np.sqrt(np.maximum(pixels_NL.sum(axis=0), 1))
        self._chances_NL = (pixels_NL > 0) * chances_L

    def __call__(self, places_B1: Tensor, targets: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """The same state of the generator gives the same parts; the targets given are passed over."""
        del targets
        chance = np.random.default_rng(int(torch.randint(2**62, (1,), generator=generator)))
        parts = [self._part(int(place), chance) for place in places_B1[:, 0]]
        pictures_BSSC = torch.from_numpy(np.stack([picture for picture, _ in parts]))
        maps_BSS = torch.from_numpy(np.stack([labels for _, labels in parts]))
        if self._policy == "none":
            return pictures_BSSC, maps_BSS
        draws = self._drawn(draw(self._policy, len(parts), generator))
        maps_BSS = torch.where(draws.is_flipped_B[:, None, None], maps_BSS.flip(2), maps_BSS)
        return apply_on_cpu(pictures_BSSC, draws), maps_BSS

    def _drawn(self, draws: Draws) -> Draws:
        """Of what is drawn for whole pictures, colours and mirroring."""
        whole_B4 = torch.tensor([0.0, 0.0, 1.0, 1.0]).expand_as(draws.crops_B4)
        is_flipped_B = draws.is_flipped_B & self._is_mirrored
        return replace(draws, crops_B4=whole_B4, cutouts_B4=torch.zeros_like(draws.cutouts_B4), is_flipped_B=is_flipped_B)

    def _part(self, place: int, chance: np.random.Generator) -> tuple[Pixels, LabelMap]:
        truth, picture_HWC = self._truth, self._truth.picture(place)
        height, width = picture_HWC.shape[:2]
        zoom = math.log(_ZOOMS[self._policy])
        side = max(1, round(truth.window_px * math.exp(chance.uniform(-zoom, zoom))))
        rest = max(0, height - side), max(0, width - side)
        top, left = (int(chance.integers(0, most + 1)) for most in rest)
        if self._chances_NL[place].any() and chance.random() < AROUND_LABEL:
            y, x = self._labelled(place, chance, (height, width))
            top, left = (
                int(np.clip(centre - chance.uniform(0.1, 0.9) * side, 0, most))
                for centre, most in zip((y, x), rest, strict=True)
            )
        size = (truth.window_px, truth.window_px)
        method = cv2.INTER_AREA if side > size[0] else cv2.INTER_LINEAR
        part_HWC = cv2.resize(window(picture_HWC, top, left, side), size, interpolation=method).astype(np.uint8, copy=False)
        labels_HW = map_of(truth.targets_NK[place])
        return part_HWC, cut(labels_HW, (height, width), (top, left, side), truth.window_px)

    def _labelled(self, place: int, chance: np.random.Generator, size: tuple[int, int]) -> tuple[float, float]:
        """A pixel of a label, as a place in the picture."""
        chances_L = self._chances_NL[place]
        label = int(chance.choice(len(chances_L), p=chances_L / chances_L.sum()))
        runs_K = self._truth.targets_NK[place]
        ends_R = np.cumsum(runs_K[3::2])
        lengths_R = np.where(runs_K[2::2] == label, runs_K[3::2], 0)
        run = int(np.searchsorted(np.cumsum(lengths_R), chance.integers(0, lengths_R.sum()), side="right"))
        flat = int(ends_R[run] - 1 - chance.integers(0, lengths_R[run]))
        rows, columns = runs_K[:2]
        y, x = divmod(flat, int(columns))
        return (y + 0.5) * size[0] / rows, (x + 0.5) * size[1] / columns


class GridTiles:
    """An even grid of parts of each picture, in a fixed order."""

    def __init__(self, truth: TiledTruth):
        self._truth = truth
        self._windows: list[tuple[int, int, int]] = []
        maps, size = [], truth.window_px
        for place in range(len(truth.targets_NK)):
            height, width = truth.picture(place).shape[:2]
            places = [(place, int(top), int(left)) for top in starts(height, size, size) for left in starts(width, size, size)]
            kept = np.unique(np.linspace(0, len(places) - 1, min(len(places), MOST_JUDGED)).round().astype(int))
            labels_HW = map_of(truth.targets_NK[place])
            for at in kept:
                self._windows.append(places[at])
                maps.append(cut(labels_HW, (height, width), (*places[at][1:], size), size))
        self.targets_MK = runs_of(maps)
        """Of each part, as in ``data.targets``."""

    def __call__(self, numbers_B1: Tensor, targets: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Parts ``_BSSC`` by their numbers, with the targets given."""
        del generator
        parts = [self._windows[int(number)] for number in numbers_B1[:, 0]]
        pictures = [window(self._truth.picture(place), top, left, self._truth.window_px) for place, top, left in parts]
        return torch.from_numpy(np.stack(pictures)), targets


def cut(labels_HW: LabelMap, size: tuple[int, int], part: tuple[int, int, int], side_px: int) -> LabelMap:
    """The truth of a part of a picture, ``_SS``.

    Args:
        labels_HW: of the whole picture, at any size.
        size: height and width of the picture.
        part: top, left and side, in its pixels.
        side_px: of the result.
    """
    top, left, side = part
    found = []
    for begin, whole, drawn in ((top, size[0], labels_HW.shape[0]), (left, size[1], labels_HW.shape[1])):
        places = begin + (np.arange(side_px) + 0.5) * side / side_px
        found.append((np.clip((places * drawn / whole).astype(np.int64), 0, drawn - 1), places < whole))
    (rows, is_row), (columns, is_column) = found
    return np.where(is_row[:, None] & is_column, labels_HW[np.ix_(rows, columns)], np.int16(IGNORED))
