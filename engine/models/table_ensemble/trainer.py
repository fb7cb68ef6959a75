"""Trains members one after the other on the same parts of the rows, each within the time that it is given.

Shapes: N rows, H rows that are held back, O columns of an answer.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import RowColumn
from engine.errors import EngineError
from engine.models import family_part, family_spec
from engine.models.shared.rows import joined
from engine.models.table_ensemble.cost import seconds_per_row
from engine.models.table_ensemble.model import mean_of
from engine.models.table_ensemble.portfolio import NETWORK, REFITTED, STOPPED_APART, Member
from engine.models.table_ensemble.time_plan import TimePlan
from engine.table.encode import graph_for
from engine.table.own_time import own_s
from engine.table.table import Deadline, RowModel, RowTask, Table

_LOGGER = logging.getLogger(__name__)
MIN_STOPPING = 300
"""Where validation has fewer rows, the rows held back also decide when to stop: noise would stop too early or late
otherwise."""
_LEAST_FOLDS_APART = 3
_WARM_ROWS = 64
_AGAIN_UP_TO_ROWS = 8_000
"""With more, a ninth more rows bring less than another member does in that time: they are learned if time is left."""
_AGAIN, _ONCE_AGAIN = 2.5, 1.2
"""Times a fold of the longest booster, or without folds its fit: to train any of them once more in the end."""
_NETWORK_LOADING_S, _LOADED_BY_NETWORKS = 2.0, "torch._dynamo"
"""What the first optimizer of torch loads, and nothing can end: 1.3 s of processor time, and little of it is torch itself."""
_CUT_SHORT = 0.9
"""Of the time granted; who takes more was ended by the deadline."""


@dataclass(frozen=True)
class TrainedMember:
    """A member after training."""

    member: Member
    model: RowModel
    """Of folds, the mean of all."""
    models: tuple[RowModel, ...]
    """One a fold, before they answer rows as they come."""
    held_back_HO: NDArray[np.float32]
    """What it answers of rows that it has not seen."""
    fit_seconds: float
    part_seconds: float
    """That an answer of one of its models takes."""
    fit_cpu_s: float
    """Processor time of ``fit_seconds`` on all cores together, which hardly depends on what else the machine does."""
    is_cut_short: bool = False
    """Whether its deadline ended a fit."""

    @property
    def seconds_per_row(self) -> float:
        """That an answer takes."""
        return self.part_seconds * len(self.models)


@dataclass(frozen=True)
class Part:
    """Data for one fit of each member: rows to learn from, rows for early stopping, and rows to judge it by."""

    task: RowTask
    held_back: Table
    rows_H: NDArray[np.intp]
    """Where the held rows belong among all of them."""
    apart: RowTask | None = None
    """For members that early stopping would overfit to the judged rows: another fold decides when to stop, and is not learned
    from."""


class Trainer:
    """Trains the members of a run, and keeps what it has trained so far."""

    def __init__(
        self,
        task: RowTask,
        deadline: Deadline,
        time_plan: TimePlan,
        report: Callable[[], None],
        wrap: Callable[[RowModel], RowModel] = lambda model: model,
    ):
        """Begins with one part: all rows are trained on, validation is held back.

        Args:
            task: what is to be learned, its rows already drawn.
            deadline: of the whole run.
            time_plan: of the run.
            report: called between steps; raises what ends the run.
            wrap: makes of a model of this task one that answers rows as they come; for a second layer.
        """
        self.task, self.deadline, self.time_plan, self._report, self.wrap = task, deadline, time_plan, report, wrap
        self.parts: tuple[Part, ...] = (Part(task, task.validation, np.arange(len(task.validation))),)
        self.targets_H = task.validation_targets_N
        self.learns_validation = bool(task.params.get("learns_validation", False))
        self.trained: list[TrainedMember] = []
        self.warnings: list[tuple[str, str]] = []
        self._warm: dict[str, RowModel] = {}

    def cut(self, folds_N: NDArray[np.int64]) -> None:
        """Holds each fold back once from now on; models trained before cannot be compared with later ones, and are dropped."""
        task = self.task
        self.targets_H, self.trained = task.targets_N, []
        parts = []
        for fold in range(int(folds_N.max()) + 1):
            train, held_back = np.flatnonzero(folds_N != fold), np.flatnonzero(folds_N == fold)
            held_back_table, held_back_targets = task.train.take(held_back), task.targets_N[held_back]
            own = replace(task, train=task.train.take(train), targets_N=task.targets_N[train], seed=task.seed + fold)
            if len(task.validation) < MIN_STOPPING:
                own = replace(
                    own,
                    validation=joined(task.validation, held_back_table),
                    validation_targets_N=np.concatenate([task.validation_targets_N, held_back_targets]),
                )
            parts.append(Part(own, held_back_table, held_back, self._apart(folds_N, fold, own)))
        self.parts = tuple(parts)

    def _apart(self, folds_N: NDArray[np.int64], fold: int, own: RowTask) -> RowTask | None:
        """The task in which the next fold decides when to stop; None where validation does, or there are two folds."""
        num_folds = int(folds_N.max()) + 1
        if len(self.task.validation) >= MIN_STOPPING or num_folds < _LEAST_FOLDS_APART:
            return None
        is_next_N = folds_N == (fold + 1) % num_folds
        learned, following = np.flatnonzero((folds_N != fold) & ~is_next_N), np.flatnonzero(is_next_N)
        return replace(
            own,
            train=self.task.train.take(learned),
            targets_N=self.task.targets_N[learned],
            validation=joined(self.task.validation, self.task.train.take(following)),
            validation_targets_N=np.concatenate([self.task.validation_targets_N, self.task.targets_N[following]]),
        )

    def train(self, member: Member, columns: Sequence[RowColumn], *, is_last: bool = False) -> bool:
        """Trains a member if there is time for it.

        Args:
            member: which.
            columns: of rows as they come.
            is_last: nothing comes after it.

        Returns:
            Whether there is a new entry in ``trained``. A member that fails leaves a warning.
        """
        units = member.units * len(self.parts)
        expected_s = self.time_plan.expected_s(member.family, units)
        left_s = self.deadline.usable_s - self.again_s((member.family, expected_s or 0.0))
        granted_s = self.time_plan.granted_s(left_s, expected_s, is_last=is_last and bool(self.trained))
        if granted_s is None:
            if self.trained:
                return False
            granted_s = 0.0
        try:
            if member.family not in self._warm:
                if self.trained and not self.time_plan.may_load(self.deadline.usable_s, _known_loading_s(member.family)):
                    return False
                loading_s = own_s()
                self._warm[member.family] = self._warmed(member)
                self.time_plan.loading_s = max(self.time_plan.loading_s, own_s() - loading_s)
                granted_s = min(granted_s, self.deadline.usable_s)
            began_s, began_cpu_s = own_s(), time.process_time()
            done = self._fit(member, granted_s, began_s)
        except EngineError as error:
            self.warnings.append((error.code, f"{member.name}: {error.message}"))
            self.task.warn(error.code, f"The model {member.name} is left out: {error.message}")
            return False
        if done is None:
            _LOGGER.info("%s was not done in %.1f s.", member.name, granted_s)
            return False
        models, held_back_HO, is_cut_short = done
        used_s, cpu_s = own_s() - began_s, time.process_time() - began_cpu_s
        self.time_plan.took(member.family, units, granted_s=granted_s, used_s=used_s, is_cut_short=is_cut_short)
        _LOGGER.info("%s took %.1f of %.1f s.", member.name, used_s, granted_s)
        graph = graph_for(columns)
        self.wrap(models[0]).write(graph)
        seconds = seconds_per_row(graph)
        model = self.wrap(mean_of(models))
        self.trained.append(TrainedMember(member, model, tuple(models), held_back_HO, used_s, seconds, cpu_s, is_cut_short))
        return True

    def task_of(self, member: Member, time_s: float) -> RowTask:
        """All training rows, for a member to learn within a time."""
        spec = family_spec(member.family)
        return replace(
            self.task,
            params={param.name: param.default for param in spec.params} | dict(member.params),
            max_rows=min(self.task.max_rows, spec.sizes[0].max_rows),
            deadline=self.deadline.within(time_s),
            report=lambda fraction, values: self._report(),
        )

    def again_s(self, *more: tuple[str, float]) -> float:
        """Seconds to keep for members that are trained once more on all rows; of others the family, and what they will take."""
        used = [*more, *((each.member.family, each.fit_seconds) for each in self.trained)]
        again = [seconds for family, seconds in used if family in REFITTED]
        if len(self.parts) > 1:
            return _AGAIN * max(again, default=0.0) / len(self.parts)
        is_worth_it = self.learns_validation and len(self.task.train) <= _AGAIN_UP_TO_ROWS
        return _ONCE_AGAIN * max(again, default=0.0) if is_worth_it else 0.0

    def _warmed(self, member: Member) -> RowModel:
        """A model of a few rows, so that loading libraries, which happens once, does not count as time of a fit."""
        task = self.task
        few = np.unique(np.linspace(0, len(task.train) - 1, min(len(task.train), _WARM_ROWS)).astype(np.int64))
        spec = family_spec(member.family)
        small = replace(
            task,
            train=task.train.take(few),
            targets_N=task.targets_N[few],
            validation=task.validation.take(slice(0, _WARM_ROWS)),
            validation_targets_N=task.validation_targets_N[:_WARM_ROWS],
            params={param.name: param.default for param in spec.params} | dict(member.params),
            deadline=Deadline.after(0.0),
            report=lambda fraction, values: self._report(),
        )
        model: RowModel = family_part(member.family, "fit").fit(small)
        return model

    def _fit(self, member: Member, granted_s: float, began_s: float) -> tuple[list[RowModel], NDArray[np.float32], bool] | None:
        """A model for each part, their answers to the held-back rows, and whether time was short; None if it ran out."""
        spec = family_spec(member.family)
        fit = family_part(member.family, "fit").fit
        params = {param.name: param.default for param in spec.params} | dict(member.params)
        held_back_HO = np.zeros((len(self.targets_H), self.task.num_outputs), dtype=np.float32)
        models, answering_s, is_cut_short = [], 0.0, False
        for number, part in enumerate(self.parts):
            if number and self.trained and self.deadline.left_s <= 0.0:
                return None
            left_s = granted_s - (own_s() - began_s)
            share_s = max(0.0, left_s / (len(self.parts) - number) - answering_s)
            start_s = own_s()
            model = fit(
                replace(
                    part.apart if part.apart is not None and member.family in STOPPED_APART else part.task,
                    params=params,
                    max_rows=min(self.task.max_rows, spec.sizes[0].max_rows),
                    deadline=self.deadline.within(share_s),
                    report=lambda fraction, values: self._report(),
                )
            )
            fitted_s = own_s()
            is_cut_short = is_cut_short or fitted_s - start_s > _CUT_SHORT * share_s
            if len(part.held_back):
                held_back_HO[part.rows_H] = model.answers(part.held_back)
            answering_s = max(answering_s, own_s() - fitted_s)
            models.append(model)
            self._report()
        return models, held_back_HO, is_cut_short


def _known_loading_s(family: str) -> float:
    """Seconds that the first use of a family takes in this process, where that is long."""
    return _NETWORK_LOADING_S if family == NETWORK and _LOADED_BY_NETWORKS not in sys.modules else 0.0
