"""Trains a portfolio of models within a time, and mixes those that complement one another.

The first member is trained on all rows: it shows how fast this machine is now, and from then on there is a model to return.
With few rows each member is then trained once a fold, and its model is the mean of its folds (bagging, Breiman 1996); all are
compared by their answers to rows that they have not seen. With many rows, or little time, validation compares them. In both
cases validation decides when to stop, and nothing is trained on it, unless ``learns_validation`` has it cut into folds too: the
model then has the answers to its rows by those that had not seen them. A second layer, if requested, sees the answers
of the first (stacking, Wolpert 1992); the weights come from ``selection``, and ``speed_up`` makes it fast.

Time decides how far a run comes, so only a run that is not short of it gives the same model again.

Shapes: N rows, M models.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.models.shared import rows
from engine.models.table_ensemble.folds import fold_of_rows, num_folds
from engine.models.table_ensemble.layers import Layer, second_layer_of, shipped
from engine.models.table_ensemble.mix import JudgedMembers, mixed, target_rows_per_s
from engine.models.table_ensemble.model import Ensemble
from engine.models.table_ensemble.portfolio import Member, portfolio, second_layer
from engine.models.table_ensemble.time_plan import TimePlan
from engine.models.table_ensemble.trainer import Trainer
from engine.table.table import Deadline, FitNeeds, RowTask

_PATIENCE = 2.0
"""Most wall time of a fit, in budgets: a busy machine should cost time rather than quality."""
_FIRST_LAYER_SHARE = 0.65
"""Of the time, where there is a second one."""


def fit(task: RowTask) -> Ensemble:
    """Trains until ``task.deadline``, or for ``budget_s`` seconds (a parameter), whichever ends sooner.

    The budget does not count time in which other processes have the processor: on a busy machine a fit takes longer, at most
    ``_PATIENCE`` times the budget.

    Raises:
        NothingTrainedError: every member failed.
        NoColumnsError: there is nothing to learn from.
    """
    budget_s = float(task.params["budget_s"])
    ends_s = min(task.deadline.ends_s, time.monotonic() + _PATIENCE * budget_s)
    deadline = replace(task.deadline, ends_s=ends_s).within(budget_s)
    time_plan = TimePlan(deadline.left_s)

    def report(measured: Mapping[str, float] | None = None) -> None:
        passed = 1.0 - deadline.left_s / time_plan.total_s if time_plan.total_s else 1.0
        task.report(min(max(passed, 0.0), 1.0), measured or {})

    report()
    train, targets_N = rows.training_rows(task)
    task = replace(task, train=train, targets_N=targets_N)
    columns = train.columns
    trainer = Trainer(task, deadline, time_plan, report)
    members = portfolio(len(train), len(columns), task.num_labels)
    first, *rest = members
    trainer.train(first, columns)
    fallback = _judged(trainer)
    folds = 1 if task.is_shortened else _num_folds(task, time_plan, deadline)
    learns = bool(task.params["learns_validation"])
    if folds > 1 and learns:
        trainer.task = rows.with_validation(task)
    folds_N = fold_of_rows(trainer.task.targets_N, task.num_labels, folds, task.seed) if folds > 1 else None
    if folds_N is not None:
        trainer.cut(folds_N)
    is_stacked = bool(task.params["is_stacked"]) and folds_N is not None
    trainer.deadline = deadline.part(_FIRST_LAYER_SHARE) if is_stacked else deadline
    for member in rest if trainer.trained else members:
        if trainer.train(member, columns, is_last=member is members[-1]):
            report(rows.measured(trainer.trained[-1].held_back_HO, trainer.targets_H, task.num_labels))
    judged = _judged(trainer)
    layer: Layer | None = None
    if is_stacked and folds_N is not None and len(trainer.trained) > 1:
        trainer.deadline = deadline
        layer = second_layer_of(trainer, judged, folds_N, report)
        judged = replace(judged, trained=(*judged.trained, *layer.trainer.trained))
    judged = replace(judged, num_validation=len(task.validation) if learns else 0) if judged.trained else fallback
    weights_M = judged.weights() if judged.trained else np.zeros(0)
    if judged.trained:
        trainer.deadline = deadline
        if learns and folds_N is None:
            trainer.task = rows.with_validation(task)
        judged = replace(judged, trained=shipped(judged.trained, weights_M, trainer, layer, rows_per_s=judged.rows_per_s))
    ensemble = mixed(judged, weights_M, task, trainer.warnings)
    report()
    return replace(ensemble, needs=_needs(task, trainer, members))


def _needs(task: RowTask, trainer: Trainer, members: Sequence[Member]) -> FitNeeds | None:
    """All members in as many folds as the budget by itself allows, by those that came to their end; None if none did."""
    budget_s = float(task.params["budget_s"])
    whole = [each for each in trainer.trained if not each.is_cut_short]
    if not whole or trainer.time_plan.unit_s is None:
        return None
    folds = num_folds(
        int(task.params["num_folds"]),
        num_rows=len(task.train),
        num_validation=len(task.validation),
        unit_s=trainer.time_plan.unit_s,
        left_s=budget_s,
    )
    took = {each.member.name: each.fit_cpu_s / len(each.models) for each in whole}
    paces = {each.member.family: took[each.member.name] / each.member.units for each in whole}
    layers = [*members, *(second_layer(task.num_labels) if task.params["is_stacked"] and folds > 1 else ())]
    cpu_s, others = 0.0, dict[str, float]()
    for member in layers:
        if member.family in paces:
            cpu_s += folds * took.get(member.name, paces[member.family] * member.units)
        else:
            usual = next((each for each in layers if each.family == member.family and not each.params), member)
            others[member.family] = others.get(member.family, 0.0) + folds * member.units / usual.units
    cores = sum(each.fit_cpu_s for each in whole) / sum(each.fit_seconds for each in whole)
    return FitNeeds(cpu_s, others, budget_s * cores)


def _judged(trainer: Trainer) -> JudgedMembers:
    rows_per_s = target_rows_per_s(len(trainer.task.train))
    return JudgedMembers(tuple(trainer.trained), trainer.targets_H, rows_per_s=rows_per_s)


def _num_folds(task: RowTask, time_plan: TimePlan, deadline: Deadline) -> int:
    return num_folds(
        int(task.params["num_folds"]),
        num_rows=len(task.train),
        num_validation=len(task.validation),
        unit_s=time_plan.unit_s or 0.0,
        left_s=deadline.usable_s,
    )
