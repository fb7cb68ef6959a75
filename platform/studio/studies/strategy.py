"""What a strategy of studies is: which trials a study runs, and who chooses them.

A strategy is one file below ``strategies``, whose ``STRATEGY`` has the members of ``Strategy``; each sampler of
``automl.search.samplers`` is one too. Nobody else asks for a strategy by its name. What people read of it is
``strategy.<name>`` in the front end's dictionaries of studies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from automl.contracts.family import FamilySpec
from automl.contracts.job import DataParallel, TrainConfig
from automl.planning.facts import VersionFacts, facts_of
from automl.planning.fit import worthwhile
from automl.search.objectives import SideObjective
from automl.search.ranges import FamilyRanges
from engine.models import families_for
from engine.tasks import task_spec
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.selectors import version_manifest
from studio.registry.models import Artefact
from studio.studies.errors import StudyFamilyUnknownError
from studio.studies.models import Study
from studio.studies.warm_trials import WarmTrial


@dataclass(frozen=True)
class StudyRequest:
    """The study that a person requests."""

    strategy: str
    max_trials: int
    concurrency: int
    families: Sequence[str] | None = None
    single: TrainConfig | None = None
    """The one configuration, of strategies that take ``train``."""
    teacher: Artefact | None = None
    """The model that teaches, of strategies that take ``teacher``."""
    start: Artefact | None = None
    """The model whose weights every trial begins with, of strategies that take ``start_from``."""
    objective: str = ""
    """Name of the metric to improve; empty takes the task's."""
    also_improves: Sequence[SideObjective] = ()
    """What to improve besides, of strategies that search."""
    refits: bool = False
    """Whether what is shipped learns once more from all that was held back while models were judged."""
    learns_test: bool = False
    """Test items included."""
    max_answer_ratio: float = 1.0
    """How many times as long as the slowest of its trials the mean of several may take to answer."""
    prefers_fast: bool = False
    """Whether of equally good trials the one is kept that answers fastest, not the one whose family generalises."""
    ranges: Mapping[str, FamilyRanges] = field(default_factory=dict)
    """What may be tried of each family, by its name; of strategies that take ``ranges``."""
    at_most: Mapping[str, float] = field(default_factory=dict)
    """Limits by name of a parameter of the families."""
    device: str = "auto"
    """``auto`` or ``cpu``."""
    num_processes: int = 1
    """That train each network together, on each host."""
    num_hosts: int = 1
    """That train each network together."""
    data_parallel: DataParallel = field(default_factory=DataParallel)
    """How they do, of several processes."""
    warm_start: bool | None = None
    """Whether a search begins with what did well before, as asked; None where nothing was said."""
    warm_trials: Sequence[WarmTrial] = ()
    """What a search begins with, of strategies that take ``warm_start``."""


@dataclass(frozen=True)
class Scope:
    """What trials are chosen from, of a study that is planned or runs."""

    version: DatasetVersion
    families: tuple[FamilySpec, ...]
    """Those that may be trained; empty when none of them is installed any more."""
    single: TrainConfig | None = None
    start: Artefact | None = None
    time_limit_s: float | None = None
    """Of the study; None without one, or while it is planned."""
    warm: tuple[TrainConfig, ...] = ()
    """What did well before, of families that may be trained."""

    @cached_property
    def facts(self) -> VersionFacts:
        """Facts of the version, read when they are first asked for."""
        return facts_of(version_manifest(self.version))


class Strategy(Protocol):
    """One way to choose the trials of a study."""

    @property
    def name(self) -> str:
        """As a study stores it."""

    @property
    def searches(self) -> str | None:
        """The sampler that chooses when the first trials are over; None: all trials are known beforehand."""

    @property
    def takes(self) -> frozenset[str]:
        """Fields of a request that only some strategies use.

        These are ``train``, ``teacher``, ``start_from``, ``ranges`` and ``warm_start``.
        """

    @property
    def is_taught(self) -> bool:
        """Whether trials learn from a model besides the version.

        Their durations say nothing of other trials', and what was held back cannot be learned once more.
        """

    def families(self, request: StudyRequest, version: DatasetVersion) -> tuple[FamilySpec, ...]:
        """What the study may train.

        Raises:
            InvalidInputError: the request lacks what the strategy needs, or names what does not exist.
        """

    def first_trials(self, scope: Scope) -> tuple[TrainConfig, ...]:
        """The trials that are known beforehand, in the order in which they are started."""

    def examples(self, scope: Scope) -> tuple[TrainConfig, ...]:
        """What the duration of a study is estimated by: the first trials, or examples of what a search may try."""

    def order(self, study: Study, workdir: Path) -> Mapping[str, Any]:
        """Puts what a trial needs besides the version into its working directory.

        Returns:
            Fields of ``JobSpec`` that say what to do; ``lineage`` is added to what every trial comes from.
        """


def train_order() -> dict[str, Any]:
    """The order of strategies whose trials learn from the version alone."""
    return {"kind": "train", "lineage": {}}


def families_requested(request: StudyRequest, version: DatasetVersion) -> tuple[FamilySpec, ...]:
    """The families that a request allows to search, without sizes that would learn the same.

    What a search does not try by itself is there only if the request names it: a family here or by the model to start from, a
    size by its range.

    Raises:
        StudyFamilyUnknownError: the task has no such family.
    """
    facts = facts_of(version_manifest(version))
    named = families_named(request.families, version)
    started = None if request.start is None else request.start.facts.train.family
    families = named if request.families else [each for each in named if each.is_searched or each.name == started]
    return tuple(worthwhile(family.searched(), facts) for family in families)


def families_named(names: Sequence[str] | None, version: DatasetVersion) -> tuple[FamilySpec, ...]:
    """Families of the version's task; None asks for all.

    Raises:
        StudyFamilyUnknownError: the task has no such family.
    """
    known = {family.name: family for family in families_for(task_spec(version.project.task))}
    requested = list(names or known)
    unknown = [name for name in requested if name not in known]
    if unknown:
        raise StudyFamilyUnknownError(families=unknown, known=list(known))
    return tuple(known[name] for name in dict.fromkeys(requested))
