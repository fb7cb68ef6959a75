"""Asynchronous successive halving (Li et al. 2020, "A System for Massively Parallel Hyperparameter Tuning")."""

from __future__ import annotations

from optuna.pruners import BasePruner

from automl.search.pruners._rungs import RungPruner

FIRST_RUNG = 1
"""Epochs that every trial gets."""


def build() -> BasePruner:
    """Makes the pruner."""
    return RungPruner(first=FIRST_RUNG)
