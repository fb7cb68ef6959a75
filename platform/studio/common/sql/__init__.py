"""SQL that is written out for the commonest calls, and the one place that tells one database from another.

Nearly everywhere callers use the ORM; a ``StatementBatch`` where round trips or models would cost more than the rows;
and by a statement of their own where the ORM has no words for it. Where databases differ, ``dialect()`` knows how.
"""

from __future__ import annotations

from django.db import connection

from studio.common.sql.dialect import Dialect
from studio.common.sql.postgresql import PostgreSQL
from studio.common.sql.sqlite import SQLite

_DIALECTS: dict[str, Dialect] = {"postgresql": PostgreSQL(), "sqlite": SQLite()}


def dialect() -> Dialect:
    """That of the database that is connected."""
    return _DIALECTS[connection.vendor]
