"""A Gaussian process while trials are few, and the tree-structured Parzen estimator from then on.

With few trials the process knows more of a smooth space than densities do; with many it takes long to fit, and densities have
caught up (``docs/decisions/0049`` has the figures). Studies with several values are searched by the estimator throughout: for
them nothing was measured.
"""

from __future__ import annotations

from typing import Any

from optuna import Study
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler
from optuna.trial import FrozenTrial

from automl.search.samplers import gaussian_process, tpe

NUM_FIRST = 40
"""Trials that the process is asked for."""


def build(seed: int) -> BaseSampler:
    """Makes the sampler."""
    return _InTurn(gaussian_process.build(seed), tpe.build(seed))


class _InTurn(BaseSampler):
    """One sampler for the first trials of a study, another for the rest. The trial's number decides, so nothing is kept."""

    def __init__(self, first: BaseSampler, then: BaseSampler) -> None:
        self._first, self._then = first, then

    def _asked(self, study: Study, trial: FrozenTrial) -> BaseSampler:
        is_first = trial.number < NUM_FIRST and len(study.directions) == 1
        return self._first if is_first else self._then

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """As of the sampler whose turn it is."""
        return self._asked(study, trial).infer_relative_search_space(study, trial)

    def sample_relative(self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]) -> dict[str, Any]:
        """As of the sampler whose turn it is."""
        return self._asked(study, trial).sample_relative(study, trial, search_space)

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:  # noqa: ANN401 - Optuna's own signature
        """As of the sampler whose turn it is."""
        return self._asked(study, trial).sample_independent(study, trial, param_name, param_distribution)

    def reseed_rng(self) -> None:
        """Takes other random numbers, as Optuna wants of copies for other threads."""
        self._first.reseed_rng()
        self._then.reseed_rng()
