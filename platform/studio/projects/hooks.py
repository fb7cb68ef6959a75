"""Calls of higher rooms, by the names in ``settings.PROJECT_HOOKS``. Each function here is one hook and says its signature."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from automl.contracts.annotation import Annotation
from automl.contracts.task import Problem
from studio.common.written import kept_cursor
from studio.projects.models import Project


def _functions(name: str) -> Iterator[Callable[..., Any]]:
    for path in settings.PROJECT_HOOKS[name]:
        yield getattr(import_module(path), name)


def project_created(project: Project) -> None:
    """``project_created(project) -> None``: inside the transaction that makes the project."""
    for function in _functions("project_created"):
        function(project)


def project_counts(project_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """``project_counts(project_ids) -> Sequence[QuerySet]``: rows of a project's ID, a name and a number, few for each project.

    One statement asks for the numbers of all rooms, for all projects of a page. A name without a row counts zero.
    """
    sql, params = _counting(len(project_ids))
    with kept_cursor() as cursor:
        cursor.execute(sql, [project_ids[param.place] if isinstance(param, _Place) else param for param in params])
        rows = cursor.fetchall()
    counts: dict[str, dict[str, int]] = {project_id: {} for project_id in project_ids}
    for project_id, name, number in rows:
        counts[project_id][name] = int(number)
    return counts


class _Place(str):
    """Stands for the ID of one of the projects."""

    place: int

    def __new__(cls, place: int) -> _Place:
        """As a text, which is what the columns of IDs take."""
        made = super().__new__(cls, f"prj_{place}")
        made.place = place
        return made


@lru_cache(maxsize=128)
def _counting(num_projects: int) -> tuple[str, tuple[Any, ...]]:
    """The statement and its parameters: building it takes longer than answering it."""
    places = [_Place(place) for place in range(num_projects)]
    first, *others = [rows for function in _functions("project_counts") for rows in function(places)]
    sql, params = first.union(*others, all=True).query.sql_with_params()
    return sql, tuple(params)


def project_problems(project: Project) -> list[Problem]:
    """``project_problems(project) -> Sequence[Problem]``."""
    return [problem for function in _functions("project_problems") for problem in function(project)]


def labels_used(project: Project, names: Sequence[str]) -> set[str]:
    """``labels_used(project, names) -> set[str]``: which of the names annotations carry."""
    return {name for function in _functions("labels_used") for name in function(project, names)}


def embeddings_added(project: Project) -> None:
    """``embeddings_added(project) -> None``: pictures of the project can be compared now that could not before."""
    for function in _functions("embeddings_added"):
        function(project)


def open_comments(dataset: str) -> QuerySet[Any]:
    """``open_comments(dataset id) -> QuerySet``: one row, with its ``item``, for each item that an open comment is about."""
    (function,) = _functions("open_comments")
    found: QuerySet[Any] = function(dataset)
    return found


def annotations_changed(datasets: Collection[str]) -> None:
    """``annotations_changed(datasets) -> None``: inside the transaction that changes what is said of their items."""
    for function in _functions("annotations_changed"):
        function(datasets)


def predictions_brought(dataset_id: str, predictions: Mapping[str, Sequence[Annotation]], source: str) -> None:
    """``predictions_brought(dataset_id, {item id: annotations}, provenance) -> None``: an upload proposes labels of items."""
    for function in _functions("predictions_brought"):
        function(dataset_id, predictions, source)
