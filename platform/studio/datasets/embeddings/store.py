"""Embeddings of a dataset's pictures or texts: read from the shards that ``embed`` jobs left, memory-mapped, never by torch.

There is no table of shards: the job rows say which there are, each one's result lies in the blob store as a tree, and a host
that reads it has it in its cache. A shard that a later job took in is not read. Deleted items keep their rows and drop out
when items are asked for. Shapes: N rows, D features.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from automl.contracts.job import JobState
from engine.embedding.spec import BLOBS_FILE, POSITIONS_FILE, Recipe, ShardDamagedError, recipe_of, shard_read, widened
from engine.tasks import task_spec
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.datasets.models import Dataset
from studio.jobs.models import Job
from studio.jobs.workdir import result_prefix

EMBED = "embed"
MAP = "map"
_CHUNK_ROWS = 256
"""Rows widened at once: they stay in the processor's cache, which makes a pass five times as fast."""
_CACHED_SHARDS = 64

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shard:
    """A part of a dataset's embeddings, immutable."""

    job: str
    blobs_N: NDArray[np.bytes_]
    """Ascending."""
    features_ND: NDArray[np.uint16]
    """bfloat16 as its bits, memory-mapped."""

    @cached_property
    def lengths_N(self) -> NDArray[np.float32]:
        """Length of each row, for cosines."""
        starts = range(0, len(self.blobs_N), _CHUNK_ROWS)
        parts = [np.linalg.norm(widened(self.features_ND[start : start + _CHUNK_ROWS]), axis=1) for start in starts]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.float32)


@dataclass(frozen=True)
class Embeddings:
    """All embeddings of a dataset; rows are numbered through the shards in their order."""

    shards: tuple[Shard, ...]

    def __len__(self) -> int:
        return sum(len(shard.blobs_N) for shard in self.shards)

    @cached_property
    def blobs(self) -> NDArray[np.bytes_]:
        """Hash of each row's item, dtype ``S64``."""
        parts = [shard.blobs_N for shard in self.shards]
        return np.concatenate(parts) if parts else np.empty(0, dtype="S64")

    @property
    def matrix(self) -> NDArray[np.float32]:
        """All features ``_ND`` as float32. Five kilobytes a row: ask ``take`` or ``multiply`` when there may be many."""
        return self.take(np.arange(len(self)))

    def find(self, blobs: Sequence[str]) -> NDArray[np.int64]:
        """The row of each item by its hash; -1 where there is none yet."""
        blobs_M = np.array(list(blobs), dtype="S64")
        rows_M = np.full(len(blobs_M), -1, dtype=np.int64)
        start = 0
        for shard in self.shards:
            size = len(shard.blobs_N)
            if size:
                at_M = np.searchsorted(shard.blobs_N, blobs_M).clip(max=size - 1)
                hits_M = shard.blobs_N[at_M] == blobs_M
                rows_M[hits_M] = start + at_M[hits_M]
            start += size
        return rows_M

    def take(self, rows_M: NDArray[np.int64]) -> NDArray[np.float32]:
        """Features of some rows ``_MD``, in the order asked for."""
        if len(rows_M) == 0:
            return np.empty((0, self._width), dtype=np.float32)
        out_MD = np.empty((len(rows_M), self._width), dtype=np.float32)
        start = 0
        for shard in self.shards:
            inside_M = np.flatnonzero((rows_M >= start) & (rows_M < start + len(shard.blobs_N)))
            if len(inside_M):
                out_MD[inside_M] = widened(shard.features_ND[rows_M[inside_M] - start])
            start += len(shard.blobs_N)
        return out_MD

    def multiply(self, weights_DL: NDArray[np.float32]) -> NDArray[np.float32]:
        """Products ``_NL`` of all rows with the columns given, in one pass over the files."""
        out_NL = np.empty((len(self), weights_DL.shape[1]), dtype=np.float32)
        at = 0
        for shard in self.shards:
            for start in range(0, len(shard.blobs_N), _CHUNK_ROWS):
                rows = shard.features_ND[start : start + _CHUNK_ROWS]
                np.dot(widened(rows), weights_DL, out=out_NL[at : at + len(rows)])
                at += len(rows)
        return out_NL

    def cosines(self, query_D: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosine of each row with a query, -1..1."""
        lengths = [shard.lengths_N for shard in self.shards]
        lengths_N = np.concatenate(lengths) if lengths else np.empty(0, dtype=np.float32)
        products_N = self.multiply(query_D[:, None])[:, 0]
        return np.asarray(products_N / np.maximum(lengths_N * np.linalg.norm(query_D), 1e-6), dtype=np.float32)

    @property
    def _width(self) -> int:
        return next((shard.features_ND.shape[1] for shard in self.shards if len(shard.blobs_N)), 0)


def recipe_for(dataset: Dataset) -> Recipe | None:
    """How the items of a dataset become vectors; None where they do not."""
    return recipe_of(task_spec(dataset.project.task).modality)


def embeddings_load(dataset: Dataset) -> Embeddings:
    """What there is for a dataset now; empty before the first job has ended.

    A shard that is lost, or whose bytes are not those that were written, counts as not there: the next job makes it anew.
    """
    return Embeddings(tuple(shard for job in shard_jobs(dataset) if (shard := shard_of(job.id)) is not None))


def shard_of(job: str) -> Shard | None:
    """The shard that a job left; None where it is lost or its bytes are others."""
    try:
        return _shard(job)
    except (ShardDamagedError, BlobMissingError) as error:
        logger.error("embeddings of %s cannot be used: %s", job, error)
        return None


def shard_jobs(dataset: Dataset) -> list[Job]:
    """The jobs whose shards are current, oldest first."""
    recipe = recipe_for(dataset)
    if recipe is None:
        return []
    done = list(
        Job.objects.filter(
            project=dataset.project_id,
            kind=EMBED,
            subject=dataset.id,
            state=JobState.SUCCEEDED.value,
            payload__edition=recipe.edition,
        ).order_by("id")
    )
    replaced = {job for one in done for job in one.payload["takes"]}
    return [job for job in done if job.id not in replaced]


@dataclass(frozen=True)
class Map:
    """Where the items of a dataset lie in the plane."""

    job: str
    blobs_N: NDArray[np.bytes_]
    """Ascending."""
    positions_N2: NDArray[np.float32]
    """In the unit square."""


def map_load(dataset: Dataset) -> Map | None:
    """The newest map of a dataset; None when none has been drawn."""
    rows = Job.objects.filter(project=dataset.project_id, kind=MAP, subject=dataset.id, state=JobState.SUCCEEDED.value)
    job = rows.order_by("-id").first()
    return None if job is None else _map(job.id)


def shard_folder(job: str) -> Path:
    """The folder on this host that holds the shard of a job."""
    return blobs().fetch_tree(result_prefix(job))


@lru_cache(maxsize=_CACHED_SHARDS)
def _shard(job: str) -> Shard:
    blobs_N, features_ND = shard_read(shard_folder(job))
    return Shard(job=job, blobs_N=blobs_N, features_ND=features_ND)


@lru_cache(maxsize=8)
def _map(job: str) -> Map:
    folder = shard_folder(job)
    return Map(job=job, blobs_N=np.load(folder / BLOBS_FILE), positions_N2=np.load(folder / POSITIONS_FILE))
