"""Mixed precision: which nodes lose most in 8 bits, and how many of them must be left as they are.

Each inner node (of deep networks: some neighbours together) is turned into 8 bits alone, and the answers to some items
of training are compared with those of the model, as Dong et al. 2019 (HAWQ, https://arxiv.org/abs/1905.03696) rank layers by
how much they move the loss. The worst are then left as they are, twice as many at each step, until answers are half as far off
as with all nodes in 8 bits.
"""

from __future__ import annotations

from statistics import fmean

import numpy as np
import onnx

from engine.compress.graphs import inner_nodes
from engine.compress.quantise import static
from engine.compress.smaller_graph import NoCandidateError, SmallerGraph
from engine.compress.source import Source, SourceGraph

_ITEMS, _LEAST_ITEMS = 16, 4
"""Of the calibration; each node asks about all of them."""
_ROWS = 256
"""That a graph is asked about them; of large pictures in tiles more, if they are the fewest items."""
_HARMLESS = 0.002
"""Mean difference of a score below which all nodes may stay in 8 bits."""
_ENOUGH_SHARE = 0.5
_MOST_SPARED = 0.5
"""Of the groups: with more of them there is little left to gain."""
_MOST_GROUPS = 24


def mixed(graph: SourceGraph) -> SmallerGraph:
    """The network in 8 bits but for the inner nodes that move its answers most.

    Raises:
        NoCandidateError: no node has weights, or none is worth being spared.
        StoppedError: the job was asked to stop.
    """
    names = inner_nodes(graph.model())
    whole = mean_difference(graph, static(graph, spared=frozenset()).model)
    if whole < _HARMLESS or len(names) == 1:
        raise NoCandidateError("as_static")
    groups = _groups(names)
    losses = [mean_difference(graph, static(graph, spared=frozenset(names).difference(group)).model) for group in groups]
    worst = sorted(range(len(groups)), key=lambda number: -losses[number])
    num_spared = 1
    while num_spared <= _MOST_SPARED * len(groups):
        made = static(graph, spared=frozenset(name for number in worst[:num_spared] for name in groups[number]))
        if mean_difference(graph, made.model) <= _ENOUGH_SHARE * whole:
            return made
        num_spared *= 2
    raise NoCandidateError("as_static")


def _groups(names: list[str]) -> list[list[str]]:
    size = -(-len(names) // _MOST_GROUPS)
    return [names[start : start + size] for start in range(0, len(names), size)]


def mean_difference(original: SourceGraph, model: onnx.ModelProto) -> float:
    """Mean difference of a graph's answers from the model's, as the runtime compares them.

    Raises:
        NoCandidateError: the runtime refuses the graph.
        StoppedError: the job was asked to stop.
    """
    source = original.source
    source.job.control.raise_if_stopped()
    path = original.work / "tried.onnx"
    path.write_bytes(model.SerializeToString())
    session, num = source.opened({original.file: path}), _num_asked(source)
    pairs = zip(source.expected[:num], source.calibration[:num], strict=True)
    return fmean(source.difference(expected, session.answers(read.feeds)[0], read) for expected, read in pairs)


def _num_asked(source: Source) -> int:
    """How many items of the calibration are asked about: fewer where the graph is asked often about each."""
    rows_N = np.cumsum([each.num_asked for each in source.calibration])
    return min(_ITEMS, max(_LEAST_ITEMS, int(np.searchsorted(rows_N, _ROWS, side="right"))))
