"""A vector for each picture that says what it shows: from a frozen pretrained backbone, or made by hand where there is none.

Shapes: B batch, N pictures, H height, W width, C channels, D features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from automl.contracts.quality import VECTORS_FILE
from engine import frozen
from engine.assets.fetch import AssetMissingError
from engine.data.image import Pixels
from engine.errors import DataInvalidError
from engine.job import Job
from engine.quality.items.image.measure import FEATURE_SIDE_PX
from engine.quality.items.image.orientation import waves_of
from engine.quality.writing import HANDMADE

FAMILY, SIZE, ASSET = "efficientnet_lite", "0", "efficientnet_lite0"
_CELLS, _DIRECTIONS, _LEVELS = 4, 8, 4


@dataclass(frozen=True)
class Vectorizer:
    """Turns squares into vectors."""

    name: str
    """The asset, or ``handmade``."""
    compute: Callable[[Pixels], NDArray[np.float32]]
    """Squares ``_BHWC`` to vectors ``_BD``."""


def vectorizer(job: Job) -> Vectorizer:
    """The backbone if its weights are in the store or can be had; else the vectors made by hand."""
    try:
        backbone = frozen.pretrained(
            FAMILY,
            SIZE,
            resolution_px=FEATURE_SIDE_PX,
            assets_dir=job.assets_dir,
            cache_dir=job.cache_dir,
            num_threads=job.spec.limits.num_threads,
        )
    except AssetMissingError:
        return Vectorizer(HANDMADE, lambda squares_BHWC: np.stack([handmade(square) for square in squares_BHWC]))
    return Vectorizer(ASSET, backbone.run)


@dataclass(frozen=True)
class StoredVectors:
    """What the platform has of the items' vectors already, by row."""

    name: str
    rows_ND: NDArray[np.float16] | None
    """NaN where there is none."""
    compute: Callable[[Pixels], NDArray[np.float32]] | None
    """For those that lack; None when none does."""

    def of(self, rows: Sequence[int], squares: Sequence[Pixels]) -> NDArray[np.float32]:
        """Vectors ``_BD`` of items by row: as they are stored, or computed from their squares."""
        found = [None if self.rows_ND is None else self.rows_ND[row].astype(np.float32) for row in rows]
        lacking = [place for place, vector in enumerate(found) if vector is None or np.isnan(vector).any()]
        if lacking:
            assert self.compute is not None
            for place, vector in zip(lacking, self.compute(np.stack([squares[place] for place in lacking])), strict=True):
                found[place] = vector
        return np.stack([vector for vector in found if vector is not None])


def stored(job: Job, num_items: int) -> StoredVectors:
    """Vectors that came with the job; the backbone is loaded only where one lacks."""
    path = job.data_dir / VECTORS_FILE
    rows_ND = np.load(path, mmap_mode="r") if path.exists() else None
    if rows_ND is not None and rows_ND.shape[0] != num_items:
        raise DataInvalidError(f"{VECTORS_FILE} has {rows_ND.shape[0]} rows for {num_items} items.")
    if rows_ND is not None and not np.isnan(rows_ND[:, 0]).any():
        return StoredVectors(ASSET, rows_ND, None)
    found = vectorizer(job)
    # Vectors of two kinds cannot be compared: without the backbone all are made by hand.
    return StoredVectors(found.name, rows_ND if found.name == ASSET else None, found.compute)


def handmade(square_HWC: Pixels) -> NDArray[np.float32]:
    """Layout, colours and edge directions of a picture, each part of length one."""
    small_HWC = np.asarray(cv2.resize(square_HWC, (64, 64), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    parts = [waves_of(small_HWC).ravel(), _colours(small_HWC), _edges(small_HWC)]
    return np.concatenate([part / max(float(np.linalg.norm(part)), 1e-6) for part in parts]).astype(np.float32)


def _colours(small_HWC: Pixels) -> NDArray[np.float32]:
    bins = (small_HWC // (256 // _LEVELS)).reshape(-1, 3).astype(np.int64) @ np.array([_LEVELS * _LEVELS, _LEVELS, 1])
    return np.sqrt(np.bincount(bins, minlength=_LEVELS**3)).astype(np.float32)


def _edges(small_HWC: Pixels) -> NDArray[np.float32]:
    """Histograms of gradient directions in 4 x 4 cells (Dalal and Triggs, CVPR 2005, without block normalisation)."""
    grey_HW = cv2.cvtColor(small_HWC, cv2.COLOR_RGB2GRAY).astype(np.float32)
    right_HW, down_HW = cv2.Sobel(grey_HW, cv2.CV_32F, 1, 0), cv2.Sobel(grey_HW, cv2.CV_32F, 0, 1)
    strength_HW, angle_HW = cv2.cartToPolar(right_HW, down_HW)
    direction_HW = (angle_HW / np.pi * _DIRECTIONS).astype(np.int64) % _DIRECTIONS
    row_HW, column_HW = np.mgrid[:64, :64] // (64 // _CELLS)
    bins_HW = (row_HW * _CELLS + column_HW) * _DIRECTIONS + direction_HW
    return np.sqrt(np.bincount(bins_HW.ravel(), strength_HW.ravel(), minlength=_CELLS * _CELLS * _DIRECTIONS))
