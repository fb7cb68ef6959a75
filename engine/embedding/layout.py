"""The job ``map``: places the embeddings of a data set in the plane, like beside like.

Up to ``SAMPLE`` pictures are laid out by t-SNE (van der Maaten and Hinton 2008) as openTSNE computes it, started from the two
first principal components, which keeps the large shape (Kobak and Berens 2019, "The art of using t-SNE for single-cell
transcriptomics"). The others are placed at the middle of their nearest neighbours in the sample. UMAP was decided against: no
maintained implementation without numba, and nothing that this page needs is missing. Shapes: N pictures, D features, K
components.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from openTSNE import TSNE
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from engine.embedding.spec import BLOBS_FILE, POSITIONS_FILE, SHARDS_DIR, shard_read, widened
from engine.job import Job

SAMPLE = 10_000
_COMPONENTS = 50
_FIT_ROWS = 4_000
_NEIGHBOURS = 8
_CHUNK = 8_192
_EDGE_QUANTILE = 0.001
_EVERY_ITERATIONS = 25
_NUM_ITERATIONS = 750
_NICENESS = 10


def run(job: Job) -> Mapping[str, float]:
    """Writes ``artefact/blobs.npy`` and ``artefact/positions.npy`` (float32 ``_N2`` in 0..1) and returns their length.

    Raises:
        StoppedError: the job was asked to stop.
    """
    os.nice(_NICENESS)
    job.progress("load", 0.0)
    shards = [shard_read(folder) for folder in sorted((job.data_dir / SHARDS_DIR).glob("*"))]
    blobs_N, first_N = np.unique(np.concatenate([blobs for blobs, _ in shards]), return_index=True)
    features_ND = np.concatenate([features for _, features in shards])[first_N]

    def report(fraction: float) -> None:
        job.progress("layout", fraction)
        job.control.raise_if_stopped()

    positions_N2 = layout(features_ND, num_threads=job.spec.limits.num_threads, seed=job.spec.seed, report=report)
    job.artefact_dir.mkdir(exist_ok=True)
    np.save(job.artefact_dir / BLOBS_FILE, blobs_N)
    np.save(job.artefact_dir / POSITIONS_FILE, positions_N2)
    return {"num_rows": float(len(blobs_N))}


def layout(
    features_ND: NDArray[np.uint16], *, num_threads: int, seed: int, report=lambda _fraction: None
) -> NDArray[np.float32]:
    """Positions ``_N2`` in the unit square; the same features and seed give the same places.

    Args:
        features_ND: bfloat16 as its bits, as a shard has them.
        num_threads: of the layout.
        seed: chooses the sample and breaks ties.
        report: called with the fraction done, now and then; may raise to end the work.
    """
    num = len(features_ND)
    components_NK = _components(features_ND, seed)
    if num < 4:  # nothing to lay out: t-SNE wants neighbours
        return _in_unit_square(components_NK[:, :2])
    report(0.1)
    generator = np.random.default_rng(seed)
    sample_S = np.sort(generator.choice(num, SAMPLE, replace=False)) if num > SAMPLE else np.arange(num)
    placed_S2 = _tsne(components_NK[sample_S], num_threads, seed, report)
    if num == len(sample_S):
        return _in_unit_square(placed_S2)
    return _in_unit_square(_placed(components_NK, sample_S, placed_S2, num_threads, seed))


def _components(features_ND: NDArray[np.uint16], seed: int) -> NDArray[np.float32]:
    """Principal components ``_NK`` of the features at unit length: what decides is the direction, not the contrast."""
    num, width = features_ND.shape
    if num < 2:  # nothing to compare
        return np.zeros((num, 2), dtype=np.float32)
    rows = np.random.default_rng(seed).choice(num, min(num, _FIT_ROWS), replace=False)
    pca = PCA(n_components=max(1, min(_COMPONENTS, num - 1, width)), svd_solver="randomized", random_state=seed)
    pca.fit(_unit(features_ND[rows]))
    components_NK = np.concatenate(
        [pca.transform(_unit(features_ND[start : start + _CHUNK])) for start in range(0, num, _CHUNK)]
    ).astype(np.float32)
    return np.pad(components_NK, ((0, 0), (0, max(0, 2 - components_NK.shape[1]))))


def _unit(features_ND: NDArray[np.uint16]) -> NDArray[np.float32]:
    rows_ND = widened(features_ND)
    return rows_ND / np.maximum(np.linalg.norm(rows_ND, axis=1, keepdims=True), 1e-6)


def _tsne(components_SK: NDArray[np.float32], num_threads: int, seed: int, report) -> NDArray[np.float64]:
    start_S2 = components_SK[:, :2] / max(float(components_SK[:, 0].std()), 1e-6) * 1e-4

    def on_iterations(iteration: int, _error: float, _positions: NDArray) -> bool:
        report(0.1 + 0.8 * min(iteration / _NUM_ITERATIONS, 1.0))
        return False

    tsne = TSNE(
        perplexity=min(30.0, max(2.0, (len(components_SK) - 1) / 3)),
        initialization=start_S2.astype(np.float64),
        n_jobs=num_threads,
        random_state=seed,
        callbacks=on_iterations,
        callbacks_every_iters=_EVERY_ITERATIONS,
        negative_gradient_method="bh" if len(components_SK) < 3_000 else "fft",
    )
    return np.asarray(tsne.fit(components_SK.astype(np.float64)))


def _placed(
    components_NK: NDArray[np.float32], sample_S: NDArray, placed_S2: NDArray, num_threads: int, seed: int
) -> NDArray[np.float64]:
    """Puts every picture outside the sample at the median of its nearest neighbours in it, a hair aside."""
    positions_N2 = np.empty((len(components_NK), 2))
    positions_N2[sample_S] = placed_S2
    rest_R = np.setdiff1d(np.arange(len(components_NK)), sample_S)
    index = NearestNeighbors(n_neighbors=_NEIGHBOURS, algorithm="brute", n_jobs=num_threads).fit(components_NK[sample_S])
    aside = np.random.default_rng(seed).normal(scale=0.002 * float(np.ptp(placed_S2)), size=(len(rest_R), 2))
    for start in range(0, len(rest_R), _CHUNK):
        rows_R = rest_R[start : start + _CHUNK]
        near_RN = index.kneighbors(components_NK[rows_R], return_distance=False)
        positions_N2[rows_R] = np.median(placed_S2[near_RN], axis=1) + aside[start : start + len(rows_R)]
    return positions_N2


def _in_unit_square(positions_N2: NDArray) -> NDArray[np.float32]:
    """Scales both axes alike; a few outliers are pulled to the edge instead of pressing all others together."""
    low_2, high_2 = np.quantile(positions_N2, [_EDGE_QUANTILE, 1 - _EDGE_QUANTILE], axis=0)
    side = max(float((high_2 - low_2).max()), 1e-9)
    return np.clip(0.5 + 0.94 * (positions_N2 - (low_2 + high_2) / 2) / side, 0.0, 1.0).astype(np.float32)
