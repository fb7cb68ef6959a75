"""What a trial takes with the whole version, from what it took with a part of it.

Time is taken apart by stage, each of which grows with something else: reading with all items, learning with the work that
planning counts for the family (``automl.planning``), judging with what is held back; export and the first call do not grow.
Reading is paid for once for each model, as the host keeps what was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from automl.contracts.dataset import Split
from automl.contracts.job import JobLimits, TrainConfig
from automl.contracts.preflight import PreflightStage
from automl.planning.facts import VersionFacts
from automl.planning.fit import sample_shape_of
from automl.planning.items import planned_items
from engine.models import family_part
from engine.preflight.rehearsal import Rehearsal, Spent
from engine.training.config import TrainingRequest
from engine.training.way import Way

LEAST_SLOPE = 0.25
"""Of the time that the larger of two parts took, so much grows at least with what there is: two short times say little."""
_LEAST_CPU_S = 0.01
_FILLED_SHARE = 0.5
"""Of the time that a fit was given: whoever took so much would have taken more of more. A part of it is kept for the export."""
_PATIENCE = 2.0
"""On the clock, in budgets: what other processes take of the processor does not count, up to so much (``table_ensemble``)."""
TRACED_SHARE = 0.8
"""Of the export, and of what comes before a network learns, what is done once on a host for all of a structure: it is traced,
and the quicker precision is found."""
PLACE = Spent(wall_s=0.5)
"""Until the directory of a job is there and its process has begun, and until its result is stored: by other processes."""


@dataclass(frozen=True)
class Estimate:
    """Of one trial with the whole version."""

    whole: Spent
    once: Spent
    """Of this, what the first trial of a model pays for the others."""


def facts_of_part(whole: VersionFacts, sizes: Mapping[Split, int]) -> VersionFacts:
    """Facts of a version with so many items."""
    return VersionFacts(
        num_train=sizes[Split.TRAIN],
        num_validation=sizes[Split.VALIDATION],
        num_test=sizes[Split.TEST],
        num_labels=whole.num_labels,
        rarest_label_items=whole.rarest_label_items,
        commonest_label_items=whole.commonest_label_items,
        num_columns=whole.num_columns,
    )


@dataclass(frozen=True)
class Timed:
    """A trial that was gone through with a part of the version, and what the part is beside the whole."""

    shown: Rehearsal
    train: TrainConfig
    """Perhaps with fewer epochs."""
    facts: VersionFacts
    """Of the part."""

    @property
    def learning(self) -> Spent:
        """Of the fit, what grows with its work."""
        return self.shown.took(PreflightStage.STEP) - self.shown.clock.features - self.shown.clock.setup


def estimated(
    timed: Sequence[Timed],
    request: TrainingRequest,
    whole: VersionFacts,
    *,
    way: Way,
    limits: JobLimits,
    start: Spent,
    is_cold: bool,
) -> Estimate:
    """The trial with the whole version.

    Args:
        timed: the trial with one part or two, the larger one last; all their stages passed.
        request: the trial as it will be.
        whole: facts of the version.
        way: of the task.
        limits: of the trial as it will be.
        start: until a process can begin its work.
        is_cold: the parts were the first of their kind on this host: later trials find its structure exported.
    """
    work, most_s = _needs(request, request.train, whole)
    works = [_needs(request, each.train, each.facts)[0] for each in timed]
    items = [float(each.facts.num_items) for each in timed]
    held_back = [float(each.facts.num_validation + each.facts.num_test) for each in timed]

    fit = _grown([each.learning for each in timed], works, work)
    if most_s is not None:
        fit = _budgeted(fit, timed[-1].shown, most_s)
    fit *= 1.0 + way.judging_fits(request, limits, num_items=whole.num_train + whole.num_validation, fit_cpu_s=fit.cpu_s)
    once = _grown([each.shown.took(PreflightStage.DATA) + each.shown.clock.features for each in timed], items, whole.num_items)
    judging = [each.shown.took(PreflightStage.EVALUATION) for each in timed]
    judged = _grown(judging, held_back, whole.num_validation + whole.num_test)
    last = timed[-1].shown
    before = (last.clock.setup + last.took(PreflightStage.EXPORT)) * (1.0 - TRACED_SHARE if is_cold else 1.0)
    fixed = PLACE + start + before + last.took(PreflightStage.CALL)
    return Estimate(whole=once + fit + fixed + judged, once=once)


def ends_by_itself(request: TrainingRequest, whole: VersionFacts) -> bool:
    """Whether a fit uses the time that it is given, up to a number of seconds that the trial says."""
    return _needs(request, request.train, whole)[1] is not None


def _budgeted(fit: Spent, shown: Rehearsal, most_s: float) -> Spent:
    """The fit of a family that ends by itself after some seconds of its own time.

    Such a family uses the time that it is given. One that used up the less that there was here will do so with more.
    """
    step = shown.took(PreflightStage.STEP)
    pace = step.wall_s / max(step.cpu_s, _LEAST_CPU_S)
    most = Spent(most_s * min(max(pace, 1.0), _PATIENCE), most_s * min(max(pace, 1.0), _PATIENCE) / pace)
    is_filled = shown.time_s < most_s and step.wall_s > _FILLED_SHARE * shown.time_s
    return most if is_filled or fit.wall_s > most.wall_s else fit


def _grown(spent: Sequence[Spent], amounts: Sequence[float], whole: float) -> Spent:
    """With the whole amount, along a line through both that are given, or through nought and the one.

    The line is one of processor time, which other work on the machine hardly bends; the clock goes along as it did.
    """
    last, amount = spent[-1].cpu_s, max(1.0, amounts[-1])
    if len(spent) < 2 or amount <= amounts[0]:
        cpu_s = last * whole / amount
    else:
        slope = max((last - spent[0].cpu_s) / (amount - amounts[0]), LEAST_SLOPE * last / amount)
        cpu_s = last + slope * max(0.0, whole - amount)
    taken = sum(spent, Spent())
    pace = taken.wall_s / max(taken.cpu_s, _LEAST_CPU_S)
    return Spent(cpu_s * pace, cpu_s)


def _needs(request: TrainingRequest, train: TrainConfig, facts: VersionFacts) -> tuple[float, float | None]:
    """Operations of a fit, and the seconds after which the family ends it by itself."""
    shape = sample_shape_of(family=request.family, train=train, facts=facts)
    cost = family_part(request.family.name, "family").cost(shape, train.size)
    params = {**request.params, **train.params}
    needs = planned_items(request.family.reads).needs(request.family, request.size, params, cost=cost, facts=facts)
    return needs.flops, needs.most_s
