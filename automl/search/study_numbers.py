"""The number that our tables give a trial: Optuna counts the trials of a rebuilt study anew when some are left out."""

from __future__ import annotations

from optuna.trial import FrozenTrial

_NUMBER = "number"


def number_attrs(number: int) -> dict[str, int]:
    """What an Optuna trial carries so that its number is found again."""
    return {_NUMBER: number}


def number_of(trial: FrozenTrial) -> int:
    """The number in our tables; Optuna's of a trial that does not come from them."""
    return int(trial.user_attrs.get(_NUMBER, trial.number))
