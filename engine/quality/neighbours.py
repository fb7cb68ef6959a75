"""Nearest neighbours by cosine, exact, by blocks of a matrix product: a second for ten thousand vectors.

An approximate index was decided against: the product of 10,000 x 10,000 vectors of 80 numbers is 16 GFLOP, less than decoding a
hundred photographs.

Shapes: N vectors, Q queries, D dimensions, K neighbours.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

_BLOCK_ROWS = 512


def unit_rows(vectors_ND: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scales rows to length one."""
    lengths_N1 = np.linalg.norm(vectors_ND, axis=1, keepdims=True)
    return np.asarray(vectors_ND / np.maximum(lengths_N1, 1e-6), dtype=np.float32)


def neighbours(
    units_ND: NDArray[np.float32], k: int, queries_QD: NDArray[np.float32] | None = None
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Cosines ``_QK`` and rows ``_QK`` of the nearest vectors, nearest first; row i of the queries never finds row i.

    Args:
        units_ND: vectors of length one.
        k: how many; fewer when there are not so many.
        queries_QD: as many as there are vectors; None asks for the vectors themselves.
    """
    base_ND = torch.from_numpy(np.ascontiguousarray(units_ND))
    rows_QD = base_ND if queries_QD is None else torch.from_numpy(np.ascontiguousarray(queries_QD))
    k = min(k, len(base_ND) - 1)
    cosines, rows = [], []
    for start in range(0, len(rows_QD), _BLOCK_ROWS):
        block_QN = rows_QD[start : start + _BLOCK_ROWS] @ base_ND.T
        own = torch.arange(len(block_QN))
        block_QN[own, own + start] = -2.0
        best = block_QN.topk(k, dim=1)
        cosines.append(best.values.numpy())
        rows.append(best.indices.numpy())
    return np.concatenate(cosines), np.concatenate(rows)


def principal(vectors_ND: NDArray[np.float32], num_dimensions: int) -> NDArray[np.float32]:
    """The vectors on their first principal axes, unscaled."""
    centred_ND = torch.from_numpy(vectors_ND - vectors_ND.mean(axis=0))
    covariance_DD = centred_ND.T @ centred_ND / max(1, len(vectors_ND) - 1)
    _, axes_DD = torch.linalg.eigh(covariance_DD)
    return np.asarray((centred_ND @ axes_DD.flip(1)[:, :num_dimensions]).numpy(), dtype=np.float32)
