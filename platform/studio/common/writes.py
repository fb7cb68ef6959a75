"""Statements that are written out and sent together: for the commonest writes, whose round trips cost more than their rows.

PostgreSQL takes any number of statements in one message and runs them in order, each seeing what those before it did. SQLite
is asked within the process and runs each where it is added. Values are bound, never put into the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django.db import connection

CHUNK = 10_000
"""Rows a statement."""
_JOINED_ROWS = 100
"""From here on columns go to PostgreSQL as one text each: an array of texts costs a microsecond a value to write."""
_SEPARATOR, _NULL = "\x1f", "\x1e"
"""ASCII's own signs for it; JSON and labels hold neither, and other texts that do go as arrays."""


class Writes:
    """What waits to be sent. Needs a transaction around it; nothing is sure to be written before ``send``."""

    def __init__(self) -> None:
        self._waiting: list[tuple[str, Sequence[Any]]] = []

    def add(self, sql: str, params: Sequence[Any] = ()) -> None:
        """Adds a statement; its marks are ``%s``."""
        if connection.vendor != "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(sql, params)
            return
        self._waiting.append((sql, params))

    def add_rows(self, sql: str, rows: Sequence[Sequence[Any]], *, types: Sequence[str]) -> None:
        """Adds a statement over rows, in the words of PostgreSQL: its ``{}`` stands for a table of them."""
        for first in range(0, len(rows), CHUNK):
            table, params = rows_table(rows[first : first + CHUNK], types)
            self.add(sql.format(table), params)
            if len(rows) > CHUNK:
                self.send()

    def insert(self, head: str, rows: Sequence[Sequence[Any]], *, types: Sequence[str], tail: str = "") -> None:
        """Adds rows to a table.

        Args:
            head: ``INSERT INTO table (columns)``.
            rows: their values; times as the database takes them, which ``time_value`` says.
            types: of the columns, in PostgreSQL's words.
            tail: what is done about conflicts.
        """
        if not rows:
            return
        if connection.vendor == "postgresql":
            self.add_rows(f"{head} SELECT * FROM {{}} AS v {tail}", rows, types=types)  # noqa: S608 - written by the caller
            return
        with connection.cursor() as cursor:
            cursor.executemany(f"{head} VALUES ({', '.join(['%s'] * len(types))}) {tail}", rows)

    def send(self) -> None:
        """Sends what waits."""
        if self._waiting:
            with connection.cursor() as cursor:
                self._execute(cursor)

    def ask(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Sends what waits with a question behind it; returns the rows of its answer."""
        with connection.cursor() as cursor:
            if not self._waiting:
                cursor.execute(sql, params)
            else:
                self.add(sql, params)
                self._execute(cursor)
            return cast("list[tuple[Any, ...]]", cursor.fetchall())

    def _execute(self, cursor: Any) -> None:  # noqa: ANN401 - Django wraps each database's own cursor
        waiting, self._waiting = self._waiting, []
        if connection.settings_dict["OPTIONS"].get("server_side_binding"):  # then a message has room for one statement
            for sql, params in waiting:
                cursor.execute(sql, params)
            return
        cursor.execute(";\n".join(sql for sql, _ in waiting), [one for _, params in waiting for one in params])
        while cursor.nextset():  # to the answer of the last one
            pass


def time_value(at: Any) -> Any:  # noqa: ANN401 - each database has its own type
    """A time, or None, as the database takes it in a written statement."""
    return None if at is None else connection.ops.adapt_datetimefield_value(at)


def rows_table(rows: Sequence[Sequence[Any]], types: Sequence[str]) -> tuple[str, list[Any]]:
    """Rows as PostgreSQL takes them in the place of a table: the text and its values."""
    if len(rows) == 1:  # planned as if the values stood in the statement itself
        return f"(VALUES ({', '.join(f'%s::{kind}' for kind in types)}))", list(rows[0])
    places: list[str] = []
    values: list[Any] = []
    for column, kind in zip(zip(*rows, strict=True), types, strict=True):
        joined = _joined(column)
        if joined is None:
            places.append(f"%s::{kind}[]")
            values.append(list(column))
        else:
            places.append(f"string_to_array(%s, '{_SEPARATOR}', '{_NULL}')::{kind}[]")
            values.append(joined)
    return f"unnest({', '.join(places)})", values


def _joined(column: Sequence[Any]) -> str | None:
    """A column as one text; None when it is too short to pay or a value holds a sign that parts them."""
    if len(column) < _JOINED_ROWS:
        return None
    texts = [_NULL if one is None else one if isinstance(one, str) else str(one) for one in column]
    joined = _SEPARATOR.join(texts)
    nulls = sum(one is None for one in column)
    return joined if joined.count(_SEPARATOR) == len(texts) - 1 and joined.count(_NULL) == nulls else None
