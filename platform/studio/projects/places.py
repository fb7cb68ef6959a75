"""What the command palette of the pages goes to: projects and what is in them, asked of the apps above by a hook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from django.db.models import Q, QuerySet
from ninja import Field, Schema

from studio.accounts.access import Principal
from studio.accounts.roles import Action
from studio.accounts.sight import Sight
from studio.common.app_config import hook_functions
from studio.projects.models import Project
from studio.projects.selectors import project_list

PlaceKind = Literal["project", "version", "study", "model", "deployment", "gallery", "template", "shelf"]
MOST_OF_A_KIND = 200
_MOST_DIGITS = 9


class PlaceQuery(Schema):
    """What is looked for."""

    workspace: str
    search: str = Field("", max_length=200)
    """In names, or a number; empty: the newest of each kind."""


class PlaceOut(Schema):
    """Something that has a page of its own."""

    kind: PlaceKind
    id: str
    project: str
    """Id of the project that it is in, or is."""
    project_name: str
    name: str
    """As people wrote it: of a model the name of its study, of a version its note. May be empty."""
    number: int | None
    """Of versions and models within their project."""


class PlacesOut(Schema):
    """The newest of each kind."""

    items: list[PlaceOut]
    is_complete: bool
    """Whether these are all that match; a search finds what is left out."""


@dataclass(frozen=True)
class Places:
    """Things of one kind."""

    kind: PlaceKind
    action: Action
    """Whoever may do it sees them."""
    rows: QuerySet[Any]
    """Newest first."""
    name: str = "name"
    number: str | None = None
    project: str = "project_id"
    """Fields of the rows."""


class PlacesIn(Protocol):
    """Things of an app that have a page of their own."""

    def __call__(self, projects: QuerySet[Project], /) -> Sequence[Places]:
        """Those in some projects, of each kind."""


def places_find(sight: Sight, query: PlaceQuery, *, actor: Principal) -> PlacesOut:
    """What the caller may see in a workspace, by one query a kind.

    Args:
        sight: the projects of the workspace that are there for the caller.
        query: what is looked for.
        actor: who looks.
    """
    projects = project_list(sight)
    sources = [Places("project", "project.read", projects.order_by("-id"), project="id")]
    function: PlacesIn
    for function in hook_functions("places_in"):
        sources += function(projects)
    project_names = dict(projects.values_list("id", "name"))
    found: list[PlaceOut] = []
    is_complete = True
    for each in sources:
        within = actor.sight_of(each.action).within(query.workspace)
        shown = {id_: name for id_, name in project_names.items() if within.has(query.workspace, id_)}
        if not shown:
            continue
        is_part = len(shown) < len(project_names)
        rows = each.rows.filter(**{f"{each.project}__in": list(shown)}) if is_part else each.rows
        source = replace(each, rows=rows)
        places = _places(source, query.search, shown)
        is_complete = is_complete and len(places) <= MOST_OF_A_KIND
        found += places[:MOST_OF_A_KIND]
    return PlacesOut(items=found, is_complete=is_complete)


def _places(source: Places, search: str, project_names: Mapping[str, str]) -> list[PlaceOut]:
    """Those with each word in the name, or as the number; one more than are shown, where there are more."""
    rows = source.rows
    for word in search.split():
        matches = Q(**{f"{source.name}__icontains": word})
        if source.number is not None and word.isdecimal() and len(word) < _MOST_DIGITS:
            matches |= Q(**{source.number: int(word)})
        rows = rows.filter(matches)
    fields = ("id", source.project, source.name, *([source.number] if source.number else []))
    return [
        PlaceOut(
            kind=source.kind,
            id=row["id"],
            project=row[source.project],
            project_name=project_names[row[source.project]],
            name=row[source.name] or "",
            number=row[source.number] if source.number else None,
        )
        for row in rows.values(*fields)[: MOST_OF_A_KIND + 1]
        if row[source.project] in project_names
    ]
