"""Weights as 8-bit whole numbers, and inputs turned into such as they come, with their own range each time."""

from __future__ import annotations

from engine.compress.quantise import dynamic
from engine.compress.smaller_graph import SmallerGraph
from engine.compress.source import SourceGraph


def make(graph: SourceGraph) -> SmallerGraph:
    """Makes a graph smaller.

    Raises:
        NoCandidateError: there is nothing to be made of it.
        StoppedError: the job was asked to stop.
    """
    return dynamic(graph)
