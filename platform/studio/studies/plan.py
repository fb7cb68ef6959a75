"""What a study will run, how long it will take and what stands in its way, before the button is pressed."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from automl.contracts.dataset import ItemRecord, VersionManifest
from automl.contracts.family import Cost, FamilySpec
from automl.contracts.job import DataParallel, TrainConfig
from automl.contracts.task import Problem, Severity
from automl.contracts.words import Words
from automl.planning.facts import VersionFacts, facts_of
from automl.planning.fit import Host, TrialEstimate, correction_of, estimate, sample_shape_of, study_seconds
from automl.planning.tiles import VIEW, PictureFacts
from automl.search.limits import limitable, limited
from automl.search.ranges import FamilyRanges, ParamRange, range_problems, with_ranges, within_ranges
from automl.search.space import SIZE, SearchSpace
from engine.models import families_for, family_part, family_spec
from engine.tasks import task_spec
from engine.tasks.shared.picture_facts import picture_facts
from studio.common.errors import InvalidInputError
from studio.common.memory import memory_total_bytes
from studio.common.stored import read_stored
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.records import version_rows
from studio.datasets.versions.selectors import version_manifest
from studio.datasets.versions.shards import version_tree
from studio.jobs.hosts import hosts_alive
from studio.studies.errors import StudyObjectiveUnknownError
from studio.studies.models import Study, Trial
from studio.studies.refits import is_averaged, is_refitted, planned_seconds
from studio.studies.starts import narrowed, start_check
from studio.studies.strategies import strategy_names, strategy_of
from studio.studies.strategy import Scope, Strategy, StudyRequest
from studio.studies.warm_trials import WarmTrial, warm_of, within_families

words = Words(__file__)

MEMORY_FRACTION = 0.8
"""Part of a host's memory that trials may use together; the rest is the platform's."""
_PORTIONS, _PORTION = 8, 60
"""Rows by which pictures and texts are known: so many, in so many places of a version."""
RECENT_TRIALS = 30
"""Finished trials from which the estimates learn."""


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
    """1 where no mean can be shipped, or none is made because time or size count too."""
    refit_s: float
    """Of ``estimated_s`` what that takes at most."""
    hosts: tuple[str, ...]
    """Names of those that are up, where several are asked for."""
    warm_trials: tuple[WarmTrial, ...]
    """Those of ``trials`` that did well in earlier studies."""


def plan_make(*, version: DatasetVersion, request: StudyRequest) -> StudyPlan:
    """Plans a study.

    Raises:
        InvalidInputError: a strategy, family or configuration that does not exist.
        StartUnsuitableError: training cannot go on from the model named.
    """
    strategy = strategy_of(request.strategy)
    _refuse_what_is_idle(request, strategy)
    _check_objective(version, request)
    families = _families(strategy, request, version)
    warm = within_families(request.warm_trials, families)
    scope = Scope(version, families, request.single, request.start, warm=tuple(one.train for one in warm))
    estimator = Estimator(version=version, concurrency=request.concurrency, num_processes=request.num_processes)
    _check_limits(request, families)
    known = _examples(strategy, scope, request)
    first = known[: request.max_trials] if strategy.searches else known
    estimates = tuple(estimator.estimate(family_of(families, train), train) for train in first)
    fitting = tuple(each for each in estimates if each.is_fitting)
    allowed = estimator.allowed(families, request.at_most)
    num_trials = request.max_trials if strategy.searches else len(first)
    is_hopeless = not (allowed if strategy.searches else fitting)
    task = task_spec(version.project.task)
    hosts = tuple(host.name for host in hosts_alive()) if request.num_hosts > 1 else ()
    refits = request.refits and is_refitted(task, is_taught=strategy.is_taught)
    may_average = refits and is_averaged(task) and num_trials > 1 and not request.also_improves
    ratio = request.max_answer_ratio if may_average else 1.0
    refit_s = planned_seconds(fitting, version, max_answer_ratio=ratio) if refits else 0.0
    return StudyPlan(
        trials=estimates,
        estimated_s=total_seconds(fitting, num_trials, request.concurrency) + refit_s,
        refits=refits,
        max_answer_ratio=ratio,
        refit_s=refit_s,
        blocking=(*_blocking(scope.facts, is_hopeless), *_few_hosts(request, hosts)),
        hosts=hosts,
        families=allowed,
        num_trials=num_trials,
        warm_trials=warm,
    )


def _families(strategy: Strategy, request: StudyRequest, version: DatasetVersion) -> tuple[FamilySpec, ...]:
    """What may be trained, where training goes on from a model and by hand included."""
    families = strategy.families(request, version)
    if request.start is not None:
        start_check(start=request.start, version=version)
        families = narrowed(families, request.start)
    return _narrowed_by_hand(request, families)


def _examples(strategy: Strategy, scope: Scope, request: StudyRequest) -> list[TrainConfig]:
    """What the duration is estimated by, within what the request allows."""
    planned = within(strategy.examples(scope), scope.families, request.ranges)
    return [limited(family_of(scope.families, train), train, request.at_most) for train in planned]


def memory_of(plan: StudyPlan, concurrency: int) -> int:
    """Of the largest trials that may run at once."""
    largest = sorted((each.memory_bytes for each in plan.trials if each.is_fitting), reverse=True)
    return sum(largest[:concurrency])


class Estimator:
    """Estimates trials on one version, corrected by what the workspace's trials took before."""

    def __init__(self, *, version: DatasetVersion, concurrency: int, num_processes: int = 1) -> None:
        self._num_processes = num_processes
        task = version.project.task
        self._facts = facts_of(version_manifest(version), _pictures(version.id, task), _text_bytes(version.id, task))
        self._workspace = version.project.workspace_id
        self._host = Host(memory_bytes=int(memory_total_bytes() * MEMORY_FRACTION / concurrency))
        self._durations: dict[str, list[tuple[float, float]]] = {}

    def estimate(self, family: FamilySpec, train: TrainConfig) -> TrialEstimate:
        """What a trial will need."""
        if family.name not in self._durations:
            self._durations[family.name] = _durations(self._workspace, family.name)
        earlier, raw = self._durations[family.name], self.raw(family, train)
        return dataclasses.replace(raw, estimated_s=raw.estimated_s * correction_of(earlier), is_corrected=bool(earlier))

    def raw(self, family: FamilySpec, train: TrainConfig) -> TrialEstimate:
        """The same without correction: this is what a trial keeps, so that the next correction does not correct itself."""
        sample_shape = sample_shape_of(family=family, train=train, facts=self._facts)
        cost: Cost = family_part(family.name, "family").cost(sample_shape, train.size)
        processes = processes_of(family, self._num_processes)
        return estimate(family=family, train=train, cost=cost, facts=self._facts, host=self._host, num_processes=processes)

    def allowed(self, families: Sequence[FamilySpec], at_most: Mapping[str, float]) -> tuple[FamilySpec, ...]:
        """The families that fit, each with the sizes that fit at their defaults, or within the limits where these are lower."""
        found = []
        for family in families:
            sizes = tuple(
                size for size in family.sizes if self.raw(family, limited(family, _bare(family, size.name), at_most)).is_fitting
            )
            if sizes:
                found.append(family.model_copy(update={"sizes": sizes}))
        return tuple(found)


@lru_cache(maxsize=32)
def _pictures(version: str, task: str) -> tuple[PictureFacts, ...]:
    """Some of a version's pictures, where a family may read them in tiles: what stands in a few groups of its rows."""
    if not any(param.name == VIEW for family in families_for(task_spec(task)) for param in family.params):
        return ()
    return picture_facts(_some_rows(version))


@lru_cache(maxsize=32)
def _text_bytes(version: str, task: str) -> tuple[int, ...]:
    """Of some of a version's texts, where a family reads tokens: a short text takes less memory than a family reads at most."""
    if not any(size.max_tokens for family in families_for(task_spec(task)) for size in family.sizes):
        return ()
    return tuple(row.media.size_bytes for row in _some_rows(version))


def _some_rows(version: str) -> list[ItemRecord]:
    """What stands in a few groups of a version's rows."""
    folder = version_tree(version)
    manifest = VersionManifest.read(folder / "version.json")
    last = max(0, manifest.num_items - _PORTION)
    starts = sorted({number * last // (_PORTIONS - 1) for number in range(_PORTIONS)})
    return [row for start in starts for row in version_rows(folder, manifest, start=start, count=_PORTION)]


def processes_of(family: FamilySpec, num_processes: int) -> int:
    """How many processes train a network of a family: only gradient steps can be shared."""
    return num_processes if family.can_continue else 1


def hosts_of(study: Study, trial: Trial) -> int:
    """How many hosts train a trial's network: where a large model teaches, and where the best learn once more, it is one."""
    is_alone = not trial.is_candidate or strategy_of(study.strategy).is_taught
    return 1 if is_alone or not family_spec(trial.train.family).can_continue else study.num_hosts


def data_parallel_of(study: Study) -> DataParallel:
    """How the processes that train a network put their gradients together."""
    return read_stored(DataParallel, study.data_parallel, subject=study.id)


def space_of(study: Study) -> SearchSpace | None:
    """The search space fixed when the study started; None when none of its families is installed any more."""
    known = {family.name: family for family in families_for(task_spec(study.project.task))}
    families = []
    for name, sizes in study.families:
        if name in known:
            fitting = tuple(size for size in known[name].sizes if size.name in sizes)
            family = known[name].model_copy(update={"sizes": fitting or known[name].sizes})
            families.append(with_ranges(family, ranges_of(study).get(name, {})))
    return SearchSpace(tuple(families)) if families else None


def ranges_stored(ranges: Mapping[str, FamilyRanges]) -> dict[str, dict[str, Any]]:
    """Ranges as a study keeps them; the inverse of ``ranges_of``."""
    return {family: {name: one.model_dump(mode="json") for name, one in own.items()} for family, own in ranges.items()}


def ranges_of(study: Study) -> Mapping[str, FamilyRanges]:
    """The ranges that were set when the study started, by family."""
    return {
        family: {name: read_stored(ParamRange, one, subject=study.id) for name, one in ranges.items()}
        for family, ranges in study.ranges.items()
    }


def within(
    trains: Sequence[TrainConfig], families: Sequence[FamilySpec], ranges: Mapping[str, FamilyRanges]
) -> tuple[TrainConfig, ...]:
    """Planned configurations with each value in its range; those that become the same are planned once."""
    found: list[TrainConfig] = []
    for train in trains:
        one = within_ranges(family_of(families, train), train) if train.family in ranges else train
        if one not in found:
            found.append(one)
    return tuple(found)


def first_trials_of(study: Study) -> tuple[TrainConfig, ...]:
    """What the study's strategy runs before it searches."""
    space = space_of(study)
    single = None if study.single is None else read_stored(TrainConfig, study.single, subject=study.id)
    families = space.families if space else ()
    warm = tuple(one.train for one in within_families(warm_of(study), families))
    scope = Scope(study.version, families, single, study.start, study.time_limit_s, warm)
    return within(strategy_of(study.strategy).first_trials(scope), families, study.ranges)


def family_of(families: Sequence[FamilySpec], train: TrainConfig) -> FamilySpec:
    """The family of a configuration."""
    return next((family for family in families if family.name == train.family), None) or family_spec(train.family)


def _refuse_what_is_idle(request: StudyRequest, strategy: Strategy) -> None:
    """What a strategy would pass over without a word was meant otherwise."""
    given = {
        "train": request.single,
        "teacher": request.teacher,
        "start_from": request.start,
        "ranges": request.ranges or None,
        "warm_start": request.warm_start or None,
    }
    fields = {}
    for field in sorted(name for name, value in given.items() if value is not None and name not in strategy.takes):
        users = [name for name in strategy_names() if field in strategy_of(name).takes]
        fields[field] = [f"only of strategy {', '.join(users)}"]
    if request.also_improves and strategy.searches is None:
        fields["also_improves"] = ["only of strategies that search"]
    if fields:
        raise InvalidInputError(f"Strategy {strategy.name} does not use all that is asked.", fields=fields)


def _check_objective(version: DatasetVersion, request: StudyRequest) -> None:
    """A metric that is not measured cannot be improved."""
    if not request.objective:
        return
    known = [metric.name for metric in task_spec(version.project.task).metrics_of(version.project.task_options)]
    if request.objective not in known:
        raise StudyObjectiveUnknownError(objective=request.objective, known=known)


def _narrowed_by_hand(request: StudyRequest, families: Sequence[FamilySpec]) -> tuple[FamilySpec, ...]:
    """The families with the ranges of the request; a range that no family can follow was meant otherwise."""
    families = [_with_all_sizes(family, request) for family in families]
    known = {family.name: family for family in families}
    fields = {
        f"ranges.{name}": [f"families of this study: {', '.join(known)}"] for name in request.ranges.keys() - known.keys()
    }
    for name in sorted(request.ranges.keys() & known.keys()):
        problems = range_problems(known[name], request.ranges[name])
        fields |= {f"ranges.{name}.{param}": [problem] for param, problem in problems}
    if fields:
        raise InvalidInputError("A range does not fit the model families.", fields=fields)
    return tuple(with_ranges(family, request.ranges.get(family.name, {})) for family in families)


def _with_all_sizes(family: FamilySpec, request: StudyRequest) -> FamilySpec:
    """The family with sizes that planning left out, where a person chooses sizes; where training goes on, one alone fits."""
    if request.start is not None or SIZE not in request.ranges.get(family.name, {}):
        return family
    return family.model_copy(update={"sizes": family_spec(family.name).sizes})


def _check_limits(request: StudyRequest, families: Sequence[FamilySpec]) -> None:
    """A limit that no family heeds was meant otherwise."""
    known = limitable(families)
    unknown = sorted(request.at_most.keys() - known)
    if unknown:
        fields = {f"at_most.{name}": [f"known: {', '.join(sorted(known)) or 'none'}"] for name in unknown}
        raise InvalidInputError("A limit is set on what is no number of the model families.", fields=fields)


def _bare(family: FamilySpec, size: str) -> TrainConfig:
    """A size at its family's defaults."""
    return TrainConfig(family=family.name, size=size, params={})


def total_seconds(
    fitting: Sequence[TrialEstimate],
    num_trials: int,
    concurrency: int,
    chosen: Callable[[Sequence[float]], float] | None = None,
) -> float:
    """The known trials, and those that a search will choose, from means of families.

    A search draws the family first: one that has several first trials is no likelier. A single draw is most likely not the one
    that takes much longer than all others, so draws stand as evenly among the families as their number allows.

    Args:
        fitting: the known trials.
        num_trials: all together.
        concurrency: trials that run at once.
        chosen: which of the means each of the others takes; None draws them.
    """
    if not fitting:
        return 0.0
    by_family: dict[str, list[float]] = {}
    for each in fitting:
        by_family.setdefault(each.train.family, []).append(each.estimated_s)
    means = [statistics.mean(seconds) for seconds in by_family.values()]
    num_others = max(0, num_trials - len(fitting))
    drawn = np.quantile(means, (np.arange(num_others) + 0.5) / max(1, num_others), method="hazen").tolist()
    others_s = drawn if chosen is None else [chosen(means)] * num_others
    others = [dataclasses.replace(fitting[0], estimated_s=each) for each in others_s]
    return study_seconds([*fitting[:num_trials], *others], concurrency=concurrency)


def _durations(workspace: str, family: str) -> list[tuple[float, float]]:
    """(estimate, seconds) of the workspace's latest finished trials of a family."""
    rows = (
        Trial.objects.filter(
            study__project__workspace=workspace,
            config__family=family,
            state="succeeded",
            started_at__isnull=False,
            members__isnull=True,
        )
        .exclude(study__strategy__in=[name for name in strategy_names() if strategy_of(name).is_taught])
        .order_by("-id")[:RECENT_TRIALS]
    )
    return [
        (row.estimated_s, (row.ended_at - row.started_at).total_seconds()) for row in rows if row.started_at and row.ended_at
    ]


def _blocking(facts: VersionFacts, is_hopeless: bool) -> list[Problem]:
    problems = []
    if facts.num_train == 0:
        problems.append(_problem("train_split_empty"))
    if facts.num_validation == 0:
        problems.append(_problem("validation_split_empty"))
    if is_hopeless:
        problems.append(_problem("nothing_fits"))
    return problems


def _few_hosts(request: StudyRequest, hosts: Sequence[str]) -> list[Problem]:
    if len(hosts) >= request.num_hosts or request.num_hosts == 1:
        return []
    return [_problem("hosts_missing", count=len(hosts), needed=request.num_hosts)]


def _problem(code: str, **values: int) -> Problem:
    message, remedy = words(f"problem.{code}", **values), words(f"remedy.{code}")
    return Problem(code=code, severity=Severity.BLOCKING, message=message, remedy=remedy)
