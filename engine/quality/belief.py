"""How many labels are wrong, and how likely each is right, from out-of-fold scores of heads that learned from them.

The question and the joint of given and true labels are those of confident learning (C. Northcutt, L. Jiang, I. Chuang,
"Confident learning: estimating uncertainty in dataset labels", JAIR 70, 2021). Its own choice, pruning by thresholds on each
label's usual confidence, was decided against: on sets that confuse their labels half of it are confusions of the heads, and it
has no order to trust (``benchmarks/quality_labels.py``). Here the joint is that of a mixture: a given label is the true one or
was drawn by noise. The scores' temperature is fitted with the noise in place, as wrong labels make sure heads look too sure;
then the noise from each label to each other by expectation and maximisation. What follows is a probability, not a rank.

Shapes: N items, L labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.quality.heads import Scores, log_softmax
from engine.tasks.shared.outcomes import Outcomes

_TEMPERATURES = np.geomspace(0.05, 8.0, 28)
_NUM_ROUNDS = 12
_LEAST_NOISE, _MOST_NOISE = 1e-3, 0.6
_UNIFORM_PRIOR = 10.0
"""Pseudo counts of each label that the noise spreads evenly over the others: rare confusions are not read off one item."""
SURE_PRECISION = 0.93
"""Expected of the first suspects, so that 0.9 is met on sets that it was not chosen on."""


@dataclass(frozen=True)
class Belief:
    """The estimate for each label."""

    wrong_N: NDArray[np.float64]
    """Probability that the given label is wrong."""
    confidence_NL: Scores
    """Probability of each label as the heads see it, free of noise."""
    noise_fraction: float
    """Share of labels that is wrong."""
    noise_interval: tuple[float, float]
    """95% interval of the share (Wilson 1927), as if each label were known to be right or wrong: probabilities vary less."""


def believed(scores_NL: Scores, targets_N: NDArray[np.int64]) -> Belief:
    """Fits temperature and noise, and judges each label."""
    candidates = [_mixture(np.exp(log_softmax(scores_NL * scale)), targets_N) for scale in _TEMPERATURES]
    clean_NL, joint_NL, _ = max(candidates, key=lambda one: one[2])
    posterior_NL = joint_NL / np.maximum(joint_NL.sum(axis=1, keepdims=True), 1e-300)
    rows = np.arange(len(targets_N))
    wrong_N = 1 - posterior_NL[rows, targets_N]
    interval = Outcomes("accuracy", wrong_N, is_share=True).interval(wrong_N)
    return Belief(wrong_N, clean_NL, float(wrong_N.mean()), interval)


def sure(wrong_N: NDArray[np.float64], precision: float = SURE_PRECISION) -> int:
    """How many of the least believable labels there are of which at least this share is expected to be wrong."""
    sorted_N = np.sort(wrong_N)[::-1]
    expected_N = np.cumsum(sorted_N) / np.arange(1, len(sorted_N) + 1)
    return int((expected_N >= precision).sum())


def _mixture(clean_NL: Scores, targets_N: NDArray[np.int64]) -> tuple[Scores, Scores, float]:
    """The probabilities given, those of true and given label together ``_NL``, and how likely the given ones are."""
    given_N = clean_NL[np.arange(len(targets_N)), targets_N]
    transition_LL = _transition(clean_NL, targets_N, _even_noise(given_N, clean_NL.shape[1]))
    joint_NL = clean_NL * transition_LL[:, targets_N].T
    return clean_NL, joint_NL, float(np.log(np.maximum(joint_NL.sum(axis=1), 1e-300)).mean())


def _even_noise(given_N: NDArray[np.float64], num_labels: int) -> float:
    """The share of noise, spread evenly over the other labels, that makes the given ones likeliest."""
    stray_N = (1 - given_N) / max(1, num_labels - 1)
    noise = 0.05
    for _ in range(_NUM_ROUNDS):
        mixed_N = (1 - noise) * given_N + noise * stray_N
        noise = float(np.clip((noise * stray_N / np.maximum(mixed_N, 1e-300)).mean(), _LEAST_NOISE, _MOST_NOISE))
    return noise


def _transition(clean_NL: Scores, targets_N: NDArray[np.int64], noise: float) -> NDArray[np.float64]:
    """Probability of the given label (column) for each true one (row) ``_LL``, by expectation and maximisation."""
    num_labels = clean_NL.shape[1]
    even_LL = np.full((num_labels, num_labels), noise / max(1, num_labels - 1))
    np.fill_diagonal(even_LL, 1 - noise)
    transition_LL = even_LL.copy()
    strength_L = _UNIFORM_PRIOR * num_labels
    for _ in range(_NUM_ROUNDS):
        joint_NL = clean_NL * transition_LL[:, targets_N].T
        posterior_NL = joint_NL / np.maximum(joint_NL.sum(axis=1, keepdims=True), 1e-300)
        counts_LL = np.stack([posterior_NL[targets_N == label].sum(axis=0) for label in range(num_labels)], axis=1)
        transition_LL = counts_LL + strength_L * even_LL
        transition_LL /= transition_LL.sum(axis=1, keepdims=True)
    return transition_LL
