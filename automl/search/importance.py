"""Which parameters decided how good the trials of a study are."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from optuna.trial import TrialState as OptunaState

from automl.search.space import SearchSpace
from automl.search.study import TrialRecord, rebuild

NUM_TRIALS_NEEDED = 5
"""Below this the numbers are noise."""


def importance(*, history: Sequence[TrialRecord], space: SearchSpace, is_higher_better: bool) -> dict[str, float]:
    """Shares of the parameters in the difference between good trials and the rest, by PED-ANOVA.

    Returns:
        Fractions by name in the tree (``family``, ``<family>.<param>``), largest first, adding up to one; empty when too few
        trials have succeeded or none of the parameters made a difference. PED-ANOVA was taken over fANOVA because it
        computes with neither scikit-learn nor scipy.
    """
    study = rebuild(history=history, space=space, is_higher_better=is_higher_better)
    if len(study.get_trials(states=(OptunaState.COMPLETE,))) < NUM_TRIALS_NEEDED:
        return {}
    from optuna.importance import PedAnovaImportanceEvaluator  # noqa: PLC0415 - a second: its neighbours load scikit-learn

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # remarks on small regimes; the number of trials stands beside the chart
        found = PedAnovaImportanceEvaluator().evaluate(study)
    total = sum(found.values())
    if total <= 0:
        return {}
    shares = ((name, value / total) for name, value in found.items())
    return dict(sorted(shares, key=lambda share: (-share[1], share[0])))
