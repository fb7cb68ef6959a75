"""Hooks that this app calls and apps above it implement, with their signatures; see ``studio.common.app_config``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

from django.db.models import QuerySet

from automl.contracts.task import Problem
from studio.accounts.access import Principal
from studio.common.app_config import hook_functions
from studio.common.sql import dialect
from studio.projects.models import Project


class ProjectCreated(Protocol):
    """Inside the transaction that makes a project."""

    def __call__(self, project: Project, /) -> None:
        """Adds what belongs to it."""


class ProjectDeleted(Protocol):
    """Inside the transaction that takes a project out of sight."""

    def __call__(self, project: Project, actor: Principal, /) -> None:
        """Ends or pauses what would go on for nobody; ``project.is_restorable`` says whether it may come back."""


class ProjectCounts(Protocol):
    """Numbers for project pages."""

    def __call__(self, project_ids: Sequence[str], /) -> list[QuerySet[Any, Any]]:
        """Rows of a project's ID, a name and a number, few for each project."""


class ProjectProblems(Protocol):
    """What stands in the way of a good model."""

    def __call__(self, project: Project, /) -> list[Problem]:
        """Problems, each with its remedy."""


class LabelsUsed(Protocol):
    """Which labels cannot go."""

    def __call__(self, project: Project, names: Sequence[str], /) -> set[str]:
        """Which of the names annotations carry."""


def project_created(project: Project) -> None:
    """A project is being made."""
    function: ProjectCreated
    for function in hook_functions("project_created"):
        function(project)


def project_deleted(project: Project, actor: Principal) -> None:
    """A project is taken out of sight."""
    function: ProjectDeleted
    for function in hook_functions("project_deleted"):
        function(project, actor)


def project_counts(project_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """Numbers of all apps, for all projects of a page, by one statement. A name without a row counts zero."""
    sql, params = _counts_statement(len(project_ids))
    ids = dict(zip(_stand_ins(len(project_ids)), project_ids, strict=True))
    with dialect().prepared_cursor() as cursor:
        cursor.execute(sql, [ids.get(param, param) for param in params])
        rows = cursor.fetchall()
    counts: dict[str, dict[str, int]] = {project_id: {} for project_id in project_ids}
    for project_id, name, number in rows:
        counts[project_id][name] = int(number)
    return counts


@lru_cache(maxsize=128)
def _counts_statement(num_projects: int) -> tuple[str, tuple[Any, ...]]:
    """The statement and its parameters, built once for each number of projects.

    Building it takes longer than answering it: built by every call, the list of projects, a project and its guide take 1.7 to
    2.4 times as long (``docs/experiments.md``).
    """
    function: ProjectCounts
    queries: list[QuerySet[Any, Any]] = []
    for function in hook_functions("project_counts"):
        queries += function(_stand_ins(num_projects))
    first, *others = queries
    sql, params = first.union(*others, all=True).query.sql_with_params()
    return sql, tuple(params)


def _stand_ins(num_projects: int) -> list[str]:
    """What stands for the ids of projects while the statement is compiled."""
    return [f"project {place}" for place in range(num_projects)]


def project_problems(project: Project) -> list[Problem]:
    """What all apps find wrong with a project."""
    problems: list[Problem] = []
    function: ProjectProblems
    for function in hook_functions("project_problems"):
        problems += function(project)
    return problems


def labels_used(project: Project, names: Sequence[str]) -> set[str]:
    """Which of the names annotations of a project carry."""
    used: set[str] = set()
    function: LabelsUsed
    for function in hook_functions("labels_used"):
        used |= function(project, names)
    return used
