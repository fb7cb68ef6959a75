"""What cards and the overview show of projects, asked of the apps above by hooks (``studio.common.app_config``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol

from ninja import Schema

from automl.contracts.dataset import Split
from automl.contracts.table import Row
from studio.common.app_config import hook_functions
from studio.projects.models import Project

WaitingKey = Literal["disputes", "comments", "unlabelled", "wrong_labels", "labels_changed"]


class CardItemOut(Schema):
    """An item on a project's card."""

    text: str | None
    row: Row | None
    thumbnail_url: str | None


class FigureOut(Schema):
    """How good a project's best model is."""

    artefact: str
    number: int
    """Of the model within its project."""
    metric: str
    split: Split
    value: float
    num_items: int | None
    """That were judged; of fewer than 30 a value says nothing."""


class WaitingOut(Schema):
    """Something that waits for a person."""

    key: WaitingKey
    count: int
    number: int | None = None
    """Of ``labels_changed``: the version that the labels were changed after."""


class ProjectItems(Protocol):
    """Items that say what a project's data are."""

    def __call__(self, project_ids: Sequence[str], /) -> Mapping[str, list[CardItemOut]]:
        """A few items of each project, by a number of queries that does not grow with the projects."""


class ProjectFigures(Protocol):
    """The best models."""

    def __call__(self, projects: Sequence[Project], /) -> Mapping[str, FigureOut]:
        """By project, with as many queries for all as for one."""


class ProjectActivity(Protocol):
    """When something last happened."""

    def __call__(self, project_ids: Collection[str], /) -> Mapping[str, datetime]:
        """By project, with as many queries for all as for one."""


class ProjectWaiting(Protocol):
    """What waits in a project."""

    def __call__(self, project: Project, /) -> list[WaitingOut]:
        """Only what there is."""


class ProjectsWaiting(Protocol):
    """What waits in several projects, as far as it is worth showing among all of them."""

    def __call__(self, project_ids: Sequence[str], /) -> Mapping[str, list[WaitingOut]]:
        """By project, only what there is, with as many queries for all as for one."""


def project_items(project_ids: Sequence[str]) -> dict[str, list[CardItemOut]]:
    """A few items of each project."""
    found: dict[str, list[CardItemOut]] = defaultdict(list)
    function: ProjectItems
    for function in hook_functions("project_items"):
        for project, items in function(project_ids).items():
            found[project] += items
    return found


def project_figures(projects: Sequence[Project]) -> dict[str, FigureOut]:
    """How good the best model of each project is; those without a model are left out."""
    found: dict[str, FigureOut] = {}
    function: ProjectFigures
    for function in hook_functions("project_figures"):
        found |= function(projects)
    return found


def project_activity(projects: Collection[Project]) -> dict[str, datetime]:
    """When something last happened in each project: at least, that it was made."""
    latest = {project.id: project.created_at for project in projects}
    function: ProjectActivity
    for function in hook_functions("project_activity"):
        for project, at in function(list(latest)).items():
            latest[project] = max(latest[project], at)
    return latest


def project_waiting(project: Project) -> list[WaitingOut]:
    """What waits for a person in a project."""
    waiting: list[WaitingOut] = []
    function: ProjectWaiting
    for function in hook_functions("project_waiting"):
        waiting += function(project)
    return waiting


def projects_waiting(project_ids: Sequence[str]) -> dict[str, list[WaitingOut]]:
    """What waits for a person in several projects; those where nothing waits are left out."""
    waiting: dict[str, list[WaitingOut]] = defaultdict(list)
    function: ProjectsWaiting
    for function in hook_functions("projects_waiting"):
        for project, some in function(project_ids).items():
            waiting[project] += some
    return waiting
