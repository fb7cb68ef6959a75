"""How many trials fewer a study takes that begins with what did best in earlier studies, and what that costs where it misleads.

Every table of real trainings is searched anew, once from nothing and once after studies on the other tables of its collection.
Where it misleads, the same trials of the earlier studies have values drawn by lot. Trials are counted until the mean regret is
that of the studies from nothing after all of theirs. Without tables, one function with its best place moved stands for them.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import optuna
from numpy.typing import NDArray
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, FamilySpec, FeatureKind, FloatParam, IntParam, Param, ParamValue, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.modality import Modality
from automl.search.samplers import DEFAULT_SAMPLER
from automl.search.space import SearchSpace
from automl.search.states import TrialState
from automl.search.study import TrialRecord, ask
from automl.search.warm_start import EarlierStudy, earlier_settings, num_warm
from benchmarks._search_tasks import SearchTask, functions, tables
from benchmarks.harness import Claim, Options, SkippedError, main

NUM_TRIALS = 24
"""Of the grade that searches most."""
NUM_TABLES = 8
SAVES, COSTS = 0.3, 0.1
_WORD = Text(en="", zh="")
Regrets = NDArray[np.float64]


class _Given:
    """Stands in for an Optuna trial whose values are known."""

    def __init__(self, params: Mapping[str, ParamValue]):
        self._params = params
        self.number = 0

    def _value(self, name: str, *_: object, **__: object) -> ParamValue:
        return self._params[name]

    suggest_float = suggest_int = suggest_categorical = _value


def measure(options: Options) -> list[Claim]:
    """Share of the trials that is saved on related tasks, and that is lost where the earlier values are chance."""
    collections = _collections(options)
    num_trials, num_seeds = options.pick(NUM_TRIALS, smoke=8, quick=16), options.pick(10, smoke=1, quick=2, full=20)
    found: dict[str, list[Regrets]] = {"from nothing": [], "after related studies": [], "after chance": []}
    for seed in range(num_seeds):
        for tasks in collections:
            for name, regrets in _compared(tasks, seed, num_trials).items():
                found[name].extend(regrets)
    means = {name: np.mean(rows, axis=0) for name, rows in found.items()}
    for name, row in means.items():
        print(f"{name:22} regret after 1, 2, ... trials: {' '.join(f'{each:.3f}' for each in row)}", file=sys.stderr)
    cold = means.pop("from nothing")
    taken = {name: _trials_until(row, float(cold[-1])) / num_trials for name, row in means.items()}
    return [
        _claim("saved on related sets", 1.0 - taken["after related studies"], SAVES, num_seeds, is_at_most=False),
        _claim("lost on unrelated sets", taken["after chance"] - 1.0, COSTS, num_seeds, is_at_most=True),
    ]


def _claim(what: str, share: float, target: float, num_seeds: int, *, is_at_most: bool) -> Claim:
    metric = f"share of the trials {what}, {num_seeds} seeds"
    return Claim("warm_start", metric, float(share), 0.0, float(share), target, is_at_most=is_at_most)


def _trials_until(regrets: Regrets, goal: float) -> float:
    """Trials until the regret is at most ``goal``; where it never is, those that a line through its last half would take."""
    reached = np.nonzero(regrets <= goal)[0]
    if len(reached) > 0:
        return float(reached[0]) + 1.0
    half = len(regrets) // 2
    slope = float(regrets[-1] - regrets[half]) / max(1, len(regrets) - 1 - half)
    return len(regrets) + (goal - float(regrets[-1])) / slope if slope < 0 else 2.0 * len(regrets)


def _collections(options: Options) -> list[list[SearchTask]]:
    if not options.is_smoke:
        try:
            every = tables(NUM_TABLES)
        except SkippedError as error:
            print(f"tables left out: {error}", file=sys.stderr)
        else:
            spaces = {task.name: sorted(_distributions(task)) for task in every}
            kinds = sorted({tuple(names) for names in spaces.values()})
            return [[task for task in every if tuple(spaces[task.name]) == kind] for kind in kinds]
    mixed = functions()[-1]
    return [[mixed, *(_moved(mixed, share) for share in (0.1, -0.1))]]


def _moved(task: SearchTask, by: float) -> SearchTask:
    """The same with its best place elsewhere."""

    def observed(trial: optuna.Trial) -> float:
        return task.observed(_Moved(trial, by))  # type: ignore[arg-type] # asks as a trial does

    return replace(task, name=f"{task.name} {by:+}", observed=observed)


class _Moved:
    """A trial whose numbers between 0 and 1 are read elsewhere than they are asked."""

    def __init__(self, trial: optuna.Trial, by: float):
        self._trial, self._by = trial, by

    def suggest_float(self, name: str, low: float, high: float, **options: Any) -> float:
        value = self._trial.suggest_float(name, low, high, **options)
        return value if options.get("log") else min(max(value + self._by, low), high)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return getattr(self._trial, name)  # type: ignore[no-any-return]


def _compared(tasks: Sequence[SearchTask], seed: int, num_trials: int) -> dict[str, list[Regrets]]:
    """Regrets by trial of the studies on each task, three ways."""
    space = SearchSpace((_family(tasks[0]),))
    earlier = [_searched(task, space, 1000 + seed, num_trials) for task in tasks]
    draw = random.Random(seed)
    found: dict[str, list[Regrets]] = {"from nothing": [], "after related studies": [], "after chance": []}
    for place, task in enumerate(tasks):
        others = [history for number, history in enumerate(earlier) if number != place]
        chance = [[replace(record, value=draw.random()) for record in history] for history in others]
        for name, histories in zip(found, ([], others, chance), strict=True):
            studies = [EarlierStudy(history, is_higher_better=False, likeness=1.0) for history in histories]
            first = [one.train for one in earlier_settings(studies, space=space, num=num_warm(num_trials))]
            history = _searched(task, space, seed, num_trials, first)
            least = np.minimum.accumulate([record.value or 0.0 for record in history])
            found[name].append((least - task.best) / (task.median - task.best))
    return found


def _searched(
    task: SearchTask, space: SearchSpace, seed: int, num_trials: int, first: Sequence[TrainConfig] = ()
) -> list[TrialRecord]:
    history: list[TrialRecord] = []
    for number in range(num_trials):
        if number < len(first):
            train = first[number]
        else:
            train = ask(history=history, space=space, sampler_name=DEFAULT_SAMPLER, seed=seed, is_higher_better=False)
        value = task.observed(_Given(train.params))  # type: ignore[arg-type] # answers as a trial does
        history.append(TrialRecord(number, TrialState.SUCCEEDED, train, value))
    return history


def _distributions(task: SearchTask) -> dict[str, BaseDistribution]:
    trial = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0)).ask()
    task.observed(trial)
    return trial.distributions


def _family(task: SearchTask) -> FamilySpec:
    """The task's parameters as those of a family."""
    size = SizeSpec(name="s", title=_WORD, resolution_px=32, num_parameters=1, macs=1)
    params = tuple(_param(name, each) for name, each in _distributions(task).items())
    return FamilySpec(
        name="task", title=_WORD, summary=_WORD, reads=Modality.IMAGE, yields=FeatureKind.VECTOR, sizes=(size,), params=params
    )


def _param(name: str, distribution: BaseDistribution) -> Param:
    common = {"name": name, "title": _WORD, "help": _WORD}
    if isinstance(distribution, CategoricalDistribution):
        return ChoiceParam(**common, choices=distribution.choices, default=distribution.choices[0])
    assert isinstance(distribution, FloatDistribution | IntDistribution)
    kind = FloatParam if isinstance(distribution, FloatDistribution) else IntParam
    return kind(**common, low=distribution.low, high=distribution.high, is_log=distribution.log, default=distribution.low)


if __name__ == "__main__":
    main(measure)
