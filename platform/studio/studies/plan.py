"""What a study will run, how long it will take and what stands in its way, said before the button is pressed."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec
from automl.contracts.job import TrainConfig
from automl.contracts.task import Problem, Severity
from automl.planning.facts import VersionFacts, facts_of
from automl.planning.fit import Host, TrialEstimate, correction_of, estimate, sample_shape_of, study_seconds, worthwhile
from automl.planning.portfolio import portfolio
from automl.search.space import SearchSpace, train_problems
from engine.models import families_for, family_part, family_spec
from engine.tasks import task_spec
from studio.common.errors import InvalidInputError
from studio.common.memory import memory_total_bytes
from studio.datasets.models import DatasetVersion
from studio.datasets.selectors import version_manifest
from studio.registry.models import Artefact
from studio.studies.errors import StudyFamilyUnknownError, StudyObjectiveUnknownError, StudyStrategyUnknownError
from studio.studies.lessons import lessons_of, students_of, teacher_check
from studio.studies.models import Study, Trial
from studio.studies.refits import is_averaged, is_refitted, planned_seconds
from studio.studies.strategies import DISTILL, GIVEN, PORTFOLIO, SINGLE, strategy_names

MEMORY_FRACTION = 0.8
"""Part of a host's memory that trials may use together; the rest is the platform's."""
RECENT_TRIALS = 30
"""Finished trials from which the estimates learn."""


@dataclass(frozen=True)
class StudyWish:
    """What a person asks for."""

    strategy: str
    max_trials: int
    concurrency: int
    families: Sequence[str] | None = None
    single: TrainConfig | None = None
    teacher: Artefact | None = None
    """Of strategy ``distill``."""
    objective: str = ""
    """Name of the metric to improve; empty takes the task's."""
    refits: bool = False
    """Whether what is shipped learns once more from all that was held back while models were judged."""
    learns_test: bool = False
    """Test items included."""
    max_answer_ratio: float = 1.0
    """How many times as long as the best trial's the answer of a mean may take."""


@dataclass(frozen=True)
class StudyPlan:
    """What will happen."""

    trials: tuple[TrialEstimate, ...]
    """Those that are known beforehand, the ones that do not fit included."""
    estimated_s: float
    blocking: tuple[Problem, ...]
    families: tuple[FamilySpec, ...]
    """What the search may use, each with the sizes that fit."""
    num_trials: int
    refits: bool
    """Whether what is shipped will learn once more."""
    max_answer_ratio: float
    """1 where no mean can be shipped."""
    refit_s: float
    """Of ``estimated_s`` what that takes at most."""


def plan_make(*, version: DatasetVersion, wish: StudyWish) -> StudyPlan:
    """Plans a study.

    Raises:
        InvalidInputError: a strategy, family or configuration that does not exist.
    """
    if wish.strategy not in strategy_names():
        raise StudyStrategyUnknownError(strategy=wish.strategy, known=strategy_names())
    _refuse_what_is_idle(wish)
    _check_objective(version, wish)
    facts = facts_of(version_manifest(version))
    families = _families(version, wish)
    if wish.strategy != SINGLE:
        families = tuple(worthwhile(family, facts) for family in families)
    estimator = Estimator(version=version, concurrency=wish.concurrency)
    first = _first_trials(families, facts, wish, version)
    estimates = tuple(estimator.estimate(family_of(families, train), train) for train in first)
    fitting = tuple(each for each in estimates if each.is_fitting)
    allowed = estimator.allowed(families)
    is_given = wish.strategy in GIVEN
    num_trials = len(first) if is_given else wish.max_trials
    is_hopeless = not (fitting if is_given else allowed)
    task = task_spec(version.project.task)
    refits = wish.refits and is_refitted(task, is_taught=wish.strategy == DISTILL)
    ratio = wish.max_answer_ratio if refits and is_averaged(task) and num_trials > 1 else 1.0
    refit_s = planned_seconds(fitting, version, max_answer_ratio=ratio) if refits else 0.0
    return StudyPlan(
        trials=estimates,
        estimated_s=_total_s(fitting, num_trials, wish.concurrency) + refit_s,
        refits=refits,
        max_answer_ratio=ratio,
        refit_s=refit_s,
        blocking=tuple(_blocking(facts, is_hopeless)),
        families=allowed,
        num_trials=num_trials,
    )


class Estimator:
    """Estimates trials on one version, corrected by what the workspace's trials took before."""

    def __init__(self, *, version: DatasetVersion, concurrency: int) -> None:
        self._facts = facts_of(version_manifest(version))
        self._workspace = version.project.workspace_id
        self._host = Host(memory_bytes=int(memory_total_bytes() * MEMORY_FRACTION / concurrency))
        self._corrections: dict[str, float] = {}

    def estimate(self, family: FamilySpec, train: TrainConfig) -> TrialEstimate:
        """What a trial will need."""
        if family.name not in self._corrections:
            self._corrections[family.name] = correction_of(_taken(self._workspace, family.name))
        return dataclasses.replace(
            self.raw(family, train),
            estimated_s=self.raw(family, train).estimated_s * self._corrections[family.name],
        )

    def raw(self, family: FamilySpec, train: TrainConfig) -> TrialEstimate:
        """The same without correction: this is what a trial keeps, so that the next correction does not correct itself."""
        sample_shape = sample_shape_of(family=family, train=train, facts=self._facts)
        cost: Cost = family_part(family.name, "family").cost(sample_shape, train.size)
        return estimate(family=family, train=train, cost=cost, facts=self._facts, host=self._host)

    def allowed(self, families: Sequence[FamilySpec]) -> tuple[FamilySpec, ...]:
        """The families that fit, each with the sizes that fit at their defaults."""
        found = []
        for family in families:
            sizes = tuple(
                size
                for size in family.sizes
                if self.raw(family, TrainConfig(family=family.name, size=size.name, params={})).is_fitting
            )
            if sizes:
                found.append(family.model_copy(update={"sizes": sizes}))
        return tuple(found)


def space_of(study: Study) -> SearchSpace | None:
    """The search space fixed when the study started; None when none of its families is installed any more."""
    known = {family.name: family for family in families_for(task_spec(study.project.task))}
    families = []
    for name, sizes in study.families:
        if name in known:
            kept = tuple(size for size in known[name].sizes if size.name in sizes)
            families.append(known[name].model_copy(update={"sizes": kept or known[name].sizes}))
    return SearchSpace(tuple(families)) if families else None


def first_trials_of(study: Study) -> tuple[TrainConfig, ...]:
    """What the study's strategy runs before it searches."""
    if study.strategy == SINGLE:
        return (TrainConfig.model_validate(study.single),)
    if study.strategy == DISTILL:
        return lessons_of(study.version, facts_of(version_manifest(study.version)))[: study.max_trials]
    space = space_of(study)
    if study.strategy != PORTFOLIO or space is None:
        return ()
    return portfolio(families=space.families, facts=facts_of(version_manifest(study.version)))


def family_of(families: Sequence[FamilySpec], train: TrainConfig) -> FamilySpec:
    """The family of a configuration."""
    return next((family for family in families if family.name == train.family), None) or family_spec(train.family)


def _refuse_what_is_idle(wish: StudyWish) -> None:
    """What a strategy would pass over without a word was meant otherwise."""
    fields = {}
    if wish.single is not None and wish.strategy != SINGLE:
        fields["train"] = [f"only of strategy {SINGLE}"]
    if wish.teacher is not None and wish.strategy != DISTILL:
        fields["teacher"] = [f"only of strategy {DISTILL}"]
    if wish.strategy == SINGLE and wish.single is not None and set(wish.families or ()) - {wish.single.family}:
        fields["families"] = ["must be that of train alone, or absent"]
    if fields:
        raise InvalidInputError(f"Strategy {wish.strategy} does not use all that is asked.", fields=fields)


def _check_objective(version: DatasetVersion, wish: StudyWish) -> None:
    """A metric that is not measured cannot be improved."""
    if not wish.objective:
        return
    known = [metric.name for metric in task_spec(version.project.task).metrics_of(version.project.task_options)]
    if wish.objective not in known:
        raise StudyObjectiveUnknownError(objective=wish.objective, known=known)


def _families(version: DatasetVersion, wish: StudyWish) -> tuple[FamilySpec, ...]:
    if wish.strategy == DISTILL:
        teacher_check(teacher=wish.teacher, version=version)
        return students_of(version)
    known = {family.name: family for family in families_for(task_spec(version.project.task))}
    wanted = [wish.single.family] if wish.strategy == SINGLE and wish.single else list(wish.families or known)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise StudyFamilyUnknownError(families=unknown, known=list(known))
    return tuple(known[name] for name in dict.fromkeys(wanted))


def _first_trials(
    families: Sequence[FamilySpec], facts: VersionFacts, wish: StudyWish, version: DatasetVersion
) -> tuple[TrainConfig, ...]:
    if wish.strategy == DISTILL:
        return lessons_of(version, facts)
    if wish.strategy == PORTFOLIO:
        return portfolio(families=families, facts=facts)[: wish.max_trials]
    if wish.strategy == SINGLE:
        if wish.single is None:
            raise InvalidInputError("Strategy single trains one configuration.", fields={"train": ["required"]})
        problems = train_problems(families[0], wish.single)
        if problems:
            fields = {f"train.{name}": [problem] for name, problem in problems.items()}
            raise InvalidInputError("The configuration is not one of its family.", fields=fields)
        return (wish.single,)
    sizes = [(family, size) for family in families for size in family.sizes]
    return tuple(TrainConfig(family=family.name, size=size.name, params={}) for family, size in sizes)[: wish.max_trials]


def _total_s(fitting: Sequence[TrialEstimate], num_trials: int, concurrency: int) -> float:
    """The known trials, and for each of the others their mean."""
    if not fitting:
        return 0.0
    mean_s = sum(each.estimated_s for each in fitting) / len(fitting)
    others = [dataclasses.replace(fitting[0], estimated_s=mean_s)] * max(0, num_trials - len(fitting))
    return study_seconds([*fitting[:num_trials], *others], concurrency=concurrency)


def _taken(workspace: str, family: str) -> list[tuple[float, float]]:
    """(estimate, seconds) of the workspace's latest finished trials of a family."""
    rows = (
        Trial.objects.filter(
            study__project__workspace=workspace,
            config__family=family,
            state="succeeded",
            started_at__isnull=False,
            members__isnull=True,
        )
        .exclude(study__strategy=DISTILL)
        .order_by("-id")[:RECENT_TRIALS]
    )
    return [
        (row.estimated_s, (row.ended_at - row.started_at).total_seconds()) for row in rows if row.started_at and row.ended_at
    ]


def _blocking(facts: VersionFacts, is_hopeless: bool) -> list[Problem]:
    problems = []
    for code, number, en, zh in (
        ("train_split_empty", facts.num_train, "The version has no items to train on.", "该版本没有训练数据。"),
        ("validation_split_empty", facts.num_validation, "The version has no items to validate on.", "该版本没有验证数据。"),
    ):
        if number == 0:
            problems.append(_problem(code, en, zh, "Label more items and cut a new version.", "标注更多数据并创建新版本。"))
    if is_hopeless:
        en, zh = "None of the models fits into this host's memory.", "没有模型能放入本机内存。"
        problems.append(
            _problem("nothing_fits", en, zh, "Choose a smaller model or fewer at once.", "选择更小的模型或减少并行数。")
        )
    return problems


def _problem(code: str, en: str, zh: str, remedy_en: str, remedy_zh: str) -> Problem:
    return Problem(code=code, severity=Severity.BLOCKING, message=Text(en=en, zh=zh), remedy=Text(en=remedy_en, zh=remedy_zh))
