"""What an embedding is: the frozen backbone that makes it, and the files that hold it. No torch here: the platform reads this.

A shard is a folder, written once: ``blobs.npy`` (hashes, ascending) and ``features.npy`` (a row each, bfloat16 kept as uint16).
Sixteen bits are enough for distances and heads. bfloat16 rather than float16 because its widening is a shift: 100,000 rows of
1,280 are compared with one in 30 ms, while numpy's widening of float16 alone takes 200.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

BACKBONE = "efficientnet_lite"
SIZE = "0"
RESOLUTION_PX = 160
"""Half the work of the backbone's own 224 px; see ``benchmarks/live_suggestions.py`` for what its features are worth."""
EDITION = f"{BACKBONE}{SIZE}-{RESOLUTION_PX}px-1"
"""Names all that an embedding depends on besides the picture. Shards of another edition are not read."""

BLOBS_FILE = "blobs.npy"
FEATURES_FILE = "features.npy"
POSITIONS_FILE = "positions.npy"
WANTED_FILE = "wanted.txt"
"""Hashes to compute, one a line, in ``data/``."""
SHARDS_DIR = "shards"
"""Folders of shards, in ``data/``: taken into the new one (``embed``) or laid out (``map``)."""


GRAPH_FILE = "backbone.onnx"
"""The frozen backbone as a graph: ``picture`` uint8 ``_BHWC`` of ``RESOLUTION_PX`` to ``features`` float32 ``_BD``."""


def graph_path(cache_dir: Path) -> Path:
    """Where an ``embed`` job leaves the graph that it used, for whoever looks at a picture that is no item."""
    return cache_dir / "graphs" / EDITION / GRAPH_FILE


def narrowed(features: NDArray[np.float32]) -> NDArray[np.uint16]:
    """float32 to bfloat16, rounded to nearest even, as its bits."""
    bits = np.ascontiguousarray(features, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def widened(features: NDArray[np.uint16]) -> NDArray[np.float32]:
    """bfloat16, as its bits, to float32."""
    bits = features.astype(np.uint32)
    np.left_shift(bits, 16, out=bits)
    return bits.view(np.float32)


def shard_write(folder: Path, blobs_N: NDArray[np.bytes_], features_ND: NDArray[np.uint16]) -> None:
    """Writes a shard in the order of its hashes.

    Args:
        folder: made if it is not there.
        blobs_N: hashes, each once, dtype ``S64``.
        features_ND: a row for each, ``narrowed``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    order_N = np.argsort(blobs_N)
    np.save(folder / FEATURES_FILE, features_ND[order_N])
    np.save(folder / BLOBS_FILE, blobs_N[order_N])


def shard_read(folder: Path) -> tuple[NDArray[np.bytes_], NDArray[np.uint16]]:
    """The hashes and the memory-mapped features of a shard."""
    return np.load(folder / BLOBS_FILE), np.load(folder / FEATURES_FILE, mmap_mode="r")
