"""The page of all projects: cards that are searched and sorted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from django.db.models import Q
from ninja import Field, Schema

from studio.accounts.access import Principal
from studio.accounts.sight import Sight
from studio.common.errors import InvalidInputError
from studio.common.readable import ReadablePageOut, rows_shown
from studio.projects.glance import CardItemOut, FigureOut, project_activity, project_figures, project_items
from studio.projects.models import Project
from studio.projects.schemas import ProjectOut, projects_out
from studio.projects.selectors import project_list

CardSort = Literal["activity", "name", "created"]


class CardQuery(Schema):
    """Which projects, and in which order."""

    workspace: str
    search: str = Field("", max_length=200)
    """In the name or the description."""
    sort: CardSort = "activity"
    """``activity``: what was worked on last comes first; ``created``: the newest; ``name``: by the alphabet."""
    limit: int = Field(24, ge=1, le=100)
    cursor: str | None = None


class ProjectCardOut(ProjectOut):
    """A project as its card shows it."""

    active_at: datetime
    """When somebody or a job last did something in it."""
    items: list[CardItemOut]
    """A few of its items."""
    figure: FigureOut | None
    """Of its best model; None while there is none."""


def card_page(sight: Sight, query: CardQuery, *, actor: Principal) -> ReadablePageOut[ProjectCardOut]:
    """A page of cards; its number of queries depends neither on the projects nor on what is in them.

    The order is made here from three columns of the projects that match: a workspace has hundreds, not millions.

    Args:
        sight: where to look.
        query: which of them, and in which order.
        actor: who looks.

    Raises:
        InvalidInputError: the cursor was not made here.
    """
    rows = project_list(sight)
    if query.search.strip():
        rows = rows.filter(Q(name__icontains=query.search.strip()) | Q(description__icontains=query.search.strip()))
    found = list(rows.only("id", "name", "created_at"))
    active = project_activity(found)
    found.sort(key=lambda project: project.id, reverse=True)
    if query.sort == "name":
        found.sort(key=lambda project: project.name.casefold())
    elif query.sort == "activity":
        found.sort(key=lambda project: active[project.id], reverse=True)
    start = _start(query.cursor)
    shown = [project.id for project in found[start : start + query.limit]]
    whole = project_list(sight).in_bulk(shown)
    projects = [whole[project] for project in shown if project in whole]
    end = start + query.limit
    cards = rows_shown(projects, lambda some: _cards(some, active, actor))
    next_cursor = str(end) if end < len(found) else None
    return ReadablePageOut[ProjectCardOut](items=cards.items, unreadable=cards.unreadable, next_cursor=next_cursor)


def _start(cursor: str | None) -> int:
    if cursor is not None and not cursor.isdecimal():
        raise InvalidInputError("The cursor was not made here.", fields={"cursor": ["unknown"]})
    return int(cursor or 0)


def _cards(projects: Sequence[Project], active: dict[str, datetime], actor: Principal) -> list[ProjectCardOut]:
    items, figures = project_items([project.id for project in projects]), project_figures(projects)
    return [
        ProjectCardOut(**dict(out), active_at=active[out.id], items=items.get(out.id, []), figure=figures.get(out.id))
        for out in projects_out(projects, actor)
    ]
