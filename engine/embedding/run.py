"""The job ``embed``: features of the frozen backbone for pictures or texts that have none yet, as one new shard.

Earlier shards named by the platform are taken in, so that a thousand small uploads do not leave a thousand files. Shapes: N
pictures, B batch, H height, W width, C channels, D features.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from automl.contracts.dataset import blob_path
from automl.contracts.modality import Modality
from engine import frozen
from engine.data.backend import FrozenBackbone
from engine.data.image import PictureUnreadableError, Pixels, read_picture, resize_picture
from engine.embedding import texts
from engine.embedding.offered import offer
from engine.embedding.spec import (
    BACKBONE,
    EDITION,
    GRAPH_FILE,
    RESOLUTION_PX,
    SHARDS_DIR,
    SIZE,
    WANTED_FILE,
    narrowed,
    shard_read,
    shard_write,
)
from engine.job import Job
from engine.tasks import task_spec

_BATCH = 32
_NICENESS = 10
"""Suggestions may wait for a training; a training should not wait for suggestions."""


def run(job: Job) -> Mapping[str, float]:
    """Writes the shard to ``artefact/`` and returns its size and how many items could not be read.

    Raises:
        StoppedError: the job was asked to stop.
        AssetMissingError: the backbone's weights are not in the store and cannot be had.
    """
    os.nice(_NICENESS)
    job.progress("load", 0.0)
    wanted = (job.data_dir / WANTED_FILE).read_text(encoding="ascii").split()
    is_text = task_spec(job.spec.task).modality is Modality.TEXT
    found: list[tuple[int, NDArray[np.uint16]]] = []
    done, started_s = 0, time.monotonic()
    for rows, features in (_texts if is_text else _pictures)(job, wanted):
        found.extend((row, feature) for row, feature in zip(rows, features, strict=True) if feature is not None)
        done += len(rows)
        elapsed_s = time.monotonic() - started_s
        job.progress("features", 0.98 * done / max(len(wanted), 1), elapsed_s / done * (len(wanted) - done))
        job.control.raise_if_stopped()
    blobs_N = np.array([wanted[index] for index, _ in found], dtype="S64")
    parts = [shard_read(folder) for folder in sorted((job.data_dir / SHARDS_DIR).glob("*"))]
    features_ND = np.stack([feature for _, feature in found]) if found else None
    blobs = [blobs_N, *(part for part, _ in parts)]
    features_by_part = [*([] if features_ND is None else [features_ND]), *(part for _, part in parts)]
    num_rows = _unique_write(job.artefact_dir, blobs, features_by_part)
    job.progress("features", 1.0)
    return {"num_rows": float(num_rows), "num_new": float(len(found)), "num_unreadable": float(len(wanted) - len(found))}


Batches = Iterator[tuple[Sequence[int], Sequence[NDArray[np.uint16] | None]]]
"""Rows of what was asked for, and for each a feature, or None where it cannot be read."""


def _texts(job: Job, wanted: Sequence[str]) -> Batches:
    written = texts.texts_read(job.data_dir, len(wanted))
    reader = texts.reader_load(job.assets_dir, job.cache_dir, job.spec.limits.num_threads)
    for rows, features_BD in reader.features(written):
        yield rows, list(narrowed(features_BD))


def _pictures(job: Job, wanted: Sequence[str]) -> Batches:
    backbone = backbone_load(job.assets_dir, job.cache_dir, job.spec.limits.num_threads)
    for start, features in embedded([(job.data_dir / blob_path(blob), blob) for blob in wanted], backbone):
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


def _unique_write(folder: Path, blobs: Sequence[NDArray[np.bytes_]], rows: Sequence[NDArray[np.uint16]]) -> int:
    """Writes one shard of all parts, each hash once; returns its length."""
    if not rows:
        shard_write(folder, np.empty(0, dtype="S64"), np.empty((0, 0), dtype=np.uint16))
        return 0
    blobs_N, first_N = np.unique(np.concatenate(blobs), return_index=True)
    shard_write(folder, blobs_N, np.concatenate(rows)[first_N])
    return len(blobs_N)
