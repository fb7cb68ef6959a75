"""Random search: the baseline that every other sampler has to beat."""

from __future__ import annotations

from optuna.samplers import BaseSampler, RandomSampler


def build(seed: int) -> BaseSampler:
    """Draws every parameter by itself, without looking at the history."""
    return RandomSampler(seed=seed)
