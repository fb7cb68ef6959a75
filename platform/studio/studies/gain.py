"""What the search of a study found beyond the settings that need no search."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from automl.contracts.job import TrainConfig
from automl.contracts.task import MetricSpec
from automl.search.evidence import Z95, error_of
from automl.search.space import SearchSpace
from studio.studies.models import Study, Trial
from studio.studies.plan import first_trials_of, space_of
from studio.studies.selection import best_of, interval_of, succeeded


@dataclass(frozen=True)
class Gain:
    """How far the best trial lies above the best of those that need no search."""

    default: Trial
    best: Trial
    value: float
    """In units of the metric; more is better, whatever the metric's direction. 0 where a default is the best."""
    interval: tuple[float, float] | None
    """95%, as if the two had been judged on different items: too wide rather than too narrow. None where it is not known."""


def gain_of(study: Study, trials: Collection[Trial], objective: MetricSpec) -> Gain | None:
    """Compares the best trial with the best of the study's first trials and of those with their family's defaults.

    Returns:
        None while none of these has succeeded: of a search that never tried them nobody knows what it gained.
    """
    candidates = succeeded(trials)
    space, known = space_of(study), first_trials_of(study)
    default = best_of(study, [each for each in candidates if _is_default(each.train, known, space)], objective)
    best = best_of(study, candidates, objective)
    if default is None or best is None:
        return None
    if default.id == best.id:
        return Gain(default, best, 0.0, None)
    sign = 1.0 if objective.is_higher_better else -1.0
    value = sign * ((best.value or 0.0) - (default.value or 0.0))
    ends = [interval_of(trial, objective) for trial in (default, best)]
    known_ends = [each for each in ends if each is not None]
    if len(known_ends) < len(ends):
        return Gain(default, best, value, None)
    reach = Z95 * math.hypot(*(error_of(each) for each in known_ends))
    return Gain(default, best, value, (value - reach, value + reach))


def _is_default(train: TrainConfig, known: Collection[TrainConfig], space: SearchSpace | None) -> bool:
    asked = train.model_copy(update={"start_from": None})
    if any(asked == each.model_copy(update={"start_from": None}) for each in known):
        return True
    family = space.family(train.family) if space else None
    if family is None:
        return False
    return all(train.params.get(param.name, param.default) == param.default for param in family.params)
