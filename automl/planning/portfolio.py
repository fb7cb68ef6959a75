"""Proven first trials: what an experienced person would run before searching. Each family brings its own (``first_trials``).

The order is by what a trial teaches for its time. A head on frozen features takes seconds and already answers most small
data sets; a second one with balanced labels follows where a label is rare. Fine-tuning the same backbone gently comes next;
then a network of another kind. Of detectors the quick ones go first. Of tables boosted trees go first, a linear model shows in
a second what they add, and an ensemble of all kinds comes third; where a label is rare, boosted trees with balanced labels take
the linear model's place among these. Where the study has a few minutes, the ensemble goes first: it tries the others itself.
All of tables learn validation too in the end, unless a person says otherwise (``learns_validation``). What is not installed or
does not fit is simply not there, so the list works for every task.
"""

from __future__ import annotations

from collections.abc import Sequence

from automl.contracts.family import FamilySpec, FirstTrial, FloatParam, IntParam, ParamValue
from automl.contracts.job import TrainConfig
from automl.planning.facts import VersionFacts
from automl.planning.items import planned_items

SMALL_TRAIN_ITEMS = 1_000
"""Below this a pretrained backbone is disturbed as little as possible."""
SHORT_S = 300.0
"""A study that has no more time runs first what fills any time by itself (``FirstTrial.rank_if_short``)."""
RARE_SHARE = 0.1
"""Of the commonest label, below which a label is rare and balancing is tried."""
_DEFAULTS = FirstTrial(rank=0)


def portfolio(
    *, families: Sequence[FamilySpec], facts: VersionFacts, time_limit_s: float | None = None
) -> tuple[TrainConfig, ...]:
    """The first trials of a study, best bet first.

    Every family given appears: one without first trials is tried with its defaults, after those that have some.

    Args:
        families: what the study may use, each with the sizes that fit.
        facts: of the version to train on.
        time_limit_s: of the study; None without one.
    """
    is_short = time_limit_s is not None and time_limit_s <= SHORT_S
    proven = [(family, trial) for family in families for trial in family.first_trials]
    proven.sort(key=lambda each: _rank(each[1], is_short=is_short))
    chosen = [_config(family, trial, facts) for family, trial in proven if _is_possible(family, trial, facts)]
    chosen += [_config(family, _DEFAULTS, facts) for family in families if not family.first_trials]
    return tuple(chosen)


def _rank(trial: FirstTrial, *, is_short: bool) -> int:
    return trial.rank_if_short if is_short and trial.rank_if_short is not None else trial.rank


def _is_possible(family: FamilySpec, trial: FirstTrial, facts: VersionFacts) -> bool:
    has_rare = facts.rarest_label_items < RARE_SHARE * facts.commonest_label_items
    return trial.is_for_rare in {None, has_rare} and trial.size_index < len(family.sizes)


def _config(family: FamilySpec, trial: FirstTrial, facts: VersionFacts) -> TrainConfig:
    proposed = dict(trial.params)
    if facts.num_train < SMALL_TRAIN_ITEMS:
        proposed.update(trial.params_if_small)
    params: dict[str, ParamValue] = {param.name: param.default for param in family.params}
    for param in family.params:
        if param.name in proposed:
            value = proposed[param.name]
            if isinstance(param, FloatParam | IntParam) and isinstance(value, int | float):
                value = min(max(value, param.low), param.high)
            params[param.name] = value
    size = planned_items(family.reads).first_size(family.sizes, trial.size_index, facts)
    return TrainConfig(family=family.name, size=size.name, params=params)
