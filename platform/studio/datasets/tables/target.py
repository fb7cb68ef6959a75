"""What a row's target says of it: the annotation that a column's cell becomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from automl.contracts.annotation import Annotation, ClassLabel, Value
from automl.contracts.table import Column, ColumnKind, TableSchema
from engine.table.guess import target_guess
from runtime.cells import number_of, text_of
from studio.datasets.files.formats import label_is_valid
from studio.datasets.files.rows import cells_of
from studio.datasets.items.table_schema import predicts_number
from studio.datasets.tables.errors import TooManyClassesError
from studio.projects.models import Project

MAX_CLASSES = 1_000
_CACHED = 100_000
"""Different cells that are remembered with what they say."""


def target_suggested(schema: TableSchema, *, is_number: bool) -> str | None:
    """The column that is probably to be predicted; a person decides.

    Args:
        schema: the columns.
        is_number: whether a number is predicted rather than a category.
    """
    numbers = {one.name for one in schema.columns if one.kind is ColumnKind.NUMBER}
    if is_number:
        return target_guess(TableSchema(columns=tuple(one for one in schema.columns if one.name in numbers)))
    # What is measured in a unit is no category, whatever its name.
    return target_guess(TableSchema(columns=tuple(one for one in schema.columns if not (one.name in numbers and one.units))))


class TargetValue(NamedTuple):
    """What a cell says."""

    annotations: tuple[Annotation, ...] | None
    """None: nothing, the row is unlabelled."""
    trouble: str | None = None
    """Why not, when the cell is not missing: a key of ``REASONS``."""


_NOTHING = TargetValue(None)


class TargetReader:
    """Reads the target's cells. Equal cells give the same object, so that writers turn it into JSON once."""

    def __init__(self, column: Column | None, *, is_number: bool, known: Collection[str] = ()) -> None:
        """Args are the target, whether numbers are predicted, and the labels that the project has."""
        self.column = column
        self._is_number = is_number
        self._labels = set(known)
        self._values: dict[str, TargetValue] = {}
        self.troubles: Counter[str] = Counter()

    @property
    def labels(self) -> set[str]:
        """All labels that are known by now."""
        return self._labels

    def of(self, cells: Mapping[str, str]) -> TargetValue:
        """What a row's target says."""
        cell = None if self.column is None else cells.get(self.column.name)
        return _NOTHING if cell is None else self.of_cell(cell)

    def of_text(self, text: str) -> TargetValue:
        """What a row says that is kept as JSON; the JSON is read only when there is a target."""
        return _NOTHING if self.column is None else self.of(cells_of(text))

    def of_cell(self, cell: str) -> TargetValue:
        """What a cell of the target says, or would say."""
        if self.column is None:
            return _NOTHING
        value = self._values.get(cell)
        if value is None:
            value = self._number(cell) if self._is_number else self._class(cell)
            if len(self._values) < _CACHED:
                self._values[cell] = value
        if value.trouble is not None:
            self.troubles[value.trouble] += 1
        return value

    def _number(self, cell: str) -> TargetValue:
        assert self.column is not None
        value = number_of(cell, self.column.decimal, self.column.units)
        if value is None:
            return TargetValue(None, "target_not_number")
        return _NOTHING if value != value else TargetValue((Value(value=value),))  # noqa: PLR0124 - NaN: the cell is missing

    def _class(self, cell: str) -> TargetValue:
        label = text_of(cell)
        if not label:
            return _NOTHING
        if not label_is_valid(label):
            return TargetValue(None, "target_not_label")
        if label not in self._labels:
            if len(self._labels) >= MAX_CLASSES:
                return TargetValue(None, "target_too_many")
            self._labels.add(label)
        return TargetValue((ClassLabel(label=label),))


def classes_gather(reader: TargetReader, texts: Iterable[str]) -> None:
    """Lets a reader of a category learn the labels of rows.

    Args:
        reader: of the target.
        texts: of the rows, as they are kept.

    Raises:
        TooManyClassesError: there are more than ``MAX_CLASSES``.
    """
    for text in texts:
        if reader.of_text(text).trouble == "target_too_many":
            assert reader.column is not None
            raise TooManyClassesError(column=reader.column.name, most=MAX_CLASSES)


def target_reader(project: Project, schema: TableSchema | None) -> TargetReader:
    """The reader of a project as its columns are."""
    target = None if schema is None else schema.target
    return TargetReader(target, is_number=predicts_number(project), known=project.labels.names)
