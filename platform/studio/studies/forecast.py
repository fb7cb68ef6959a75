"""What a study will take, from what a pre-flight measured, and from planning where its minute was too short."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from automl.contracts.preflight import PreflightReport, TrialCheck
from automl.planning.fit import EXPORT_S, TIMES_OFF, Basis, TrialEstimate
from studio.datasets.models import DatasetVersion
from studio.studies.plan import StudyPlan, memory_of, total_seconds
from studio.studies.refits import RefitSeconds, refit_range
from studio.studies.strategy import StudyRequest

_MOST_SLOWER = 10.0
"""How many times as long as on an idle host a trial is taken to need at most."""
_ALIKE = 1.1
"""How many times as long as a measured trial another one of its model is planned to take at most, to count as measured."""


@dataclass(frozen=True)
class Forecast:
    """Of a whole study."""

    estimated_s: float
    least_s: float
    most_s: float
    """Between which the time will most likely lie."""
    cpu_s: float | None
    """Processor time of its trials, all cores together; None where none was measured."""
    memory_bytes: int
    """Of the trials that run at once, at their peak."""
    time_basis: Basis
    memory_basis: Basis
    """What they rest on: ``DERIVED`` where some of the trials were measured and others were not."""


def forecast_make(plan: StudyPlan, report: PreflightReport, *, version: DatasetVersion, request: StudyRequest) -> Forecast:
    """What a study takes.

    Args:
        plan: the study as it was planned.
        report: of its models, not all of which would fail.
        version: to train on.
        request: the study.
    """
    checks = [check for check in report.trials if check.failure is None]
    slower = min(max(report.seconds / report.cpu_s, 1.0), _MOST_SLOWER) if report.cpu_s else 1.0
    trials = [_as_busy(each, slower) for each in trials_measured(plan.trials, checks)]

    fitting = [each for each in trials if each.is_fitting]

    def trials_s(of: Callable[[TrialEstimate], float], chosen: Callable[[Sequence[float]], float] | None = None) -> float:
        changed = [dataclasses.replace(each, estimated_s=of(each)) for each in fitting]
        return total_seconds(changed, plan.num_trials, request.concurrency, chosen)

    refit = RefitSeconds(0.0, 0.0, 0.0)
    if plan.refits:
        refit = refit_range(fitting, version, max_answer_ratio=plan.max_answer_ratio, export_s=EXPORT_S * slower)
    times_off = max((TIMES_OFF[each.time_basis] for each in fitting), default=1.0)
    estimated_s = trials_s(lambda each: each.estimated_s) + refit.expected_s
    return Forecast(
        estimated_s=estimated_s,
        least_s=trials_s(lambda each: max(each.least_s, each.estimated_s / TIMES_OFF[each.time_basis]), min)
        + refit.least_s / times_off,
        most_s=trials_s(lambda each: each.estimated_s * TIMES_OFF[each.time_basis], max) + refit.most_s * times_off,
        cpu_s=_cpu_s(fitting, estimated_s * request.concurrency),
        memory_bytes=memory_of(dataclasses.replace(plan, trials=tuple(trials)), request.concurrency),
        time_basis=_joint([each.time_basis for each in fitting], is_all=plan.num_trials <= len(fitting) and not plan.refits),
        memory_basis=_joint([each.memory_basis for each in fitting]),
    )


def _as_busy(trial: TrialEstimate, slower: float) -> TrialEstimate:
    """A trial that was planned from its operations, on a host that has as little time for it as for the check."""
    if trial.time_basis is not Basis.PLANNED or trial.is_corrected:
        return trial
    return dataclasses.replace(trial, estimated_s=max(trial.estimated_s * slower, trial.least_s))


def trials_measured(trials: Sequence[TrialEstimate], checks: Sequence[TrialCheck]) -> list[TrialEstimate]:
    """The trials of a plan with measured time and memory.

    What only the first trial of a model pays for, the others do without. Of a model that was not reached the estimate is
    corrected as that of another size of its family; without one, its memory by what planning missed of the others at least.
    """
    by_model = {(check.train.family, check.train.size): check for check in checks}
    planned = {(each.train.family, each.train.size): each for each in reversed(trials)}
    seen: set[tuple[str, str]] = set()
    found = []
    for each in trials:
        model = (each.train.family, each.train.size)
        alike = [check for check in checks if check.train.family == each.train.family]
        for check in (*([by_model[model]] if model in by_model else []), *alike):
            basis = planned.get((check.train.family, check.train.size))
            if basis is not None:
                each = _measured(each, check, basis, is_first=model not in seen)  # noqa: PLW2901 - better and better known
        seen.add(model)
        found.append(each)
    missed = [
        each.memory_bytes - planned[model].memory_bytes
        for model, each in by_model.items()
        if each.memory_bytes and model in planned
    ]
    return [_corrected(each, max(missed, default=0)) for each in found]


def _corrected(each: TrialEstimate, missed_bytes: int) -> TrialEstimate:
    if each.memory_basis is not Basis.PLANNED or not missed_bytes:
        return each
    return dataclasses.replace(each, memory_bytes=each.memory_bytes + missed_bytes, memory_basis=Basis.DERIVED)


def _measured(each: TrialEstimate, check: TrialCheck, basis: TrialEstimate, *, is_first: bool) -> TrialEstimate:
    """A trial as far as another one says more of it than is known: it takes as much more or less as planning says."""
    is_same = (check.train.family, check.train.size) == (each.train.family, each.train.size)
    if is_same and check.estimated_s is None:
        each = dataclasses.replace(each, least_s=sum(stage.seconds for stage in check.stages))
    times, weight = each.estimated_s / basis.estimated_s, each.memory_bytes / basis.memory_bytes
    if check.estimated_s is not None and each.time_basis is Basis.PLANNED:
        is_sure = is_same and not check.is_rough and 1 / _ALIKE <= times <= _ALIKE
        cpu_s = None if check.estimated_cpu_s is None else check.estimated_cpu_s - (0.0 if is_first else check.once_cpu_s)
        each = dataclasses.replace(
            each,
            estimated_s=(check.estimated_s - (0.0 if is_first else check.once_s)) * times,
            cpu_s=None if cpu_s is None else cpu_s * times,
            export_s=check.export_s,
            time_basis=Basis.MEASURED if is_sure else Basis.DERIVED,
        )
    if check.memory_bytes is not None and each.memory_basis is Basis.PLANNED:
        is_sure = is_same and 1 / _ALIKE <= weight <= _ALIKE
        memory_bytes = int(check.memory_bytes * weight)
        each = dataclasses.replace(each, memory_bytes=memory_bytes, memory_basis=Basis.MEASURED if is_sure else Basis.DERIVED)
    return each


def _joint(bases: Sequence[Basis], *, is_all: bool = True) -> Basis:
    """What all rest on together; ``is_all`` says whether there are no others."""
    if not bases or set(bases) == {Basis.PLANNED}:
        return Basis.PLANNED
    return Basis.MEASURED if is_all and set(bases) == {Basis.MEASURED} else Basis.DERIVED


def _cpu_s(trials: Sequence[TrialEstimate], total_s: float) -> float | None:
    """Processor time of all, of which ``total_s`` is the sum on the clock: as much a second as those take that are known."""
    known = [(each.cpu_s, each.estimated_s) for each in trials if each.cpu_s is not None]
    cpu_s, wall_s = sum(cpu_s for cpu_s, _ in known), sum(wall_s for _, wall_s in known)
    return cpu_s * max(total_s, wall_s) / wall_s if wall_s > 0.0 else None
