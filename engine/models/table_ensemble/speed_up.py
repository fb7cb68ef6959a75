"""Speeds up the chosen members: one model of all rows, or part of a bag, where a whole bag would answer too slowly.

A member was judged by the answer of one model for each row; a whole bag answers better, but takes as many times as long as it
has models. Boosters are trained once more on all rows that were cut, with as many rounds as the folds have found best (as
AutoGluon's ``refit_full``); without folds every member is, where validation is to be learned. Of others a bag keeps as many
models as the speed allows.

Shapes: M members.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.models import family_part
from engine.models.table_ensemble.model import mean_of
from engine.models.table_ensemble.portfolio import REFITTED
from engine.models.table_ensemble.trainer import TrainedMember, Trainer
from engine.table.own_time import own_s

_SLACK = 1.3
"""Times what a fit should take: the machine may have become slower."""
_MORE_ROWS = 0.8
"""Times the time of a fit without validation that one with it takes: there are no rounds to wait for a gain."""


def speed_up(
    trained: Sequence[TrainedMember], weights_M: NDArray[np.float64], trainer: Trainer, *, rows_per_s: float
) -> tuple[TrainedMember, ...]:
    """The members as they are shipped; those without weight stay as they are.

    Args:
        trained: the members.
        weights_M: the weight of each member.
        trainer: which trained them; its deadline holds, and its task has all rows to learn from.
        rows_per_s: how fast all together should answer.
    """
    found = list(trained)
    has_more_rows = trainer.learns_validation and len(trainer.parts) == 1
    chosen = [place for place in np.argsort(-weights_M, kind="stable").tolist() if weights_M[place] > 0.0]
    counts = numbers_of_models(
        weights_M[chosen],
        np.array([trained[place].part_seconds for place in chosen]),
        np.array([len(trained[place].models) for place in chosen]),
        seconds=1.0 / rows_per_s,
    )
    for place, count in zip(chosen, counts.tolist(), strict=True):
        each = trained[place]
        if count == len(each.models) and not has_more_rows:
            continue
        again = refitted(each, trainer) if has_more_rows or each.member.family in REFITTED else None
        found[place] = again or replace(each, model=trainer.wrap(mean_of(each.models[:count])), models=each.models[:count])
    return tuple(found)


def numbers_of_models(
    weights_M: NDArray[np.float64], seconds_M: NDArray[np.float64], most_M: NDArray[np.int64], *, seconds: float
) -> NDArray[np.int64]:
    """How many models of each bag answer, at least one.

    A further model of a bag takes ``1 / n - 1 / (n + 1)`` of the variance away, times the square of the member's weight; those
    that take most for their time come first.

    Args:
        weights_M: of the members.
        seconds_M: of an answer of one model.
        most_M: models that there are.
        seconds: that one answer of all may take.
    """
    counts_M = np.ones(len(weights_M), np.int64)
    while True:
        left = seconds - float(counts_M @ seconds_M)
        gains_M = weights_M**2 / (counts_M * (counts_M + 1)) / np.maximum(seconds_M, 1e-12)
        gains_M[(counts_M >= most_M) | (seconds_M > left)] = 0.0
        if not gains_M.any():
            return counts_M
        counts_M[int(gains_M.argmax())] += 1


def refitted(each: TrainedMember, trainer: Trainer) -> TrainedMember | None:
    """One model of all rows in place of a bag; None if there is no time for it."""
    fold_s = each.fit_seconds / len(each.models)
    granted_s = fold_s * len(each.models) / (len(each.models) - 1) if len(each.models) > 1 else _MORE_ROWS * fold_s
    left_s = trainer.time_plan.spendable_s(trainer.deadline.usable_s)
    if _SLACK * granted_s > left_s:
        return None
    began_s = own_s()
    model = family_part(each.member.family, "fit").refit(trainer.task_of(each.member, left_s), each.models)
    if model is None:
        return None
    return replace(each, model=trainer.wrap(model), models=(model,), fit_seconds=each.fit_seconds + own_s() - began_s)
