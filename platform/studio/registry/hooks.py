"""What this app asks of higher ones: each hook with its signature. ``studio.common.app_config`` says who answers."""

from __future__ import annotations

from typing import Protocol

from studio.common.app_config import hook_functions
from studio.registry.models import Artefact


class ThresholdsChanged(Protocol):
    """After the commit that gives a model other thresholds."""

    def __call__(self, artefact: Artefact, /) -> None:
        """Lets what answers with the model follow."""


def thresholds_changed(artefact: Artefact) -> None:
    """A model answers from other scores on."""
    function: ThresholdsChanged
    for function in hook_functions("thresholds_changed"):
        function(artefact)
