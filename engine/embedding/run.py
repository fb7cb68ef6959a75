"""The job ``embed``: features of the frozen backbone for items that have none yet, as one new shard.

Earlier shards named by the platform are taken in, so that a thousand small uploads do not leave a thousand files. Shapes: N
items, D features.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.embedding.items import batches_of
from engine.embedding.spec import MISSING_FILE, SHARDS_DIR, shard_read, shard_write
from engine.job import Job
from engine.tasks import task_spec

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
    hashes = (job.data_dir / MISSING_FILE).read_text(encoding="ascii").split()
    batches = batches_of(task_spec(job.spec.task).modality)
    found: list[tuple[int, NDArray[np.uint16]]] = []
    done, started_s = 0, time.monotonic()
    for rows, features in batches(job, hashes):
        found.extend((row, feature) for row, feature in zip(rows, features, strict=True) if feature is not None)
        done += len(rows)
        elapsed_s = time.monotonic() - started_s
        job.progress("features", 0.98 * done / max(len(hashes), 1), elapsed_s / done * (len(hashes) - done))
        job.control.raise_if_stopped()
    blobs_N = np.array([hashes[index] for index, _ in found], dtype="S64")
    parts = [shard_read(folder) for folder in sorted((job.data_dir / SHARDS_DIR).glob("*"))]
    features_ND = np.stack([feature for _, feature in found]) if found else None
    blobs = [blobs_N, *(part for part, _ in parts)]
    features_by_part = [*([] if features_ND is None else [features_ND]), *(part for _, part in parts)]
    num_rows = _unique_write(job.artefact_dir, blobs, features_by_part)
    job.progress("features", 1.0)
    return {"num_rows": float(num_rows), "num_new": float(len(found)), "num_unreadable": float(len(hashes) - len(found))}


def _unique_write(folder: Path, blobs: Sequence[NDArray[np.bytes_]], rows: Sequence[NDArray[np.uint16]]) -> int:
    """Writes one shard of all parts, each hash once; returns its length."""
    if not rows:
        shard_write(folder, np.empty(0, dtype="S64"), np.empty((0, 0), dtype=np.uint16))
        return 0
    blobs_N, first_N = np.unique(np.concatenate(blobs), return_index=True)
    shard_write(folder, blobs_N, np.concatenate(rows)[first_N])
    return len(blobs_N)
