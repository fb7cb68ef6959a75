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
from engine.preflight.rehearsal import Rehearsal
from engine.training.config import TrainingRequest
from engine.training.way import Way

LEAST_SLOPE = 0.25
"""Of the time that the larger of two parts took, so much grows at least with what there is: two short times say little."""
PLACE_S = 2.0
"""Until the directory of a job is there and its process has begun, and until its result is stored."""


@dataclass(frozen=True)
class Estimate:
    """Of one trial with the whole version."""

    seconds: float
    once_s: float
    """Of these, what the first trial of a model pays for the others."""


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


def estimated(
    timed: Sequence[Timed], request: TrainingRequest, whole: VersionFacts, *, way: Way, limits: JobLimits, start_s: float
) -> Estimate:
    """The trial with the whole version.

    Args:
        timed: the trial with one part or two, the larger one last; all their stages passed.
        request: the trial as it will be.
        whole: facts of the version.
        way: of the task.
        limits: of the trial as it will be.
        start_s: until a process can begin its work.
    """
    work, most_s = _needs(request, request.train, whole)
    works = [_needs(request, each.train, each.facts)[0] for each in timed]
    items = [float(each.facts.num_items) for each in timed]
    held_back = [float(each.facts.num_validation + each.facts.num_test) for each in timed]

    def stage(name: PreflightStage) -> list[float]:
        return [each.shown.seconds(name) for each in timed]

    features = [each.shown.features_s for each in timed]
    learning = [each - before for each, before in zip(stage(PreflightStage.STEP), features, strict=True)]
    fit_s = _grown(learning, works, work)
    if most_s is not None:
        fit_s = min(fit_s, most_s)
    fit_s += way.judging_s(request, limits, num_items=whole.num_train + whole.num_validation, fit_s=fit_s)
    read = [one + other for one, other in zip(stage(PreflightStage.DATA), features, strict=True)]
    once_s = _grown(read, items, float(whole.num_items))
    judged_s = _grown(stage(PreflightStage.EVALUATION), held_back, float(whole.num_validation + whole.num_test))
    fixed_s = PLACE_S + start_s + stage(PreflightStage.EXPORT)[-1] + stage(PreflightStage.CALL)[-1]
    return Estimate(seconds=once_s + fit_s + fixed_s + judged_s, once_s=once_s)


def _grown(seconds: Sequence[float], amounts: Sequence[float], whole: float) -> float:
    """Seconds with the whole amount, along a line through both that are given, or through nought and the one."""
    last_s, last = seconds[-1], max(1.0, amounts[-1])
    if len(seconds) < 2 or last <= amounts[0]:
        return last_s * whole / last
    slope = max((last_s - seconds[0]) / (last - amounts[0]), LEAST_SLOPE * last_s / last)
    return last_s + slope * max(0.0, whole - last)


def _needs(request: TrainingRequest, train: TrainConfig, facts: VersionFacts) -> tuple[float, float | None]:
    """Operations of a fit, and the seconds after which the family ends it by itself."""
    shape = sample_shape_of(family=request.family, train=train, facts=facts)
    cost = family_part(request.family.name, "family").cost(shape, train.size)
    params = {**request.params, **train.params}
    needs = planned_items(request.family.reads).needs(request.family, request.size, params, cost=cost, facts=facts)
    return needs.flops, needs.most_s
