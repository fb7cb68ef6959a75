"""Kinds of items in labelling: a module each, found by the name that a task's spec gives."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from engine.tasks import task_spec
from labeling.item_kind import LabellingKind
from studio.datasets.items.errors import ItemKindUnknownError
from studio.projects.models import Project

NAMES = tuple(sorted(module.name for module in iter_modules(__path__)))
"""Of all kinds."""
_KINDS: Mapping[str, LabellingKind] = {name: import_module(f"{__name__}.{name}").KIND for name in NAMES}


def labelling_kind_named(name: str) -> LabellingKind:
    """The kind of that name.

    Raises:
        ItemKindUnknownError: there is none.
    """
    if name not in _KINDS:
        raise ItemKindUnknownError(name, NAMES)
    return _KINDS[name]


def labelling_kind_of(project: Project) -> LabellingKind:
    """The kind of a project's items."""
    return labelling_kind_named(task_spec(project.task).modality.value)
