"""The model families, one folder each. This file only finds them; it imports no torch."""

from __future__ import annotations

from types import ModuleType

from automl.contracts.family import FamilySpec
from automl.contracts.task import TaskSpec
from engine.discovery import folder_names, member

__all__ = ["families_for", "family_names", "family_part", "family_spec"]


def family_names() -> tuple[str, ...]:
    """All model families, sorted."""
    return folder_names(__name__, "family.py")


def family_spec(name: str) -> FamilySpec:
    """The spec of one family.

    Raises:
        UnknownNameError: there is none of that name.
    """
    spec: FamilySpec = family_part(name, "family").FAMILY
    return spec


def family_part(name: str, part: str) -> ModuleType:
    """Imports one of the family's files by its fixed name: ``family``, ``network``.

    Raises:
        UnknownNameError: there is no family of that name.
    """
    return member(__name__, name, part, marker="family.py")


def families_for(task: TaskSpec) -> tuple[FamilySpec, ...]:
    """The families that read the task's items and yield what it consumes, sorted by name."""
    specs = (family_spec(name) for name in family_names())
    return tuple(spec for spec in specs if (spec.reads, spec.yields) == (task.modality, task.consumes))
