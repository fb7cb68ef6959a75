"""Evaluates the graph that is shipped, not the model that was trained. Shapes: N items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from automl.contracts.dataset import ItemRecord
from engine.answers import AnswerKind
from engine.artefact.session import GraphSession
from engine.job import Job

JUDGE_FROM = 0.15
"""Share of a job ``evaluate`` at which the first item is asked about."""


class AskedItems(Protocol):
    """Items as a graph takes them."""

    @property
    def asked_at_once(self) -> int:
        """How many items the graph is asked about at once."""
        ...

    def indices(self, records: Iterable[ItemRecord]) -> NDArray[np.int64]:
        """Where the items of these records stand, in the order given."""
        ...

    def graph_input(self, rows_B: NDArray[np.int64], /) -> NDArray[Any]:
        """The items that stand there, with a batch axis."""
        ...


def answers(
    session: GraphSession,
    items: AskedItems,
    records: Sequence[ItemRecord],
    *,
    kind: AnswerKind,
    job: Job,
    span: tuple[float, float],
) -> np.ndarray:
    """The graph's answers to the records' items, one row an item.

    Args:
        session: the graph.
        items: that the records tell of.
        records: the items to judge, at least one.
        kind: of the answers.
        job: whose events and control to use.
        span: share of the whole job that this is, from and to.

    Raises:
        StoppedError: the job was asked to stop.
    """
    rows = items.indices(records)
    found = []
    at_once = items.asked_at_once
    for start in range(0, len(rows), at_once):
        job.control.raise_if_stopped()
        job.progress("evaluate", span[0] + (span[1] - span[0]) * start / len(rows))
        given = session.run(items.graph_input(rows[start : start + at_once]))
        found.append(given.astype(np.float16) if kind.is_large else given)
    return np.concatenate(found)
