"""What the target of a table can be: the protocol of this package's modules."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from automl.contracts.annotation import Annotation, AnnotationKind
from automl.contracts.base import Text
from automl.contracts.table import Column, ColumnKind


class TargetValue(NamedTuple):
    """The annotation that a cell gives its row."""

    annotations: tuple[Annotation, ...] | None
    """None: nothing, the row is unlabelled."""
    trouble: str | None = None
    """Why not, when the cell is not missing: a key of ``REASONS``."""


class TargetKind(Protocol):
    """What each module of this package calls ``KIND``: a category, a number."""

    annotation: AnnotationKind
    """What the cells of the target become. The task's spec names it, as the project's options stand."""
    columns: frozenset[ColumnKind]
    """Kinds of columns that can be the target."""
    usual: ColumnKind
    """The kind of the target in data that is known, such as the examples of a task."""
    has_labels: bool
    """Whether the values of the target are the labels of the project."""

    def is_likely(self, column: Column) -> bool:
        """Whether a column may be suggested as the target."""

    def refusal(self, column: str) -> Text:
        """Why the column of that name cannot be the target."""

    def read(self, cell: str, column: Column, labels: set[str]) -> TargetValue:
        """Reads a cell.

        Args:
            cell: as it stands in the table.
            column: the target.
            labels: those known so far; a new one is added.
        """
