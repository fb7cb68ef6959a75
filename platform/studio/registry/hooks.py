"""Hooks that this app calls and apps above it implement, with their signatures; see ``studio.common.app_config``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
