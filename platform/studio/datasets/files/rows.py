"""Rows of tables as items: what is kept of one, by which hash.

A row is kept in ``Item.text`` as canonical JSON (``automl.contracts.table.Row``) and nowhere else; its ``blob`` is the hash of
that. Cells lose the white space around them and those that are empty are left out; nothing else changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import orjson
from pydantic import ValidationError

from automl.contracts.dataset import MediaFacts
from automl.contracts.table import MAX_COLUMNS, Row

FORMAT = "row"
"""``Item.format`` of a row."""
MAX_ROW_CHARS = 1_000_000
"""Of a row's JSON."""
_MAX_NAME_CHARS = 256
"""As ``automl.contracts.table.ColumnName`` has it."""


class RowRefusedError(ValueError):
    """It cannot be a row; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class WrittenRow:
    """A row as it is kept."""

    text: str
    """Canonical JSON."""
    blob: str
    """The hash of its UTF-8."""
    size_bytes: int
    num_cells: int

    @property
    def media(self) -> MediaFacts:
        """What is known of it without looking again."""
        return MediaFacts(format=FORMAT, size_bytes=self.size_bytes, num_cells=self.num_cells)


def row_read(data: bytes) -> WrittenRow:
    """Takes a row that somebody else wrote as JSON.

    Raises:
        RowRefusedError: it is none, holds nothing, or too much.
    """
    try:
        row = Row.model_validate_json(data)
    except ValidationError:
        raise RowRefusedError("row_invalid") from None
    return row_serialise(row.cells, row.copy_number)


def row_serialise(cells: Mapping[str, str], copy_number: int = 1) -> WrittenRow:
    """A row from its cells.

    Raises:
        RowRefusedError: it holds nothing, or too much, or characters that no text has.
    """
    filled = {name: text for name, cell in sorted(cells.items()) if (text := cell.strip())}
    if len(filled) > MAX_COLUMNS:
        raise RowRefusedError("table_too_wide")
    return _serialise(filled, copy_number)


def _serialise(cells: Mapping[str, str], copy_number: int) -> WrittenRow:
    """From cells in the order of their names, stripped, none of them empty."""
    if not cells:
        raise RowRefusedError("row_blank")
    try:
        data = orjson.dumps({"cells": cells} if copy_number == 1 else {"cells": cells, "copy_number": copy_number})
    except TypeError:  # half of a surrogate pair
        raise RowRefusedError("row_invalid") from None
    if b"\\u0000" in data and any("\0" in part for pair in cells.items() for part in pair):
        raise RowRefusedError("row_invalid")  # PostgreSQL keeps no such text
    text = data.decode()
    if len(text) > MAX_ROW_CHARS:
        raise RowRefusedError("row_too_long")
    return WrittenRow(text, hashlib.sha256(data).hexdigest(), len(data), len(cells))


def row_of(text: str) -> Row:
    """The row that an item keeps, read without checking it again."""
    found = orjson.loads(text)
    return Row.model_construct(cells=found["cells"], copy_number=found.get("copy_number", 1))


def cells_of(text: str) -> dict[str, str]:
    """The cells that an item keeps."""
    cells: dict[str, str] = orjson.loads(text)["cells"]
    return cells


class RowMaker:
    """Makes the rows of one file: equal ones are counted, so that each is an item of its own."""

    def __init__(self) -> None:
        self._times: dict[int, int] = {}
        """By the hash of what a row says. It differs from process to process, the counts do not."""

    def row(self, names: Sequence[str], order: Sequence[int], cells: Sequence[str]) -> WrittenRow:
        """The next row.

        Args:
            names: of the columns.
            order: the columns' places in the order of their names.
            cells: as they came; fewer than names where the rest is empty.

        Raises:
            RowRefusedError: as ``row_serialise``.
        """
        count = len(cells)
        filled = {names[at]: text for at in order if at < count and (text := cells[at].strip())}
        row = _serialise(filled, 1)
        key = hash(row.text)
        times = self._times[key] = self._times.get(key, 0) + 1
        return row if times == 1 else _serialise(filled, times)


def column_names(given: Iterable[str]) -> list[str]:
    """Names of columns from a head: blank ones get ``column_3``, later ones of the same name ``price_2``; none is too long."""
    heads = [_cleaned(head) for head in given]
    originals = set(heads)
    found: list[str] = []
    used: set[str] = set()
    for place, head in enumerate(heads, start=1):
        name, number = head or f"column_{place}", 2
        base = name
        while name in used or (name != head and name in originals):
            name = f"{base[: _MAX_NAME_CHARS - 8]}_{number}"
            number += 1
        used.add(name)
        found.append(name)
    return found


def _cleaned(head: str) -> str:
    text = " ".join("".join(char if char.isprintable() else " " for char in head.strip("\ufeff")).split())
    return text[:_MAX_NAME_CHARS]
