"""The interface of a cure, and what it knows of a failure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from automl.contracts.base import Text
from automl.contracts.family import FamilySpec
from automl.search.limits import amount_of, limitable, reduced
from automl.search.ranges import with_ranges
from engine.models import families_for, family_spec
from engine.tasks import task_spec
from studio.accounts.roles import Action
from studio.studies.again import StudySettings, study_settings
from studio.studies.models import Study, Trial
from studio.studies.strategies import USUAL_STRATEGY, strategy_of

FEW_TRIALS = 3
"""Of a search that takes the place of one configuration."""


@dataclass(frozen=True)
class Limit:
    """A parameter that the trials of a failure took too much of."""

    name: str
    title: Text
    before: float
    """The least that one of them took."""
    after: float


@dataclass(frozen=True)
class Failure:
    """Why a study has no model, or one that learned less than it should have."""

    study: Study
    code: str
    message: str
    items: tuple[str, ...]
    """Ids of those that caused it, when known."""
    trials: tuple[Trial, ...]
    """That ended so, in order."""

    @cached_property
    def settings(self) -> StudySettings:
        """Those of the study."""
        return study_settings(self.study)

    @cached_property
    def families(self) -> tuple[FamilySpec, ...]:
        """All that suit the task, of those that a search does not try by itself only what the study names."""
        named = self.settings.request.families or ()
        fitting = families_for(task_spec(self.study.project.task))
        return tuple(family for family in fitting if family.is_searched or family.name in named)

    @property
    def failed_families(self) -> frozenset[str]:
        """Names of those that the trials trained."""
        return frozenset(trial.train.family for trial in self.trials)

    def limit(self, name: str, *, factor: float) -> Limit | None:
        """How much less of a parameter, within the study's ranges, lets every trial take less than those that failed.

        Args:
            name: of the parameter.
            factor: how much of it is left, 0..1, where the values allow that.

        Returns:
            None where the trials do not have it, or one of them took the least that may be tried already.
        """
        ranges = self.settings.request.ranges
        found = [
            (with_ranges(family_spec(trial.train.family), ranges.get(trial.train.family, {})), trial.train)
            for trial in self.trials
        ]
        having = [(family, train) for family, train in found if amount_of(family, train, name) is not None]
        limits = [reduced(family, train, name, factor=factor) for family, train in having]
        lower = [limit for limit in limits if limit is not None]
        if not lower or len(lower) < len(limits):
            return None
        title = next(param.title for param in having[0][0].params if param.name == name)
        before = min(amount_of(family, train, name) or 0.0 for family, train in having)
        return Limit(name, title, before=before, after=min(lower))


@dataclass(frozen=True)
class CurePlan:
    """What a cure does about a failure."""

    changes: tuple[Text, ...]
    """One sentence each."""
    settings: StudySettings
    """Those of the study that tries again."""
    leaves_out: tuple[str, ...] = ()
    """Ids of items that are put aside before; the study is then of a new version."""


def with_request(settings: StudySettings, **changes: object) -> StudySettings:
    """The settings with other fields of ``StudyRequest``."""
    return replace(settings, request=replace(settings.request, **changes))  # type: ignore[arg-type] # checked where they are written


def with_limits(settings: StudySettings, limits: Mapping[str, float]) -> StudySettings:
    """The settings with more limits on parameters."""
    return with_request(settings, at_most={**settings.request.at_most, **limits})


def with_families(settings: StudySettings, names: Sequence[str]) -> StudySettings | None:
    """The settings with other model families; a study of one configuration becomes a search among them.

    Returns:
        None without any, and of a study that is bound to a model: one that teaches, or that training goes on from.
    """
    request = settings.request
    strategy = strategy_of(request.strategy)
    if not names or strategy.is_taught or request.start is not None:
        return None
    if strategy.searches is not None:
        allowed = [name for name in request.families or names if name in names] or names
        ranges = {name: own for name, own in request.ranges.items() if name in allowed}
        known = limitable(family_spec(name) for name in allowed)
        limits = {name: most for name, most in request.at_most.items() if name in known}
        return with_request(settings, families=allowed, ranges=ranges, at_most=limits)
    num_trials = min(FEW_TRIALS, len(names))
    return with_request(settings, strategy=USUAL_STRATEGY, single=None, families=names, max_trials=num_trials)


class Cure(ABC):
    """What each file calls ``KIND``."""

    name: ClassVar[str]
    """That of its file."""
    place: ClassVar[int]
    """Among the cures of one failure: the lowest comes first."""
    codes: ClassVar[frozenset[str]]
    """Of the failures that it may cure."""
    title: ClassVar[Text]
    """What a button says."""
    needs: ClassVar[frozenset[Action]] = frozenset()
    """Rights beside that to start a study."""
    page: ClassVar[str | None] = None
    """The page of the web app where a person does it; None of what ``study_cure`` applies."""

    @abstractmethod
    def plan(self, failure: Failure) -> CurePlan | None:
        """What it would change; None where it would change nothing that helps."""
