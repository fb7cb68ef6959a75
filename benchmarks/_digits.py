"""Real pictures with labels for rows that compare accuracy: MNIST's digits from the package of the ``mnist_digits`` card."""

from __future__ import annotations

import gzip
import os
import tempfile
from pathlib import Path

import numpy as np
import pyarrow.csv as pa_csv

from benchmarks.harness import SkippedError
from engine.assets.card import read_card
from engine.assets.fetch import AssetMissingError, fetch_source
from engine.assets.store import weights
from engine.data.image import resize_picture

CACHE_DIR = Path(os.environ.get("MODELYARD_BENCH_CACHE", Path(__file__).parents[1] / "var" / "benchmarks"))
"""What rows keep of packages and features."""
ASSETS_DIR = Path(os.environ.get("MODELYARD_ASSETS", Path(__file__).parents[1] / "var" / "assets"))


def digits(num_pictures: int, side_px: int) -> tuple[np.ndarray, np.ndarray]:
    """Shuffled pictures ``_NHWC`` (uint8, grey as RGB) and their digits ``_N`` (int64).

    Raises:
        SkippedError: the package cannot be had.
    """
    greys_NHW, labels = all_digits()
    order = np.random.default_rng(0).permutation(len(labels))[:num_pictures]
    pictures = [
        resize_picture(np.repeat(grey[..., None], 3, axis=-1), height_px=side_px, width_px=side_px) for grey in greys_NHW[order]
    ]
    return np.stack(pictures), np.array([int(float(labels[place])) for place in order], dtype=np.int64)


def all_digits() -> tuple[np.ndarray, list[str]]:
    """Every picture ``_NHW`` (uint8) in the package's order, and what the package calls each.

    Raises:
        SkippedError: the package cannot be had.
    """
    folder = CACHE_DIR / "mnist_digits"
    path = folder / "digits.csv.gz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            try:
                fetch_source(read_card("mnist_digits"), Path(scratch)).rename(path)
            except AssetMissingError as error:
                raise SkippedError(error.message) from error
    with gzip.open(path) as file:
        table = pa_csv.read_csv(file, read_options=pa_csv.ReadOptions(autogenerate_column_names=True))
    *pixels, labels = table.columns
    greys_NHW = np.stack([column.to_numpy().astype(np.uint8) for column in pixels], axis=1).reshape(-1, 28, 28)
    return greys_NHW, [str(label) for label in labels.to_pylist()]


def weights_file(card: str) -> Path:
    """Pretrained weights from the platform's store.

    Raises:
        SkippedError: they are not there and cannot be had.
    """
    try:
        return weights(card, ASSETS_DIR)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
