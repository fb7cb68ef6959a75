"""How well clicks make masks: the overlap with the true mask after each click, by click policy of RITM (no chance in it).

Sets with true masks, none of which the training saw: stamps of unseen kinds on unseen photographs, and the nuclei that come
with StarDist. Shapes: H height, W width, K things.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.assets.card import AssetCard
from engine.assets.fetch import fetch_source
from engine.click_mask.clicks import Click, first_click, next_click
from engine.click_mask.scenes import Scene, scene_make
from engine.click_mask.sources import Material, Pixels

Mask = NDArray[np.bool_]
Segmenter = Callable[[Pixels], Callable[[list[Click]], Mask]]
"""Begins at a picture; then answers growing lists of clicks at one thing."""

SCENE_PX = (480, 640)
"""Height and width of the test scenes: larger than what the network sees at once."""
_NUCLEI = {
    "img2d": "f9ccc1571b92c861ff87e28463068b43f61bd47357ed0503f711e5cd1eb97750",
    "mask2d": "59ad5e820b7982ca9d13e946fa6e7f64e2714899e00a2ae6c69aa79aad53d46f",
}
_SMALLEST_NUCLEUS_PX = 150
"""Area; smaller ones are cut off by the picture's border."""


def scenes(material: Material, count: int, seed: int = 1) -> Iterator[tuple[Pixels, Mask]]:
    """Pictures of unseen things with one of their masks, the same for the same seed."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        scene: Scene = scene_make(rng, material, *SCENE_PX)
        yield scene.picture_HW3, scene.masks_KHW[rng.integers(len(scene.masks_KHW))]


def nuclei() -> list[tuple[Pixels, Mask]]:
    """The fluorescence picture of the StarDist package with each of its nuclei: real, and nothing like a stamp.

    Raises:
        AssetMissingError: the package cannot be had.
    """
    picture_HW, marks_HW = (_nuclei_file(name) for name in _NUCLEI)
    grey_HW = (picture_HW.astype(np.float32) * 255 / picture_HW.max()).astype(np.uint8)
    picture_HW3 = np.repeat(grey_HW[..., None], 3, axis=-1)
    masks = (marks_HW == mark for mark in np.unique(marks_HW) if mark != 0)
    return [(picture_HW3, mask) for mask in masks if mask.sum() >= _SMALLEST_NUCLEUS_PX]


def _nuclei_file(name: str) -> NDArray[np.uint16]:
    card = AssetCard(
        title="Nuclei with their outlines",
        registry="pypi",
        package="stardist",
        version="0.9.2",
        file=f"stardist/data/images/{name}.tif",
        sha256=_NUCLEI[name],
        size_bytes=524544,
        licence="BSD-3-Clause",
        source="StarDist's example data",
        converter="stamp_pictures",
    )
    with tempfile.TemporaryDirectory() as scratch, Image.open(fetch_source(card, Path(scratch))) as picture:
        return np.asarray(picture)


def overlaps(segmenter: Segmenter, cases: Iterator[tuple[Pixels, Mask]], num_clicks: int, seed: int = 2) -> NDArray[np.float64]:
    """IoU by case and click, ``(cases, clicks)``; a case that is exactly right early keeps its overlap."""
    rng = np.random.default_rng(seed)
    rows = []
    for picture_HW3, target_HW in cases:
        answer = segmenter(picture_HW3)
        clicks = [first_click(rng, target_HW)]
        row: list[float] = []
        for _ in range(num_clicks):
            predicted_HW = answer(clicks)
            row.append(overlap(target_HW, predicted_HW))
            following = next_click(target_HW, predicted_HW)
            if following is None:
                break
            clicks = [*clicks, following]
        rows.append(row + [row[-1]] * (num_clicks - len(row)))
    return np.array(rows)


def overlap(target_HW: Mask, predicted_HW: Mask) -> float:
    """Intersection over union, 0..1."""
    union = int((target_HW | predicted_HW).sum())
    return int((target_HW & predicted_HW).sum()) / union if union else 1.0


def interval(values_N: NDArray[np.float64], seed: int = 3) -> tuple[float, float, float]:
    """The mean and its 95 % interval by 2,000 bootstrap samples."""
    rng = np.random.default_rng(seed)
    means = values_N[rng.integers(0, len(values_N), (2_000, len(values_N)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(values_N.mean()), float(low), float(high)
