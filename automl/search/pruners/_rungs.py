"""Successive halving from curves alone.

Optuna's own pruners of this kind note on each trial what it had at its rungs. Our studies are rebuilt from rows at each
question and have no such notes, so the rungs are read off the curves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import optuna
from optuna.pruners import BasePruner
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial

from automl.search.study_numbers import number_of

FACTOR = 3
"""One trial in so many goes on from a rung; the next rung is so many times as far."""
NUM_OTHERS = 2
"""Trials that must have reached a rung before anybody is stopped there."""


class RungPruner(BasePruner):
    """Stops a trial that reaches a rung and is not in the best third of all that have reached it, running ones included."""

    def __init__(self, *, first: int) -> None:
        """Of rungs at ``first`` epochs and powers of ``FACTOR`` times that."""
        self._first = first

    def prune(self, study: optuna.Study, trial: FrozenTrial) -> bool:
        """Says whether the trial should stop at the epoch that it has just reported."""
        return is_beaten(study.get_trials(deepcopy=False), trial, first=self._first, direction=study.direction)


def is_beaten(others: Sequence[FrozenTrial], trial: FrozenTrial, *, first: int, direction: StudyDirection) -> bool:
    """Whether a trial has just reached a rung and is behind there."""
    steps = sorted(trial.intermediate_values)
    if not steps or steps[-1] < first:
        return False
    rung = first * FACTOR ** int(math.log(steps[-1] / first, FACTOR) + 1e-9)
    if len(steps) > 1 and steps[-2] >= rung:
        return False  # judged there before
    sign = 1.0 if direction == StudyDirection.MAXIMIZE else -1.0
    reached = sorted(
        (
            sign * each
            for each in (_value_at(other, rung) for other in others if number_of(other) != number_of(trial))
            if each is not None
        ),
        reverse=True,
    )
    if len(reached) < NUM_OTHERS:
        return False
    num_on = max(1, (len(reached) + 1) // FACTOR)
    return sign * trial.intermediate_values[steps[-1]] < reached[num_on - 1]


def _value_at(trial: FrozenTrial, rung: int) -> float | None:
    """What a trial had when it reached a rung."""
    return next((value for step, value in sorted(trial.intermediate_values.items()) if step >= rung), None)
