"""The frozen backbone of embeddings for pictures. Shapes: B batch, H height, W width, C channels, D features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from automl.contracts.dataset import blob_path
from engine import frozen
from engine.data.backend import FrozenBackbone
from engine.data.image import PictureUnreadableError, Pixels, read_picture, resize_picture
from engine.embedding.items import Batches
from engine.embedding.offered import offer
from engine.embedding.spec import BACKBONE, EDITION, GRAPH_FILE, RESOLUTION_PX, SIZE, narrowed
from engine.job import Job

_BATCH = 32


def batches(job: Job, hashes: Sequence[str]) -> Batches:
    """See ``Embed``."""
    backbone = backbone_load(job.assets_dir, job.cache_dir, job.spec.limits.num_threads)
    for start, features in embedded([(job.data_dir / blob_path(blob), blob) for blob in hashes], backbone):
        yield range(start, start + len(features)), features


def backbone_load(assets_dir: Path, cache_dir: Path, num_threads: int) -> FrozenBackbone:
    """The frozen backbone of embeddings; its graph lies in ``spec.offered_dir`` from then on."""
    backbone = frozen.pretrained(
        BACKBONE, SIZE, resolution_px=RESOLUTION_PX, assets_dir=assets_dir, cache_dir=cache_dir, num_threads=num_threads
    )
    offer(cache_dir, EDITION, GRAPH_FILE, backbone.path)
    return backbone


def embedded(
    pictures: Sequence[tuple[Path, str]], backbone: FrozenBackbone
) -> Iterator[tuple[int, list[NDArray[np.uint16] | None]]]:
    """Yields features batch by batch: the index of the first picture, and a row or None (unreadable) for each.

    The next batch is decoded while the backbone looks at this one.

    Args:
        pictures: files with the hashes that they must have; one with another is as good as unreadable.
        backbone: looks at them.
    """
    starts = range(0, len(pictures), _BATCH)
    with ThreadPoolExecutor(2) as decoders, ThreadPoolExecutor(1) as ahead:

        def decoded(start: int) -> list[Pixels | None]:
            return list(decoders.map(_picture, pictures[start : start + _BATCH]))

        upcoming = ahead.submit(decoded, 0) if pictures else None
        for start in starts:
            assert upcoming is not None
            pixels = upcoming.result()
            if start + _BATCH < len(pictures):
                upcoming = ahead.submit(decoded, start + _BATCH)
            yield start, _features(pixels, backbone)


def _features(pictures: Sequence[Pixels | None], backbone: FrozenBackbone) -> list[NDArray[np.uint16] | None]:
    readable = [picture for picture in pictures if picture is not None]
    rows = iter(narrowed(backbone.run(np.stack(readable)))) if readable else iter(())
    return [None if picture is None else next(rows) for picture in pictures]


def _picture(picture: tuple[Path, str]) -> Pixels | None:
    path, sha256 = picture
    try:
        pixels_HWC = read_picture(path, min_side_px=RESOLUTION_PX, sha256=sha256)
    except PictureUnreadableError:
        return None
    return resize_picture(pixels_HWC, height_px=RESOLUTION_PX, width_px=RESOLUTION_PX)
