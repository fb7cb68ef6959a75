"""Models out of written statements: for the commonest reads, whose queries take longer to build than to answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection, models

M = TypeVar("M", bound=models.Model)


def placeholders(values: Collection[object]) -> str:
    """The places of values in a statement."""
    return ", ".join(["%s"] * len(values))


class ModelColumns(Generic[M]):
    """All columns of a model's table under an alias: as text for a statement, and as a model out of the statement's rows."""

    def __init__(self, model: type[M], alias: str, *, after: ModelColumns[Any] | None = None) -> None:
        """``after`` are the columns before these in the same statement; without it these are the first."""
        self._model = model
        self._alias = alias
        self._fields = model._meta.concrete_fields
        self._names = [field.attname for field in self._fields]
        self._first = 0 if after is None else after.end
        self.end: int = self._first + len(self._fields)
        """Place of what comes behind these."""
        self.sql: str = ", ".join(f'{alias}."{field.column}"' for field in self._fields)

    def model(self, row: Sequence[Any]) -> M:
        """The model in a row; its key must be there."""
        values = list(row[self._first : self.end])
        for place, expression, converters in self._converters:
            for convert in converters:
                values[place] = convert(values[place], expression, connection)
        return self._model.from_db(connection.alias, self._names, values)

    @cached_property
    def _converters(self) -> list[tuple[int, Any, list[Any]]]:
        """As the query compiler finds them: what a database gives is not always what a field holds."""
        found = []
        for place, field in enumerate(self._fields):
            column = field.get_col(self._alias)
            converters = [*connection.ops.get_db_converters(column), *field.get_db_converters(connection)]
            if converters:
                found.append((place, column, converters))
        return found
