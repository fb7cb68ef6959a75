"""The interface of a dialect of SQL: everything in which the platform's databases differ."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from django.db.backends.utils import CursorWrapper

Row = Sequence[Any]
TableCounts = dict[str, int]
"""Rows by table."""


class Statement(NamedTuple):
    """A statement with the values of its placeholders."""

    sql: str
    params: Sequence[Any] = ()
    is_many: bool = False
    """Whether ``params`` holds many rows of values, for each of which the statement runs."""


class Table(NamedTuple):
    """The part of a table that is written; all names are quoted."""

    name: str
    keys: tuple[str, ...]
    """Columns that a row is found by; none of an insertion."""
    columns: tuple[str, ...]
    """Columns that get values."""
    types: tuple[str, ...]
    """Types of ``keys`` and ``columns``, as casts name them."""


class Dialect(Protocol):
    """SQL of one database for the statements that callers need."""

    name: str
    """As in the scheme of the database's address."""
    joins_statements: bool
    """Whether statements wait, so that several go in one message."""
    has_one_writer: bool
    """Whether a transaction that writes keeps all others from writing."""
    for_update: str
    """Locks the rows of a SELECT, at its end."""

    def prepared_cursor(self) -> CursorWrapper:
        """A cursor for a statement that comes with most requests and finds few rows by their keys: its plan may be kept.

        Not for one whose best plan depends on its values.
        """

    def insert(self, table: Table, rows: Sequence[Row], conflict: str) -> Iterator[Statement]:
        """Adds rows; ``conflict`` is an ``ON CONFLICT`` clause or empty."""

    def update(self, table: Table, rows: Sequence[Row], also: str) -> Iterator[Statement]:
        """Changes the rows that have a row's keys; ``also`` is a further assignment or empty."""

    def delete(self, table: Table, rows: Sequence[Row]) -> Iterator[Statement]:
        """Deletes the rows that have a row's keys."""

    def execute(self, cursor: Any, statements: Sequence[Statement]) -> None:  # noqa: ANN401 - Django wraps each database's own cursor
        """Runs statements in order; the cursor holds the answer to the last one."""

    def is_any_of(self, values: Collection[str]) -> tuple[str, Any]:
        """A condition behind a text column: that it is any of the values. With the value of its one placeholder."""

    def joined(self, expression: str) -> str:
        """The texts of all rows as one, with commas between; NULL where there are no rows."""

    def json_elements(self, column: str) -> str:
        """The elements of a JSON list as a table of ``value`` (text) and ``key`` (its place)."""

    def json_members(self, column: str, key: str) -> str:
        """The members of the object under a key of a JSON text, as a table with a text column ``value``."""

    def csv(self, query: str, values: Sequence[Any]) -> AbstractContextManager[Iterator[bytes] | None]:
        """What a query finds as CSV in blocks of bytes; None where the database does not write CSV by itself."""

    def row_triggers_paused(self, prefix: str) -> AbstractContextManager[bool]:
        """Takes triggers that run for each row and whose names start so away from the transaction; whether there are any."""

    def save(self, path: Path) -> TableCounts:
        """Writes the database as it is at one moment to a file; returns the rows in it."""

    def load(self, path: Path) -> None:
        """Reads an empty database from a file."""
