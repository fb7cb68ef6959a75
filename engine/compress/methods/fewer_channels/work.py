"""Channels that matter least are removed, and what is left learns again from the items of training."""

from __future__ import annotations

from engine.compress.prune import pruned
from engine.compress.smaller_graph import SmallerGraph
from engine.compress.source import SourceGraph


def make(graph: SourceGraph) -> SmallerGraph:
    """Makes a graph smaller.

    Raises:
        NoCandidateError: there is nothing to be made of it.
        StoppedError: the job was asked to stop.
        EngineError: it cannot be trained.
    """
    return pruned(graph)
