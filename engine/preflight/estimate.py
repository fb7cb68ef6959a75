"""What a trial takes with the whole version, from what it took with a part of it.

Time is taken apart by stage, each of which grows with something else: reading with all items, learning with the work that
planning counts for the family (``automl.planning``), judging with what is held back; export and the first call do not grow.
Reading is paid for once for each model, as the host keeps what was read.
"""

from __future__ import annotations

from collections.abc import Mapping
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

START_S = 2.0
"""Until a process has begun and its directory is there, and until its result is stored."""


@dataclass(frozen=True)
class Estimate:
    """Of one trial with the whole version."""

    seconds: float
    once_s: float
    """Of these, what the first trial of a model pays for the others."""


@dataclass(frozen=True)
class Scale:
    """How much more the whole version is than a part."""

    whole: VersionFacts
    part: VersionFacts

    @property
    def items(self) -> float:
        """By all items."""
        return self.whole.num_items / max(1, self.part.num_items)

    @property
    def held_back(self) -> float:
        """By those that judge."""
        whole, part = self.whole, self.part
        return (whole.num_validation + whole.num_test) / max(1, part.num_validation + part.num_test)


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


def work_of(request: TrainingRequest, train: TrainConfig, facts: VersionFacts) -> float:
    """Operations of a fit, as planning counts them."""
    return _needs(request, train, facts)[0]


def estimated(
    shown: Rehearsal, request: TrainingRequest, rehearsed: TrainConfig, scale: Scale, *, way: Way, limits: JobLimits
) -> Estimate:
    """The trial with the whole version.

    Args:
        shown: with a part of it, all stages passed.
        request: the trial as it will be.
        rehearsed: as it was gone through: perhaps with fewer epochs.
        scale: of the versions.
        way: of the task.
        limits: of the trial as it will be.
    """
    whole_work, most_s = _needs(request, request.train, scale.whole)
    part_work, _ = _needs(request, rehearsed, scale.part)
    fit_s = (shown.seconds(PreflightStage.STEP) - shown.features_s) * whole_work / max(1.0, part_work)
    if most_s is not None:
        fit_s = min(fit_s, most_s)
    learned = scale.whole.num_train + scale.whole.num_validation
    fit_s += way.judging_s(request, limits, num_items=learned, fit_s=fit_s)
    once_s = (shown.seconds(PreflightStage.DATA) + shown.features_s) * scale.items
    fixed_s = START_S + shown.seconds(PreflightStage.EXPORT) + shown.seconds(PreflightStage.CALL)
    judged_s = shown.seconds(PreflightStage.EVALUATION) * scale.held_back
    return Estimate(seconds=once_s + fit_s + fixed_s + judged_s, once_s=once_s)


def _needs(request: TrainingRequest, train: TrainConfig, facts: VersionFacts) -> tuple[float, float | None]:
    """Operations of a fit, and the seconds after which the family ends it by itself."""
    shape = sample_shape_of(family=request.family, train=train, facts=facts)
    cost = family_part(request.family.name, "family").cost(shape, train.size)
    params = {**request.params, **train.params}
    needs = planned_items(request.family.reads).needs(request.family, request.size, params, cost=cost, facts=facts)
    return needs.flops, needs.most_s
