"""A table with ruled lines: a row of values for each of its rows, by the names of its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._rules import Rules, rules_found
from ..area import FieldArea, Flattened
from ..lines import Piece, rows_of
from . import value_kind
from .kind import AreaReader, Cell, Problem, Reader, Reading

_WHOLE_SHARE = 0.75
_SEEN_SHARE = 0.97
MOST_COLUMNS = 40


class _Column(NamedTuple):
    name: str
    reader: Reader


class _Grid(NamedTuple):
    """Texts of a table's cells."""

    texts: list[list[str]]
    scores: list[list[float]]
    corners: NDArray[np.float64]
    """Of each cell, ``_RC42``, in pixels of the template."""


class Table:
    """See ``AreaReader``.

    Options: ``columns``, each with ``name``, ``kind`` and ``options`` of its values; without them columns have the names that
    stand in the first row, and their values are texts. ``has_header``: whether the first row has headings.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.has_header = bool(options.get("has_header", True))
        self.columns = [_column(each) for each in options.get("columns") or ()]
        names = [each.name for each in self.columns]
        if len(set(names)) < len(names):
            raise ValueError("two columns of a table have the same name")
        if len(names) > MOST_COLUMNS:
            raise ValueError(f"a table has at most {MOST_COLUMNS} columns")

    def read_area(self, area: FieldArea) -> Reading:
        """See ``AreaReader``: a list of rows, each with a value by the name of a column; None for an empty cell."""
        flattened = area.flattened()
        rules = rules_found(flattened.gray_HW) if flattened is not None else None
        if flattened is None or rules is None:
            return Reading(None, [Problem(code="table_not_found")])
        grid = _grid(area, flattened, rules)
        problems = []
        if flattened.seen_share < _SEEN_SHARE or not rules.is_closed:
            problems.append(Problem(code="table_cut"))
        columns = self._columns(grid)
        if len(columns) != len(rules.columns) - 1:
            # Which cell is of which column would be a guess.
            return Reading(None, [*problems, Problem(code="columns_differ")])
        return self._values(columns, grid, problems)

    def _columns(self, grid: _Grid) -> list[_Column]:
        """Those that are named, or what stands in the first row; a name that is empty or there already gets a number."""
        if self.columns:
            return self.columns
        found: list[_Column] = []
        for number in range(len(grid.texts[0])):
            name = " ".join(grid.texts[0][number].split()) if self.has_header else ""
            name = name or f"column_{number + 1}"
            taken = {each.name for each in found}
            found.append(_Column(name if name not in taken else f"{name}_{number + 1}", _plain()))
        return found

    def _values(self, columns: Sequence[_Column], grid: _Grid, problems: list[Problem]) -> Reading:
        first = 1 if self.has_header else 0
        last = max((row + 1 for row, texts in enumerate(grid.texts) if any(texts)), default=0)
        rows: list[dict[str, Any]] = []
        cells: list[Cell] = []
        certainty = 1.0
        for row in range(first, last):
            values: dict[str, Any] = {}
            for place, column in enumerate(columns):
                text = grid.texts[row][place]
                reading = column.reader.read(text.split("\n")) if text else Reading(None)
                values[column.name] = reading.value
                problems += [Problem(**{**each, "row": row - first, "column": column.name}) for each in reading.problems]
                certainty = min(certainty, reading.certainty)
                confidence = grid.scores[row][place] * reading.certainty
                cells.append(Cell(row - first, column.name, text, confidence, grid.corners[row, place]))
            rows.append(values)
        return Reading(rows, problems, certainty, cells)


def _column(fields: Mapping[str, Any]) -> _Column:
    name = str(fields["name"]).strip()
    if not name:
        raise ValueError("a column has a name")
    reader = value_kind(fields.get("kind", "text"))(fields.get("options") or {})
    if isinstance(reader, AreaReader):
        raise ValueError(f"a column cannot be of the kind {fields['kind']}")
    return _Column(name, reader)


def _plain() -> Reader:
    reader = value_kind("text")({})
    assert not isinstance(reader, AreaReader)
    return reader


def _grid(area: FieldArea, flattened: Flattened, rules: Rules) -> _Grid:
    num_rows, num_columns = len(rules.rows) - 1, len(rules.columns) - 1
    origin = np.array([area.field.x, area.field.y])
    crossings = np.array(
        [[rules.corner(row, column) for column in range(num_columns + 1)] for row in range(num_rows + 1)], dtype=np.float64
    )
    on_form = crossings / flattened.scale + origin
    corners = np.stack([on_form[:-1, :-1], on_form[:-1, 1:], on_form[1:, 1:], on_form[1:, :-1]], axis=2)
    taken: list[list[list[Piece]]] = [[[] for _ in range(num_columns)] for _ in range(num_rows)]
    for piece in area.pieces:
        for part, row, column in _cells_of(piece, on_form):
            taken[row][column].append(part)
    return _Grid(
        [["\n".join(rows_of(own)) for own in row] for row in taken],
        [[min((each.line.score for each in own), default=0.0) for own in row] for row in taken],
        corners,
    )


def _cells_of(piece: Piece, crossings: NDArray[np.float64]) -> list[tuple[Piece, int, int]]:
    """The cells in which a line or its words stand; what stands outside the table is left out.

    Args:
        piece: of a line.
        crossings: of the rules, ``_RC2``, in pixels of the template.
    """
    points = piece.points()
    row = _place(points[:, 1], crossings[:, :, 1].mean(axis=1))
    if row is None:
        return []
    columns = (crossings[row, :, 0] + crossings[row + 1, :, 0]) / 2
    places = np.searchsorted(columns, points[:, 0]) - 1
    column = int(np.bincount(np.clip(places, 0, len(columns) - 2)).argmax())
    if (places == column).mean() >= _WHOLE_SHARE:
        return [(piece, row, column)]
    found = []
    for word in piece.parts():
        place = int(np.searchsorted(columns, word.on_form[:, 0].mean())) - 1
        if 0 <= place < len(columns) - 1:
            found.append((word, row, place))
    return found


def _place(values: NDArray[np.float64], edges: NDArray[np.float64]) -> int | None:
    """Between which edges most values lie; None where most lie outside."""
    places = np.searchsorted(edges, values) - 1
    inside = places[(places >= 0) & (places < len(edges) - 1)]
    return int(np.bincount(inside).argmax()) if 2 * len(inside) > len(places) else None


KIND = Table
