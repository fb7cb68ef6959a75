"""Models that answer together: bags of folds, models that see others' answers, and the weighted mean of all.

Shapes: N rows, L labels, O columns of an answer (L, or 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import RowColumn
from automl.contracts.report import ModelScore
from automl.contracts.table import ColumnKind
from engine.table.graph import GraphWriter
from engine.table.table import INPUTS, FitNeeds, RowModel, Table


@dataclass(frozen=True)
class Mean:
    """Several models whose answers are weighed."""

    members: tuple[RowModel, ...]
    weights: tuple[float, ...]
    """Add up to one."""

    def answers(self, table: Table) -> NDArray[np.float32]:
        """The mean of the answers."""
        parts = (np.float32(weight) * model.answers(table) for weight, model in zip(self.weights, self.members, strict=True))
        total: NDArray[np.float32] = np.sum(list(parts), axis=0, dtype=np.float32)
        return total

    def write(self, graph: GraphWriter) -> str:
        """Adds all members and their mean."""
        parts = [
            graph.add("Mul", [model.write(graph), graph.floats(weight)])
            for weight, model in zip(self.weights, self.members, strict=True)
        ]
        return graph.add("Sum", parts) if len(parts) > 1 else parts[0]


@dataclass(frozen=True)
class StackedModel:
    """A model that sees the answers of others as further numbers."""

    below: tuple[RowModel, ...]
    model: RowModel
    num_outputs: int
    """O."""

    def answers(self, table: Table) -> NDArray[np.float32]:
        """Lets those below answer first."""
        return self.model.answers(widened(table, [model.answers(table) for model in self.below]))

    def write(self, graph: GraphWriter) -> str:
        """Adds those below, and the model with its numbers taken from there too."""
        parts = [self._columns_of(graph, model.write(graph)) for model in self.below]
        numbers = INPUTS[ColumnKind.NUMBER]
        before = [numbers] if numbers in graph.inputs else []
        return self.model.write(_Rerouted(graph, {numbers: graph.add("Concat", [*before, *parts], axis=1)}))

    def _columns_of(self, graph: GraphWriter, answers: str) -> str:
        """The columns that ``widened`` adds."""
        if self.num_outputs == 1:
            return answers
        return graph.add("Slice", [answers, graph.ints(1), graph.ints(self.num_outputs), graph.ints(1)])


@dataclass(frozen=True)
class Ensemble(Mean):
    """What is shipped, and its leaderboard."""

    models: tuple[ModelScore, ...]
    """The leaderboard, best first; what was left out has weight 0."""
    held_back_answers: NDArray[np.float32] | None = None
    """Where validation was trained on, answers ``_NO`` by models that had not learned from its rows; else None. As ever
    the rows decide when to stop and how to weigh, so that figures of few rows are a little too good."""
    needs: FitNeeds | None = None
    """All members in as many folds as the budget by itself allows."""


def widened(table: Table, answers: Sequence[NDArray[np.float32]]) -> Table:
    """The rows with answers ``_NO`` as further columns of numbers, last.

    Of two labels one column is enough.
    """
    parts = [answer_NO[:, 1:] if answer_NO.shape[1] > 1 else answer_NO for answer_NO in answers]
    new = [
        RowColumn(name=f"answer {number}.{place}", kind=ColumnKind.NUMBER)
        for number, part in enumerate(parts)
        for place in range(part.shape[1])
    ]
    numbers_NA = np.concatenate([table.numbers_NA, *parts], axis=1, dtype=np.float32)
    others = [column for column in table.columns if column.kind is not ColumnKind.NUMBER]
    columns = (*table.of_kind(ColumnKind.NUMBER), *new, *others)
    return Table(columns, numbers_NA, table.datetimes_ND, table.categories_NC, table.texts_NT)


def mean_of(models: Sequence[RowModel]) -> RowModel:
    """Models that all weigh the same; one alone stays as it is."""
    return models[0] if len(models) == 1 else Mean(tuple(models), (1.0 / len(models),) * len(models))


class _Rerouted(GraphWriter):
    """A graph whose inputs are tensors of another graph, to which all is added."""

    def __init__(self, graph: GraphWriter, names: dict[str, str]):
        self._graph, self._renamed = graph, names
        self.inputs = graph.inputs

    def add_many(
        self, operator: str, inputs: Sequence[str], num_outputs: int, *, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Adds the node to the other graph."""
        renamed = [self._renamed.get(name, name) for name in inputs]
        return self._graph.add_many(operator, renamed, num_outputs, domain=domain, **attributes)

    def constant(self, value: NDArray[Any]) -> str:
        """A constant of the other graph."""
        return self._graph.constant(value)
