"""Stops what is worse than the median of the finished trials at the same epoch."""

from __future__ import annotations

from optuna.pruners import BasePruner, MedianPruner

NUM_TRIALS_BEFORE_PRUNING = 3
"""Finished trials of a family before one of them may be stopped: a median of fewer says little."""
NUM_EPOCHS_BEFORE_PRUNING = 1
"""Every trial gets its first epoch."""


def build() -> BasePruner:
    """Makes the pruner."""
    return MedianPruner(
        n_startup_trials=NUM_TRIALS_BEFORE_PRUNING,
        n_warmup_steps=NUM_EPOCHS_BEFORE_PRUNING + 1,
        n_min_trials=NUM_TRIALS_BEFORE_PRUNING,
    )
