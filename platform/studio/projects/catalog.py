"""Tasks and model families, found by listing folders. Their specs are light: nothing here loads torch."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

import engine.models
import engine.tasks
from automl.contracts.family import FamilySpec
from automl.contracts.task import AnnotationSchema, OverlapRule, TaskSpec
from studio.common.errors import NotFoundError
from studio.projects.errors import TaskUnknownError
from studio.projects.models import Project


@cache
def tasks() -> dict[str, TaskSpec]:
    """Task types by name, in the order in which people choose among them."""
    names = _folders(engine.tasks.__path__, "spec.py")
    found: list[TaskSpec] = [import_module(f"engine.tasks.{name}.spec").TASK for name in names]
    return {task.name: task for task in sorted(found, key=lambda task: (task.rank, task.name))}


def task_get(name: str) -> TaskSpec:
    """One task.

    Raises:
        TaskUnknownError: there is none; the message lists those there are.
    """
    found = tasks().get(name)
    if found is None:
        raise TaskUnknownError(f"There is no task {name!r}; known: {', '.join(tasks())}.", fields={"task": ["unknown"]})
    return found


def task_illustration(name: str, *, quickstart: str | None = None) -> Path:
    """The drawing in a task's folder, or that of one of its quick starts, if it has one of its own.

    Raises:
        TaskUnknownError: there is no such task.
        NotFoundError: the task has no drawing, or no such quick start.
    """
    files = ["illustration.svg"]
    if quickstart is not None:
        if quickstart not in {each.name for each in task_get(name).quickstarts}:
            raise NotFoundError(f"The task {name} has no quick start {quickstart!r}.")
        files.insert(0, f"quickstarts/{quickstart}.svg")
    task_get(name)
    places = (Path(root) / name / file for file in files for root in engine.tasks.__path__)
    found = next((path for path in places if path.is_file()), None)
    if found is None:
        raise NotFoundError(f"The task {name} has no drawing.")
    return found


def families_of(task: TaskSpec) -> list[FamilySpec]:
    """Families that fit a task, cheapest first; behind them those that a search does not try by itself."""
    return sorted(
        engine.models.families_for(task),
        key=lambda family: (not family.is_searched, not family.is_frozen, family.sizes[0].macs, family.name),
    )


def _folders(roots: object, file: str) -> list[str]:
    paths = [Path(str(root)) for root in roots]  # type: ignore[attr-defined]  # a package's __path__ is an iterable of str
    return sorted(found.parent.name for path in paths for found in path.glob(f"*/{file}"))


def annotation_schema(project: Project) -> AnnotationSchema:
    """The annotations that an item of the project may have."""
    return task_get(project.task).annotation_of(project.task_options)


def overlap_rule(project: Project) -> OverlapRule | None:
    """What happens in the project where areas meet; None where they do not, or where its task is not installed any more."""
    return annotation_schema(project).overlap_rule(project.overlap) if project.task in tasks() else None
