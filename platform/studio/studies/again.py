"""The settings of a study, and a study that starts with those of another."""

from __future__ import annotations

from dataclasses import dataclass

from automl.contracts.job import TrainConfig
from automl.search.objectives import SideObjective
from studio.accounts.access import Principal
from studio.common.stored import read_stored
from studio.datasets.models import DatasetVersion
from studio.studies.models import Study
from studio.studies.plan import data_parallel_of, ranges_of
from studio.studies.services import study_start
from studio.studies.strategy import StudyRequest
from studio.studies.warm_trials import warm_of


@dataclass(frozen=True)
class StudySettings:
    """What a study was started with, its name and its dataset version left out."""

    request: StudyRequest
    pruner: str
    time_limit_s: float | None
    target: float | None
    seed: int


def study_settings(study: Study) -> StudySettings:
    """The settings of a study."""
    ranges, families = ranges_of(study), [name for name, _ in study.families]
    request = StudyRequest(
        strategy=study.strategy,
        max_trials=study.max_trials,
        concurrency=study.concurrency,
        families=families,
        single=None if study.single is None else read_stored(TrainConfig, study.single, subject=study.id),
        teacher=study.teacher,
        start=study.start,
        objective=study.objective,
        also_improves=[SideObjective(name) for name in study.also_improves],
        refits=study.refits,
        learns_test=study.learns_test,
        max_answer_ratio=study.max_answer_ratio,
        prefers_fast=study.prefers_fast,
        # A family that did not fit the machine is not trained, and a range of it would be refused.
        ranges={name: own for name, own in ranges.items() if name in families or not families},
        at_most=study.at_most,
        device=study.device,
        num_processes=study.num_processes,
        num_hosts=study.num_hosts,
        data_parallel=data_parallel_of(study),
        warm_trials=warm_of(study),
    )
    return StudySettings(
        request=request, pruner=study.pruner, time_limit_s=study.time_limit_s, target=study.target, seed=study.seed
    )


def study_again(settings: StudySettings, *, version: DatasetVersion, actor: Principal, name: str = "") -> Study:
    """Starts a study with the settings of another one on a version. Errors as of ``study_start``."""
    return study_start(
        version=version,
        request=settings.request,
        pruner=settings.pruner,
        actor=actor,
        name=name,
        time_limit_s=settings.time_limit_s,
        target=settings.target,
        seed=settings.seed,
    )
