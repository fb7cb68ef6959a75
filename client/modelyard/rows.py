"""Rows of tables: read from files and from whatever a program holds, as the API takes them."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from modelyard.errors import ModelyardError

Row = Mapping[str, Any]
"""Cells by column: texts, numbers, booleans, moments or None."""
Cell = str | int | float | bool | None
LINES_SUFFIXES = (".jsonl", ".ndjson")
DELIMITERS = ",;\t|"


@dataclass(frozen=True)
class TableFile:
    """A table in a file: CSV whose first line names the columns, or JSON Lines with an object a line; UTF-8."""

    path: Path
    columns: tuple[str, ...] = ()
    """Of a CSV; empty of JSON Lines."""
    delimiter: str = ","

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> TableFile:
        """Looks at the first line.

        Raises:
            ModelyardError: there is no such file, or it names no columns.
        """
        path = Path(path)
        if path.suffix.lower() in LINES_SUFFIXES:
            return cls(path)
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                first = file.readline()
                delimiter = max(DELIMITERS, key=lambda each: _fitness(first, each))
                file.seek(0)
                names = [name.strip() for name in next(csv.reader(file, delimiter=delimiter), [])]
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise _unreadable(path, error) from error
        if not any(names) or len(set(names)) != len(names):
            raise ModelyardError(f"The first line of {path} does not name the columns, each once.")
        return cls(path, tuple(names), delimiter)

    def rows(self) -> Iterator[dict[str, Cell]]:
        """The rows in their order, read as they are asked for.

        Raises:
            ModelyardError: a line cannot be read.
        """
        try:
            yield from self._lines() if not self.columns else self._records()
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise _unreadable(self.path, error) from error

    def _records(self) -> Iterator[dict[str, Cell]]:
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=self.delimiter)
            next(reader)
            for record in reader:
                if not record:
                    continue
                if len(record) > len(self.columns):
                    raise ModelyardError(
                        f"{self.path}, line {reader.line_num}: {len(record)} cells, but {len(self.columns)} columns are named."
                    )
                yield dict(zip(self.columns, record, strict=False))

    def _lines(self) -> Iterator[dict[str, Cell]]:
        with self.path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise ModelyardError(f"{self.path}, line {number} is not JSON: {error}") from error
                if not isinstance(row, dict):
                    raise ModelyardError(f"{self.path}, line {number} is no object.")
                yield row


def table_rows(table: str | os.PathLike[str] | Iterable[Row]) -> Iterable[Row]:
    """The rows of a table.

    Args:
        table: the path of a CSV or JSON Lines file, or rows.

    Raises:
        ModelyardError: the file cannot be read.
    """
    return TableFile.open(table).rows() if isinstance(table, str | os.PathLike) else table


def row_cells(row: Row) -> dict[str, Cell]:
    """A row as JSON can carry it: moments as ISO text, NaN and the like as None, numbers of numpy as those of Python."""
    return {str(name): _cell(cell) for name, cell in row.items()}


def _cell(cell: Any) -> Cell:  # noqa: ANN401 - whatever a table of the caller's holds
    if cell is None or isinstance(cell, str | bool):
        return cell
    if cell != cell:  # noqa: PLR0124 - NaN and NaT
        return None
    if isinstance(cell, date):
        return cell.isoformat()
    if type(cell).__name__ == "datetime64":
        return str(cell)
    plain = cell.item() if hasattr(cell, "item") else cell
    return plain if isinstance(plain, int | float | bool) else str(plain)


def _fitness(line: str, delimiter: str) -> tuple[bool, int]:
    """By the right delimiter no quotes are left in the names, and there are many."""
    names = next(csv.reader([line], delimiter=delimiter), [])
    return not any('"' in name for name in names), len(names)


def _unreadable(path: Path, error: Exception) -> ModelyardError:
    return ModelyardError(f"{path} cannot be read: {error}", hint="Give a CSV or JSON Lines file in UTF-8.")
