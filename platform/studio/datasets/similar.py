"""Features of a picture that is no item, such as one that somebody drops on the map to find what looks like it.

The web process computes them itself, with the graph that ``embed`` jobs used, so they can be compared with the stored ones. One
picture takes onnxruntime some 30 ms; a job would take its turn behind trainings. The graph comes from the blob store, where the
end of a job puts it: a web process may run on a host that never saw a job. Shapes: H height, W width, C channels, D features.
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

from engine.embedding.spec import EDITION, GRAPH_FILE, RESOLUTION_PX, graph_path
from studio.common.blobs import blobs
from studio.datasets.picture import picture_small

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

_TREE = f"graphs/{EDITION}"
_LONGER_PX = 4 * RESOLUTION_PX
"""Leaves the shorter side of all but very long pictures at what the backbone takes, or above."""


def graph_keep() -> None:
    """Puts the graph of this host into the blob store, unless it is there or this host has none."""
    path = graph_path(Path(settings.CACHE_DIR))
    if path.exists():
        with tempfile.TemporaryDirectory() as name:
            os.symlink(path, Path(name) / GRAPH_FILE)
            blobs().put_tree(_TREE, Path(name))


def picture_features(data: bytes) -> NDArray[np.float32]:
    """Features ``_D`` of a picture as its file's bytes.

    Raises:
        PictureRefusedError: the bytes are no usable picture.
        BlobMissingError: no job has left the graph yet.
    """
    session = _session(blobs().fetch_tree(_TREE) / GRAPH_FILE)
    small = picture_small(data, longer_px=_LONGER_PX).resize((RESOLUTION_PX, RESOLUTION_PX), Image.Resampling.BILINEAR)
    (features,) = session.run(["features"], {"picture": np.asarray(small, dtype=np.uint8)[None]})
    return np.asarray(features[0], dtype=np.float32)


@lru_cache(maxsize=1)
def _session(path: Path) -> InferenceSession:
    import onnxruntime  # noqa: PLC0415 - thirty megabytes that most web processes never need

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # a search now and then should not hold memory between
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
