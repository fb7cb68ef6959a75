"""Hooks that this app calls and apps above it implement, with their signatures; see ``studio.common.app_config``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from studio.common.app_config import hook_functions
from studio.registry.models import Artefact


class ThresholdsChanged(Protocol):
    """After the commit that gives a model other thresholds, or another coverage."""

    def __call__(self, artefact: Artefact, /) -> None:
        """Lets what answers with the model follow."""


@dataclass(frozen=True)
class Use:
    """One thing that was made of a model."""

    kind: str
    """deployment or export."""
    id: str
    name: str
    at: datetime
    by: str
    """Id of the person or key who made it."""


class ArtefactUses(Protocol):
    """Called when the uses of a model are shown."""

    def __call__(self, artefact: Artefact, /) -> Iterable[Use]:
        """What was made of the model, oldest first."""


class ModelsServed(Protocol):
    """Which models answer."""

    def __call__(self, project_ids: Sequence[str], /) -> Collection[str]:
        """Ids of the models of these projects that answer at an address, in one query."""


class TrialsShipped(Protocol):
    """Whose models studies ship."""

    def __call__(self, trial_ids: Sequence[str], /) -> Collection[str]:
        """Those of these trials that their ended studies ship, with as many queries for all as for one."""


def models_served(project_ids: Sequence[str]) -> set[str]:
    """Models that answer at an address."""
    functions: Iterator[ModelsServed] = hook_functions("models_served")
    return {model for function in functions for model in function(project_ids)}


def trials_shipped(trial_ids: Sequence[str]) -> set[str]:
    """Trials whose models are the results of their studies."""
    functions: Iterator[TrialsShipped] = hook_functions("trials_shipped")
    return {trial for function in functions for trial in function(trial_ids)}


def artefact_uses(artefact: Artefact) -> Iterator[Use]:
    """Where a model went."""
    function: ArtefactUses
    for function in hook_functions("artefact_uses"):
        yield from function(artefact)


def thresholds_changed(artefact: Artefact) -> None:
    """The thresholds of a model, or the guarantee of its answers, have changed."""
    function: ThresholdsChanged
    for function in hook_functions("thresholds_changed"):
        function(artefact)
