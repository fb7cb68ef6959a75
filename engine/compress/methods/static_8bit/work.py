"""Weights and what flows between layers as 8-bit whole numbers, with ranges that items of training showed."""

from __future__ import annotations

from engine.compress.quantise import static
from engine.compress.refit import refitted
from engine.compress.smaller_graph import SmallerGraph
from engine.compress.source import SourceGraph


def make(graph: SourceGraph) -> SmallerGraph:
    """Makes a graph smaller.

    Raises:
        NoCandidateError: there is nothing to be made of it.
        StoppedError: the job was asked to stop.
    """
    return refitted(graph, static(graph, spared=frozenset()))
