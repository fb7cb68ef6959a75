"""Losses of a booster of our own, and where they would have its outputs go: squared error and log loss.

Shapes: N rows, K outputs (one a label from three labels on, else one).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Gradients(NamedTuple):
    """How the loss would have the outputs change: less its derivatives, and its second ones (None: 1), ``_NK``."""

    first_NK: NDArray[np.float64]
    second_NK: NDArray[np.float64] | None


def base_of(targets_N: NDArray[Any], num_labels: int, weights_N: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """What to begin with, ``_K``: the log-odds of the labels, or 0 for a number of mean 0."""
    if num_labels == 0:
        return np.zeros(1)
    counts_L = np.bincount(targets_N, weights_N, num_labels) + 0.5
    logs_L = np.log(counts_L / counts_L.sum())
    return logs_L[1:] - logs_L[:1] if num_labels == 2 else logs_L


def gradients_of(
    raw_NK: NDArray[np.float64], targets_N: NDArray[Any], num_labels: int, weights_N: NDArray[np.float64] | None
) -> Gradients:
    """Of half the squared error, or the log loss."""
    weights_N1 = None if weights_N is None else weights_N[:, None]
    if num_labels == 0:
        return Gradients(targets_N[:, None] - raw_NK, None)
    if num_labels == 2:
        chance_NK, truth_NK = 1 / (1 + np.exp(-raw_NK)), targets_N[:, None]
    else:
        power_NK = np.exp(raw_NK - raw_NK.max(axis=1, keepdims=True))
        chance_NK, truth_NK = power_NK / power_NK.sum(axis=1, keepdims=True), np.eye(num_labels)[targets_N]
    first_NK, second_NK = truth_NK - chance_NK, chance_NK * (1 - chance_NK)
    return Gradients(*((each if weights_N1 is None else each * weights_N1) for each in (first_NK, second_NK)))


def loss_of(
    raw_NK: NDArray[np.float64], targets_N: NDArray[Any], num_labels: int, weights_N: NDArray[np.float64] | None
) -> float:
    """Root of the mean squared error, or log loss."""
    if num_labels == 0:
        return float(np.sqrt(np.average(np.square(raw_NK[:, 0] - targets_N), weights=weights_N)))
    if num_labels == 2:
        losses_N = np.logaddexp(0.0, np.where(targets_N == 1, -raw_NK[:, 0], raw_NK[:, 0]))
    else:
        highest_N = raw_NK.max(axis=1)
        sums_N = np.exp(raw_NK - highest_N[:, None]).sum(axis=1)
        losses_N = np.log(sums_N) + highest_N - raw_NK[np.arange(len(targets_N)), targets_N]
    return float(np.average(losses_N, weights=weights_N))
