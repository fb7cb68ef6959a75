"""Empties the database after a test that commits.

Django truncates every table and writes its permissions anew; few tables have rows.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

_AS_MIGRATED = {"django_content_type", "auth_permission"}
"""Tables that no test writes to, and whose rows come from migrating."""


def empty(connection: BaseDatabaseWrapper) -> None:
    """Deletes all rows but those that migrating left; foreign keys are checked when all are gone."""
    while filled := _filled(connection):  # again for counts, which the database's own triggers write meanwhile
        connection.ops.execute_sql_flush([f"DELETE FROM {connection.ops.quote_name(name)}" for name in filled])


def _filled(connection: BaseDatabaseWrapper) -> list[str]:
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    asked = [
        f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {connection.ops.quote_name(name)})" for name in {*names} - _AS_MIGRATED
    ]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return [name for (name,) in cursor.fetchall()]
