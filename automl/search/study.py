"""Asks Optuna what to try next and what to stop, from a history that somebody else keeps.

Our tables are the truth and Optuna is the algorithm: each call rebuilds an in-memory Optuna study from the trials given, so
a restart loses nothing and any worker may advance any study. Optuna's own storages were decided against: a second truth
would have to be kept in step with the first.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import optuna
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial
from optuna.trial import TrialState as OptunaState

from automl.contracts.job import TrainConfig
from automl.search.objectives import SideObjective
from automl.search.pruners import build_pruner
from automl.search.samplers import build_sampler
from automl.search.space import SearchSpace, distributions, draw, flatten
from automl.search.states import TrialState
from automl.search.study_numbers import number_attrs

optuna.logging.set_verbosity(optuna.logging.WARNING)

_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
"""Optuna wants dates on its trials; no algorithm here reads them, and a clock would break same seed, same result."""

_MAXIMIZE, _MINIMIZE = StudyDirection.MAXIMIZE, StudyDirection.MINIMIZE

_OPTUNA_STATE = {
    TrialState.QUEUED: OptunaState.RUNNING,
    TrialState.RUNNING: OptunaState.RUNNING,
    TrialState.SUCCEEDED: OptunaState.COMPLETE,
    TrialState.FAILED: OptunaState.FAIL,
    TrialState.PRUNED: OptunaState.PRUNED,
    TrialState.CANCELLED: OptunaState.FAIL,
}


@dataclass(frozen=True)
class TrialRecord:
    """One row of a study's history."""

    number: int
    state: TrialState
    train: TrainConfig
    value: float | None = None
    """The objective; set on trials that succeeded."""
    curve: Mapping[int, float] = field(default_factory=dict)
    """The objective on the validation split by epoch."""
    footprint: Mapping[SideObjective, float] = field(default_factory=dict)
    """What the trial's model takes; set on trials that succeeded."""


def ask(
    *,
    history: Sequence[TrialRecord],
    space: SearchSpace,
    sampler_name: str,
    seed: int,
    is_higher_better: bool,
    also_improves: Sequence[SideObjective] = (),
) -> TrainConfig:
    """Chooses the next configuration.

    The same history and seed give the same answer, in any process. With side objectives the sampler sees several values a
    trial and looks for the whole front; TPE then splits trials by non-domination and hypervolume (Ozaki et al. 2022,
    "Multiobjective Tree-Structured Parzen Estimator").

    Args:
        history: all trials of the study, those that run included, so that two trials at once do not meet.
        space: what may be chosen; trials outside of it teach nothing and are left out.
        sampler_name: a file of ``automl/search/samplers``.
        seed: the study's seed.
        is_higher_better: direction of the objective.
        also_improves: what is to become less besides; trials that lack one of it count as failed.

    Raises:
        UnknownSamplerError: no such sampler.
    """
    sampler = build_sampler(sampler_name, seed=_draw_seed(seed, len(history)))
    study = rebuild(
        history=history, space=space, is_higher_better=is_higher_better, also_improves=also_improves, sampler=sampler
    )
    return draw(space, study.ask())


def should_prune(
    *, history: Sequence[TrialRecord], trial: TrialRecord, space: SearchSpace, is_higher_better: bool, pruner: str = "median"
) -> bool:
    """Says whether a running trial is hopeless beside its relatives.

    Only trials of the same family are compared: the first epochs of a fine-tuned network and of a head on frozen features
    say nothing about each other. The objective alone decides, so it is not for studies with side objectives: what is behind
    in one value may lead in another, and Optuna does not prune there either.

    Args:
        history: all trials of the study.
        trial: the one that has just reported.
        space: as of ``ask``.
        is_higher_better: direction of the objective.
        pruner: a file of ``automl/search/pruners``.
    """
    family = trial.train.family
    relatives = [each for each in history if each.train.family == family and each.number != trial.number]
    study = rebuild(history=relatives, space=space, is_higher_better=is_higher_better)
    running = _frozen(space, trial)
    return running is not None and bool(build_pruner(pruner).prune(study, running))


def rebuild(
    *,
    history: Sequence[TrialRecord],
    space: SearchSpace,
    is_higher_better: bool,
    also_improves: Sequence[SideObjective] = (),
    sampler: optuna.samplers.BaseSampler | None = None,
) -> optuna.Study:
    """Makes an in-memory Optuna study of a history. Trials that the space cannot say are left out."""
    study = optuna.create_study(
        directions=[_MAXIMIZE if is_higher_better else _MINIMIZE, *(_MINIMIZE for _ in also_improves)],
        sampler=sampler or optuna.samplers.RandomSampler(seed=0),
        pruner=optuna.pruners.NopPruner(),
    )
    frozen = (_frozen(space, record, also_improves) for record in sorted(history, key=lambda record: record.number))
    study.add_trials([trial for trial in frozen if trial is not None])
    return study


def _frozen(space: SearchSpace, record: TrialRecord, also_improves: Sequence[SideObjective] = ()) -> FrozenTrial | None:
    family = space.family(record.train.family)
    params = flatten(space, record.train)
    if family is None or params is None:
        return None
    state = _OPTUNA_STATE[record.state]
    values = _values(record, also_improves)
    if state is OptunaState.COMPLETE and values is None:
        state = OptunaState.FAIL
    if state is OptunaState.PRUNED and also_improves:
        state = OptunaState.FAIL  # its last value says nothing of the others, and Optuna cannot rank it
    return FrozenTrial(
        number=record.number,
        trial_id=record.number,
        state=state,
        value=None,
        values=values if state is OptunaState.COMPLETE else None,
        params=params,
        distributions=distributions(space, family),
        intermediate_values={epoch: value for epoch, value in sorted(record.curve.items()) if math.isfinite(value)},
        datetime_start=_BEGINNING,
        datetime_complete=_BEGINNING if state.is_finished() else None,
        user_attrs=number_attrs(record.number),
        system_attrs={},
    )


def _values(record: TrialRecord, also_improves: Sequence[SideObjective]) -> list[float] | None:
    """Objective and side objectives; these as logarithms, since half the time is as much gained of 100 ms as of 1 ms."""
    if record.value is None or not math.isfinite(record.value):
        return None
    sides = [record.footprint.get(name, math.nan) for name in also_improves]
    if not all(math.isfinite(each) and each > 0 for each in sides):
        return None
    return [record.value, *map(math.log, sides)]


def _draw_seed(seed: int, num_trials: int) -> int:
    """A seed of its own for each ask; with the study's alone, every ask would draw the same numbers."""
    digest = hashlib.sha256(f"{seed}:{num_trials}".encode()).digest()
    return int.from_bytes(digest[:4], "big")
