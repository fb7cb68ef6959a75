"""The network in 8 bits, trained with the rounding, where rounding alone loses too much."""

from __future__ import annotations

from engine.compress.rounded import trained
from engine.compress.smaller_graph import SmallerGraph
from engine.compress.source import Source


def make(source: Source) -> SmallerGraph:
    """Makes the model's graph smaller.

    Raises:
        NoCandidateError: there is nothing to be made of it.
        StoppedError: the job was asked to stop.
        EngineError: it cannot be trained.
    """
    return trained(source)
