"""Upgrades an old home as ``manage.py up`` does before it starts anything, with the platform's environment.

``python -m tests.journeys.old_database [FILE]``: with a file, the rows of this old SQLite database are put into an empty
PostgreSQL database first, under the tables of their own time: it is migrated to the very migrations that the file has, and
filled.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import django
from django.apps.registry import Apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder


def main(*files: str) -> None:
    gc.disable()  # migrations make models over and over: a fourth of the time went into looking through them
    django.setup()
    for file in files:
        fill(Path(file))
    call_command("migrate", verbosity=0, interactive=False)
    from studio.deployments.gateway import serving_rebuild

    serving_rebuild()


def fill(file: Path) -> None:
    settings = connections.settings["default"]
    connections.settings["old"] = {
        **settings,
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(file),
        "OPTIONS": {},
        "CONN_HEALTH_CHECKS": False,
    }
    new = connections["default"]
    known = set(MigrationRecorder(connections["old"]).applied_migrations())
    executor = MigrationExecutor(new)
    executor.loader.replace_migrations = False  # its tables are those of any file, not only of the last that one file replaces
    executor.loader.build_graph()
    graph = executor.loader.graph
    targets = [
        node for node in graph.nodes if node in known and not any(child in known for child in graph.node_map[node].children)
    ]
    executor.migrate(targets)
    copy(executor.loader.project_state(targets).apps)


def copy(tables: Apps) -> None:
    """All rows, with the triggers and references of the new database asleep."""
    new = connections["default"]
    models = [model for model in tables.get_models(include_auto_created=True) if model._meta.managed]
    with new.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        for model in models:
            name = new.ops.quote_name(model._meta.db_table)
            cursor.execute(f"DELETE FROM {name}")  # what migrations put there
            rows = list(model._base_manager.using("old").all())
            model._base_manager.using("default").bulk_create(rows)
        for statement in new.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
        cursor.execute("SET session_replication_role = DEFAULT")


if __name__ == "__main__":
    main(*sys.argv[1:])
