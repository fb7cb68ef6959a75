"""The annotation of a row from its target: what the cell of that column becomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from automl.contracts.table import Column, TableSchema
from engine.table.guess import target_guess
from studio.datasets.files.rows import cells_of
from studio.datasets.tables.errors import TooManyClassesError
from studio.datasets.tables.targets import target_kind
from studio.datasets.tables.targets.category import MAX_CLASSES
from studio.datasets.tables.targets.kind import TargetKind, TargetValue
from studio.projects.models import Project

_CACHED = 100_000
"""Different cells that are remembered with what they say."""


def target_suggested(schema: TableSchema, kind: TargetKind) -> str | None:
    """The column that is probably to be predicted; a person decides.

    Args:
        schema: the columns.
        kind: of the target.
    """
    return target_guess(TableSchema(columns=tuple(filter(kind.is_likely, schema.columns))))


_NOTHING = TargetValue(None)


class TargetReader:
    """Reads the target's cells. Equal cells give the same object, so that writers turn it into JSON once."""

    def __init__(self, column: Column | None, kind: TargetKind, *, known: Collection[str] = ()) -> None:
        """Args are the target, its kind, and the labels that the project has."""
        self.column = column
        self._kind = kind
        self._labels = set(known)
        self._values: dict[str, TargetValue] = {}
        self.troubles: Counter[str] = Counter()

    @property
    def labels(self) -> set[str]:
        """All labels that are known by now."""
        return self._labels

    def of(self, cells: Mapping[str, str]) -> TargetValue:
        """The annotation from a row's target."""
        cell = None if self.column is None else cells.get(self.column.name)
        return _NOTHING if cell is None else self.of_cell(cell)

    def of_text(self, text: str) -> TargetValue:
        """The same of a row that is stored as JSON, which is parsed only if there is a target."""
        return _NOTHING if self.column is None else self.of(cells_of(text))

    def of_cell(self, cell: str) -> TargetValue:
        """The annotation from a cell of the target."""
        if self.column is None:
            return _NOTHING
        value = self._values.get(cell)
        if value is None:
            value = self._kind.read(cell, self.column, self._labels)
            if len(self._values) < _CACHED:
                self._values[cell] = value
        if value.trouble is not None:
            self.troubles[value.trouble] += 1
        return value


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
    return TargetReader(target, target_kind(project), known=project.labels.names)
