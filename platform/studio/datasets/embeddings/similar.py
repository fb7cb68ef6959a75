"""Features of a picture or text that is no item, such as a picture that somebody drops on the map or a sentence that is typed.

The web process computes them itself, with the graph that ``embed`` jobs used, so they can be compared with the stored ones. One
picture takes onnxruntime some 30 ms, a sentence about as long; a job would take its turn behind trainings. The graph comes from
the blob store, where the end of a job puts it: a web process may run on a host that never saw a job. That of texts holds 0.4
GB in a process from its first search on. Shapes: H height, W width, C channels, T tokens, D features.
"""

from __future__ import annotations

import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from django.conf import settings
from numpy.typing import NDArray
from PIL import Image

from engine.embedding.spec import (
    EDITION,
    GRAPH_FILE,
    RESOLUTION_PX,
    TEXT_CHARACTERS,
    TEXT_EDITION,
    TOKENIZER_FILE,
    Recipe,
    offered_dir,
)
from studio.common.blobs import blobs
from studio.datasets.files.picture import picture_small

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_TREES = "graphs"
_LONGER_PX = 4 * RESOLUTION_PX
"""Leaves the shorter side of all but very long pictures at what the backbone takes, or above."""


def graph_keep(recipe: Recipe) -> None:
    """Puts the backbone of this host into the blob store, unless it is there or this host has only a part of it."""
    folder = offered_dir(Path(settings.CACHE_DIR), recipe.edition)
    if all((folder / name).exists() for name in recipe.files):
        with tempfile.TemporaryDirectory() as scratch:
            for name in recipe.files:
                os.symlink(folder / name, Path(scratch) / name)
            blobs().put_tree(f"{_TREES}/{recipe.edition}", Path(scratch))


def picture_features(data: bytes) -> NDArray[np.float32]:
    """Features ``_D`` of a picture as its file's bytes.

    Raises:
        PictureRefusedError: the bytes are no usable picture.
        BlobMissingError: no job has left the graph yet.
    """
    session = _session(_folder(EDITION) / GRAPH_FILE)
    small = picture_small(data, longer_px=_LONGER_PX).resize((RESOLUTION_PX, RESOLUTION_PX), Image.Resampling.BILINEAR)
    (features,) = session.run(["features"], {"picture": np.asarray(small, dtype=np.uint8)[None]})
    return np.asarray(features[0], dtype=np.float32)


def text_features(text: str) -> NDArray[np.float32]:
    """Features ``_D`` of a text.

    Raises:
        BlobMissingError: no job has left the graph yet.
    """
    folder = _folder(TEXT_EDITION)
    ids = _tokenizer(folder / TOKENIZER_FILE).encode(text[:TEXT_CHARACTERS].strip()).ids
    (features,) = _session(folder / GRAPH_FILE).run(["features"], {"tokens": np.array([ids], dtype=np.int64)})
    return np.asarray(features[0], dtype=np.float32)


def text_read(text: str) -> str:
    """So much of a text's beginning as ``text_features`` looks at.

    Raises:
        BlobMissingError: no job has left the tokenizer yet.
    """
    handed = text[:TEXT_CHARACTERS]
    offsets = _tokenizer(_folder(TEXT_EDITION) / TOKENIZER_FILE).encode(handed.strip()).offsets
    return handed[: len(handed) - len(handed.lstrip()) + max((end for _, end in offsets), default=0)]


def _folder(edition: str) -> Path:
    return blobs().fetch_tree(f"{_TREES}/{edition}")


@lru_cache(maxsize=2)
def _session(path: Path) -> InferenceSession:
    import onnxruntime  # noqa: PLC0415 - thirty megabytes that most web processes never need

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # a search now and then should not hold memory between
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


@lru_cache(maxsize=1)
def _tokenizer(path: Path) -> Tokenizer:
    from tokenizers import Tokenizer  # noqa: PLC0415 - as above

    return Tokenizer.from_file(str(path))
