"""Kinds of items in the data sets: a module each, found by the name that a task's spec gives."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from engine.tasks import task_spec
from studio.datasets.items.errors import ItemKindUnknownError
from studio.datasets.items.kind import ItemKind
from studio.projects.models import Project

NAMES = tuple(sorted(module.name for module in iter_modules(__path__)))
"""Of all kinds."""
# Imported at once: processes of jobs are forked from one that has imported all that they need.
_KINDS: Mapping[str, ItemKind] = {name: import_module(f"{__name__}.{name}").KIND for name in NAMES}
_BY_FORMAT = {form: kind for kind in _KINDS.values() for form in kind.formats}


def kind_named(name: str) -> ItemKind:
    """The kind of that name.

    Raises:
        ItemKindUnknownError: there is none.
    """
    if name not in _KINDS:
        raise ItemKindUnknownError(name, NAMES)
    return _KINDS[name]


def kind_of(project: Project) -> ItemKind:
    """The kind of a project's items."""
    return kind_named(task_spec(project.task).modality.value)


def kind_of_format(form: str) -> ItemKind:
    """The kind of the items that have this ``Item.format``.

    Raises:
        ItemKindUnknownError: no kind has it.
    """
    if form not in _BY_FORMAT:
        raise ItemKindUnknownError(form, _BY_FORMAT)
    return _BY_FORMAT[form]
