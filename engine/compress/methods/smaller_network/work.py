"""A smaller network that learns from the model's answers."""

from __future__ import annotations

from engine.compress.smaller_graph import SmallerGraph
from engine.compress.smaller_network import student
from engine.compress.source import SourceGraph


def make(graph: SourceGraph) -> SmallerGraph:
    """Makes a graph smaller.

    Raises:
        NoCandidateError: there is nothing to be made of it.
        StoppedError: the job was asked to stop.
        EngineError: it cannot be trained.
    """
    return student(graph)
