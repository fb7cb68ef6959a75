"""The task types, one folder each. This file only finds them; it imports no torch."""

from __future__ import annotations

from types import ModuleType

from automl.contracts.task import TaskSpec
from engine.discovery import folder_names, member

__all__ = ["task_names", "task_part", "task_spec"]


def task_names() -> tuple[str, ...]:
    """All task types, sorted."""
    return folder_names(__name__, "spec.py")


def task_spec(name: str) -> TaskSpec:
    """The spec of one task.

    Raises:
        UnknownNameError: there is none of that name.
    """
    spec: TaskSpec = task_part(name, "spec").TASK
    return spec


def task_part(name: str, part: str) -> ModuleType:
    """Imports one of the task's files by its fixed name: ``check``, ``data``, ``head``, ``loss``, ``metrics``, ...

    Raises:
        UnknownNameError: there is no task of that name.
    """
    return member(__name__, name, part, marker="spec.py")
