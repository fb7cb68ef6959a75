"""Tree-structured Parzen estimator over the joint space, aware of trials that still run."""

from __future__ import annotations

import warnings

from optuna.exceptions import ExperimentalWarning
from optuna.samplers import BaseSampler, TPESampler

NUM_STARTUP_TRIALS = 6
"""Random draws before the model speaks. Optuna's ten would be most of a study here: a training takes minutes, not seconds."""


def build(seed: int) -> BaseSampler:
    """Makes the sampler.

    ``group`` splits the conditional space by family, so that the parameters of one family are drawn together; ``constant_liar``
    keeps parallel trials apart.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExperimentalWarning)
        return TPESampler(seed=seed, n_startup_trials=NUM_STARTUP_TRIALS, multivariate=True, group=True, constant_liar=True)
