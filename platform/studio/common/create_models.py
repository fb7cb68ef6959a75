"""The tables of an app made in one step of a migration."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Several ``CreateModel`` as one: the same tables, in less time.

    After each operation Django makes anew every model that is related to a changed one, of all apps, and most tables here
    point at projects and people: with the n-th table it makes n models. Here they are made once, after the last table.
    """

    reduces_to_sql = True
    reversible = True

    def __init__(self, models: Sequence[CreateModel]) -> None:
        """Args: models: a model after those that it points at."""
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Adds the models to what is known; they are made when somebody next asks for one."""
        state.__dict__.pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Makes the tables in their order."""
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Drops them, the last first."""
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """For people who watch."""
        return f"Create models {', '.join(model.name for model in self.models)}"

    @property
    def migration_name_fragment(self) -> str:
        """Of a file's name."""
        return "_".join(model.name_lower for model in self.models)
