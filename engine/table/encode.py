"""Learned preparation: makes numbers of the columns of a table, outside and inside a graph, the same numbers in both.

Each kind of column has a file: ``encode_numbers``, ``encode_datetimes``, ``encode_categories``, ``encode_texts``. A block of
each learns from the training rows, applies itself with numpy and writes itself as nodes. Two styles:

- ``trees``: few features, missing stays NaN, no scaling; a tree asks only for an order.
- ``dense``: finite features of about unit size, for linear models, neighbours and networks; missing has an indicator.

What a block learns from targets (of categories and texts) is, for the training rows themselves, computed out of fold: the
feature of a row never saw the row's own target.

Shapes: N rows, F features, R responses (columns of what is predicted, see ``encode_targets``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import RowColumn
from automl.contracts.table import ColumnKind
from engine.errors import DataInvalidError
from engine.table.encode_categories import learn_categories
from engine.table.encode_datetimes import learn_datetimes
from engine.table.encode_numbers import learn_numbers
from engine.table.encode_targets import Style, responses_of
from engine.table.encode_texts import learn_texts
from engine.table.graph import GraphWriter
from engine.table.table import INPUTS, Table

_DTYPES = {
    ColumnKind.NUMBER: "float32",
    ColumnKind.DATETIME: "int64",
    ColumnKind.CATEGORY: "string",
    ColumnKind.TEXT: "string",
}
_APPLY_ROWS = 65_536
"""Rows that are prepared at once, so that what stands in between stays small."""


class NoColumnsError(DataInvalidError):
    """There is nothing to learn from."""

    code = "no_feature_columns"
    hint = "Let at least one column beside the target be a feature."


class Block(Protocol):
    """What is done to the columns of one kind."""

    names: tuple[str, ...]
    """Of its features."""
    places: tuple[int, ...]
    """By feature, the place of the column it comes from among the columns of the kind."""

    def apply(self, array: NDArray[Any]) -> NDArray[np.float32]:
        """Features ``_NF`` of the array of the kind."""
        ...

    def write(self, graph: GraphWriter, name: str) -> str:
        """Adds nodes that do the same to the input ``name``; gives the name of a tensor ``[batch, F]``, float32."""
        ...


@dataclass(frozen=True)
class Preparation:
    """What was learned of the columns."""

    columns: tuple[RowColumn, ...]
    blocks: tuple[tuple[ColumnKind, Block], ...]
    """In the order of ``ColumnKind``; a kind without columns has none."""
    names_F: tuple[str, ...]
    """What each feature is, for people who look into a model."""
    sources_F: tuple[int, ...]
    """By feature, the index in ``columns`` of the column it comes from."""

    @classmethod
    def learn(
        cls, table: Table, targets_N: NDArray[Any], num_labels: int, *, style: Style, seed: int
    ) -> tuple[Preparation, NDArray[np.float32]]:
        """Learns from training rows.

        Args:
            table: training rows.
            targets_N: indices of labels, or numbers.
            num_labels: L; 0 where a number is predicted.
            style: ``trees`` or ``dense``.
            seed: of the folds.

        Returns:
            The preparation, and the features ``X_NF`` of the training rows, which differ from ``apply`` where targets went in.

        Raises:
            NoColumnsError: the table has no columns, or no rows.
        """
        if not table.columns or not len(table):
            raise NoColumnsError("The table has no columns to learn from." if len(table) else "The table has no rows.")
        responses = responses_of(targets_N, num_labels, seed=seed)
        learners: dict[ColumnKind, Any] = {
            ColumnKind.NUMBER: learn_numbers,
            ColumnKind.DATETIME: learn_datetimes,
            ColumnKind.CATEGORY: learn_categories,
            ColumnKind.TEXT: learn_texts,
        }
        blocks: list[tuple[ColumnKind, Block]] = []
        features: list[NDArray[np.float32]] = []
        for kind, learn in learners.items():
            names = tuple(column.name for column in table.of_kind(kind))
            if names:
                block, x_NF = learn(table.array(kind), names, responses, style)
                blocks.append((kind, block))
                features.append(x_NF)
        sources: list[int] = []
        for kind, block in blocks:
            places = [place for place, column in enumerate(table.columns) if column.kind is kind]
            sources.extend(places[place] for place in block.places)
        names = tuple(name for _, block in blocks for name in block.names)
        return cls(table.columns, tuple(blocks), names, tuple(sources)), np.concatenate(features, axis=1)

    @property
    def num_features(self) -> int:
        """F."""
        return len(self.names_F)

    def apply(self, table: Table) -> NDArray[np.float32]:
        """Features ``X_NF`` of rows that it did not learn from."""
        x_NF = np.empty((len(table), self.num_features), dtype=np.float32)
        for start in range(0, len(table), _APPLY_ROWS):
            rows = slice(start, start + _APPLY_ROWS)
            place = 0
            for kind, block in self.blocks:
                width = len(block.names)
                x_NF[rows, place : place + width] = block.apply(table.array(kind)[rows])
                place += width
        return x_NF

    def write(self, graph: GraphWriter) -> str:
        """Adds the preparation to a graph.

        Returns:
            Name of the tensor ``[batch, F]``, float32, that equals ``apply``.
        """
        parts = [block.write(graph, INPUTS[kind]) for kind, block in self.blocks]
        return parts[0] if len(parts) == 1 else graph.add("Concat", parts, axis=1)


def graph_for(columns: Sequence[RowColumn]) -> GraphWriter:
    """An empty graph with the inputs that rows of these columns need (``Table.feeds``)."""
    widths = {kind: sum(column.kind is kind for column in columns) for kind in ColumnKind}
    return GraphWriter({INPUTS[kind]: (_DTYPES[kind], width) for kind, width in widths.items() if width})
