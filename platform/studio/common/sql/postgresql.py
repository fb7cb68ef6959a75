"""PostgreSQL's ways: many rows come as a table of arrays, several statements go in one message, rows leave as CSV."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, cast

import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper

from studio.common.sql import pg_dump
from studio.common.sql.dialect import Row, Statement, Table, TableCounts

CHUNK = 10_000
"""Rows a statement."""
_JOINED = 100
"""From so many values on a column is sent as one text: an array costs a microsecond a value to write."""
_SEPARATOR, _NULL = "\x1f", "\x1e"
"""ASCII's own signs for it; JSON and labels hold neither, and columns that do go as arrays."""


class PostgreSQL:
    """The dialect."""

    name = "postgresql"
    joins_statements = True
    has_one_writer = False
    for_update = " FOR UPDATE"

    def prepared_cursor(self) -> CursorWrapper:
        """The server keeps its statements, parsed and planned, from the time on that ``prepare_threshold`` says."""
        connection.ensure_connection()
        with connection.wrap_database_errors:
            cursor = psycopg.Cursor(connection.connection)
            return cast("CursorWrapper", connection._prepare_cursor(cursor))  # type: ignore[attr-defined]  # as cursor() does

    def insert(self, table: Table, rows: Sequence[Row], conflict: str) -> Iterator[Statement]:
        """From a table of the rows."""
        for source, values in _sources(table, rows):
            columns = ", ".join(table.columns)
            yield Statement(f"INSERT INTO {table.name} ({columns}) SELECT * FROM {source} {conflict}", values)  # noqa: S608

    def update(self, table: Table, rows: Sequence[Row], also: str) -> Iterator[Statement]:
        """Joined with a table of the rows."""
        sets = [f"{column} = v.c{place}" for place, column in enumerate(table.columns, start=len(table.keys))]
        for source, values in _sources(table, rows):
            assignments = ", ".join([*sets, *([also] if also else [])])
            yield Statement(f"UPDATE {table.name} SET {assignments} FROM {source} WHERE {_keys_match(table)}", values)  # noqa: S608

    def delete(self, table: Table, rows: Sequence[Row]) -> Iterator[Statement]:
        """Joined with a table of the rows."""
        for source, values in _sources(table, rows):
            yield Statement(f"DELETE FROM {table.name} USING {source} WHERE {_keys_match(table)}", values)  # noqa: S608

    def execute(self, cursor: Any, statements: Sequence[Statement]) -> None:  # noqa: ANN401
        """All in one message, unless the server binds values: then a message has room for one statement."""
        if connection.settings_dict["OPTIONS"].get("server_side_binding"):
            for one in statements:
                cursor.execute(one.sql, one.params)
            return
        cursor.execute(";\n".join(one.sql for one in statements), [value for one in statements for value in one.params])
        while cursor.nextset():  # to the answer of the last one
            pass

    def is_any_of(self, values: Collection[str]) -> tuple[str, Any]:
        """One of an array."""
        place, value = _array(list(values), "text")
        return f"= ANY({place})", value

    def joined(self, expression: str) -> str:
        """As it is called here."""
        return f"string_agg({expression}, ',')"

    def json_elements(self, column: str) -> str:
        """Elements as text."""
        return f"jsonb_array_elements_text({column}) WITH ORDINALITY AS elements(value, key)"

    def json_members(self, column: str, key: str) -> str:
        """Values as text."""
        return f"json_each_text(({column})::json -> '{key}') AS members"

    @contextmanager
    def csv(self, query: str, values: Sequence[Any]) -> Iterator[Iterator[bytes] | None]:
        """By COPY."""
        with connection.cursor() as cursor, cast(Any, cursor).copy(f"COPY ({query}) TO STDOUT (FORMAT csv)", values) as copy:
            yield (bytes(block) for block in copy)

    def row_triggers_paused(self, prefix: str) -> AbstractContextManager[bool]:
        """There are none: triggers run once a statement."""
        return nullcontext(False)

    def save(self, path: Path) -> TableCounts:
        """By ``pg_dump``."""
        return pg_dump.save(path)

    def load(self, path: Path) -> None:
        """By ``pg_restore``."""
        pg_dump.load(path)


def _sources(table: Table, rows: Sequence[Row]) -> Iterator[tuple[str, list[Any]]]:
    """The rows as tables ``v`` with columns ``c0``, ``c1`` ...: SQL and its values."""
    names = ", ".join(f"c{place}" for place in range(len(table.types)))
    for first in range(0, len(rows), CHUNK):
        chunk = rows[first : first + CHUNK]
        if len(chunk) == 1:  # planned as if the values stood in the statement itself
            places = [f"%s::{kind}" for kind in table.types]
            yield f"(VALUES ({', '.join(places)})) AS v({names})", list(chunk[0])
            continue
        arrays = [_array(column, kind) for column, kind in zip(zip(*chunk, strict=True), table.types, strict=True)]
        yield f"unnest({', '.join(place for place, _ in arrays)}) AS v({names})", [value for _, value in arrays]


def _keys_match(table: Table) -> str:
    return " AND ".join(f"{table.name}.{key} = v.c{place}" for place, key in enumerate(table.keys))


def _array(values: Sequence[Any], kind: str) -> tuple[str, Any]:
    """Values as an array: SQL and the value of its placeholder."""
    if len(values) >= _JOINED:
        if values.count(values[0]) == len(values):  # a data set, a moment: of a column of imported rows, mostly
            return f"array_fill(%s::{kind}, ARRAY[{len(values)}])", values[0]
        texts = [_NULL if one is None else one if isinstance(one, str) else str(one) for one in values]
        joined = _SEPARATOR.join(texts)
        num_nulls = sum(one is None for one in values)
        if joined.count(_SEPARATOR) == len(texts) - 1 and joined.count(_NULL) == num_nulls:
            return f"string_to_array(%s, '{_SEPARATOR}', '{_NULL}')::{kind}[]", joined
    return f"%s::{kind}[]", list(values)
