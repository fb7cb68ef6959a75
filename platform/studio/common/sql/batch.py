"""Writes that are sent together: for the commonest calls, whose round trips and models would cost more than their rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

from django.db import connection, models

from studio.common.sql import dialect
from studio.common.sql.dialect import Row, Statement, Table


class StatementBatch:
    """Statements in order, each of which sees what those before it did. Needs a transaction around it.

    Nothing is sure to be written before ``send``. Rows hold a value for each column that is named, in that order: foreign keys
    as ids, JSON as text. Defaults of the model are not filled in.
    """

    def __init__(self) -> None:
        self._waiting: list[Statement] = []

    def execute(self, sql: str, params: Sequence[Any] = ()) -> None:
        """Adds a statement; its placeholders are ``%s``."""
        self._add([_statement(sql, params)])

    def insert(self, model: type[models.Model], columns: Sequence[str], rows: Sequence[Row], *, conflict: str = "") -> None:
        """Adds rows to a model's table; ``conflict`` is an ``ON CONFLICT`` clause."""
        if rows:
            table, times = _table(model, (), tuple(columns))
            self._add(dialect().insert(table, _timed(rows, times), conflict))

    def update(
        self, model: type[models.Model], keys: Sequence[str], columns: Sequence[str], rows: Sequence[Row], *, also: str = ""
    ) -> None:
        """Changes columns of the rows that have such keys.

        Args:
            model: whose table.
            keys: columns that a row is found by.
            columns: columns that change; a key may be among them.
            rows: values of the keys, then those of the columns.
            also: a further assignment in SQL.
        """
        if rows:
            table, times = _table(model, tuple(keys), tuple(columns))
            self._add(dialect().update(table, _timed(rows, times), also))

    def delete(self, model: type[models.Model], keys: Sequence[str], rows: Sequence[Row]) -> None:
        """Deletes the rows that have such keys."""
        if rows:
            table, times = _table(model, tuple(keys), ())
            self._add(dialect().delete(table, _timed(rows, times)))

    def send(self) -> None:
        """Sends what waits."""
        if self._waiting:
            with connection.cursor() as cursor:
                self._send(cursor)

    def fetch(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Sends what waits with a query behind it; returns the rows that it finds."""
        self._waiting.append(_statement(sql, params))
        with connection.cursor() as cursor:
            self._send(cursor)
            return cast("list[tuple[Any, ...]]", cursor.fetchall())

    def _add(self, statements: Iterable[Statement]) -> None:
        for number, statement in enumerate(statements):
            if number:  # so many rows that they do not fit into a statement need not stay in memory either
                self.send()
            self._waiting.append(statement)
        if not dialect().joins_statements:
            self.send()

    def _send(self, cursor: Any) -> None:  # noqa: ANN401 - Django wraps each database's own cursor
        waiting, self._waiting = self._waiting, []
        dialect().execute(cursor, waiting)


def _statement(sql: str, params: Sequence[Any]) -> Statement:
    return Statement(sql, [_adapted(value) if isinstance(value, datetime) else value for value in params])


def _adapted(at: datetime | None) -> Any:  # noqa: ANN401 - each database has its own type
    return None if at is None else connection.ops.adapt_datetimefield_value(at)


@lru_cache(maxsize=256)
def _table(model: type[models.Model], keys: tuple[str, ...], columns: tuple[str, ...]) -> tuple[Table, tuple[int, ...]]:
    """What is written of a model's table, and the places of times among its columns."""
    by_column = {field.column: field for field in model._meta.concrete_fields}
    fields = [by_column[column] for column in (*keys, *columns)]
    quote = connection.ops.quote_name
    # Without a length: a cast to `varchar(40)` would cut what is too long instead of refusing it.
    types = tuple((field.rel_db_type(connection) or "").partition("(")[0] for field in fields)
    table = Table(quote(model._meta.db_table), tuple(map(quote, keys)), tuple(map(quote, columns)), types)
    return table, tuple(place for place, field in enumerate(fields) if isinstance(field, models.DateTimeField))


def _timed(rows: Sequence[Row], times: Sequence[int]) -> Sequence[Row]:
    """The rows with times as the database takes them."""
    adapted = {at: _adapted(at) for place in times for at in {row[place] for row in rows}}
    if all(before is after for before, after in adapted.items()):
        return rows
    timed = []
    for row in rows:
        values = list(row)
        for place in times:
            values[place] = adapted[values[place]]
        timed.append(values)
    return timed
