"""One file that stands for many leads to the same tables, and a database goes on from wherever it stands."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def single_files() -> MigrationLoader:
    """The files as they were written one after the other, none replaced."""
    loader = MigrationLoader(connection)
    loader.replace_migrations = False
    loader.build_graph()
    for key in list(loader.replacements):
        loader.graph.remove_replacement_node(key, loader.replacements[key].replaces)
    return loader


def test_files_that_replace_others_lead_to_the_same_tables(db):
    replaced, single = MigrationLoader(connection).project_state(), single_files().project_state()
    assert replaced.models.keys() == single.models.keys()
    assert [key for key in single.models if replaced.models[key] != single.models[key]] == []


def test_a_database_goes_on_from_wherever_it_stands(db):
    single = single_files()
    replaced = {key for migration in single.replacements.values() for key in migration.replaces}
    order = list(dict.fromkeys(key for leaf in single.graph.leaf_nodes() for key in single.graph.forwards_plan(leaf)))
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.all().delete()
    for num_applied, key in enumerate(order):
        recorder.record_applied(*key)
        if key not in replaced:
            continue
        executor = MigrationExecutor(connection)
        executor.loader.check_consistent_history(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        to_run = [one for migration, _ in plan for one in migration.replaces or [(migration.app_label, migration.name)]]
        assert sorted(to_run) == sorted(order[num_applied + 1 :])
