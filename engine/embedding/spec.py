"""What an embedding is: the frozen backbone that makes it, and the files that hold it. No torch here: the platform reads this.

A shard is a folder, written once: ``blobs.npy`` (hashes, ascending) and ``features.npy`` (a row each, bfloat16 kept as uint16).
Sixteen bits are enough for distances and heads. bfloat16 rather than float16 because its widening is a shift: 100,000 rows of
1,280 are compared with one in 30 ms, while numpy's widening of float16 alone takes 200.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from automl.contracts.listing import kind_in, kind_names
from automl.contracts.modality import Modality
from engine.data.blob import damaged_file, hashes_write
from engine.errors import EngineError

BACKBONE = "efficientnet_lite"
SIZE = "0"
RESOLUTION_PX = 160
"""Half the work of the backbone's own 224 px; see ``benchmarks/live_suggestions.py`` for what its features are worth."""
EDITION = f"{BACKBONE}{SIZE}-{RESOLUTION_PX}px-1"
"""Names all that an embedding depends on besides the picture. Shards of another edition are not read."""

READER = "text_probe"
READER_SIZE = "multilingual"
MAX_TOKENS = 128
"""Of a text; what follows is not read. Most reviews, messages and headlines are shorter."""
TEXT_EDITION = f"multilingual-e5-small-{MAX_TOKENS}t-1"
"""The same for texts."""

BLOBS_FILE = "blobs.npy"
FEATURES_FILE = "features.npy"
POSITIONS_FILE = "positions.npy"
MISSING_FILE = "wanted.txt"
"""Hashes to compute, one a line, in ``data/``."""
TEXTS_FILE = "texts.json"
"""Of a project of texts: a list in ``data/`` of the texts requested, or of their beginnings, so that no blob is fetched."""
TEXT_CHARACTERS = 4_000
"""So much of a text is handed over at most: ``MAX_TOKENS`` tokens end long before."""
SHARDS_DIR = "shards"
"""Folders of shards, in ``data/``: copied into the new one (``embed``) or arranged in the plane (``map``)."""

GRAPH_FILE = "backbone.onnx"
"""The frozen backbone as a graph: ``picture`` uint8 ``_BHWC`` of ``RESOLUTION_PX``, or ``tokens`` int64 ``_BT``, to
``features`` float32 ``_BD``."""
TOKENIZER_FILE = "tokenizer.json"
"""Turns a text into the tokens that the graph beside it takes; it says where to cut off."""


class ShardDamagedError(EngineError):
    """A file of a shard is not the one that was written."""

    code = "shard_damaged"
    hint = "Bring the files back from a backup of the store, or let the items be looked at again."


@dataclass(frozen=True)
class Recipe:
    """How items of one kind become vectors."""

    edition: str
    files: tuple[str, ...]
    """What an ``embed`` job leaves in ``offered_dir`` for whoever looks at something that is no item."""


_KINDS = "engine.embedding.items"


def recipe_of(modality: Modality) -> Recipe | None:
    """How items of a modality become vectors; None where they do not."""
    recipe: Recipe | None = kind_in(_KINDS, modality.items) if modality.items in kind_names(_KINDS) else None
    return recipe


def offered_dir(cache_dir: Path, edition: str) -> Path:
    """Where an ``embed`` job leaves what it looked with."""
    return cache_dir / "graphs" / edition


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
    hashes_write(folder, (FEATURES_FILE, BLOBS_FILE))


def shard_read(folder: Path) -> tuple[NDArray[np.bytes_], NDArray[np.uint16]]:
    """The hashes and the memory-mapped features of a shard.

    Raises:
        ShardDamagedError: a file is not the one that was written; those of earlier releases are let pass.
    """
    damaged = damaged_file(folder, (FEATURES_FILE, BLOBS_FILE))
    if damaged is not None:
        raise ShardDamagedError(f"{damaged} of the embeddings in {folder.name} is not the file that was written.")
    return np.load(folder / BLOBS_FILE), np.load(folder / FEATURES_FILE, mmap_mode="r")
