"""All tables of the database, whoever made them."""

from __future__ import annotations

from django.db import connection

from studio.common.sql.dialect import TableCounts


def table_names() -> list[str]:
    """Names, sorted."""
    return sorted(connection.introspection.table_names())


def table_counts() -> TableCounts:
    """Rows of each table."""
    with connection.cursor() as cursor:
        counts = {}
        for table in table_names():
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 - our own tables
            counts[table] = int(cursor.fetchone()[0])
    return counts
