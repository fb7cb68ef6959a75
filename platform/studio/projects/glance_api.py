"""HTTP endpoints of what cards, the overview and the command palette show of projects, and of the pictures of tasks."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema

from studio.accounts.access import principal_of, sight_for_list
from studio.common.readable import ReadablePageOut
from studio.projects import catalog
from studio.projects.access import project_for
from studio.projects.cards import CardQuery, ProjectCardOut, card_page
from studio.projects.glance import FigureOut, WaitingOut, project_figures, project_waiting, projects_waiting
from studio.projects.places import PlaceQuery, PlacesOut, places_find
from studio.projects.selectors import project_list

router = Router(tags=["projects"])


class GlanceOut(Schema):
    """An overview of a project."""

    waiting: list[WaitingOut]
    """What waits for a person."""
    figure: FigureOut | None
    """Of its best model; None while there is none."""


class ProjectWaitingOut(Schema):
    """A project in which something waits."""

    project: str
    name: str
    waiting: list[WaitingOut]


@router.get("/tasks/{task}/illustration", operation_id="task_illustration")
def task_illustration(request: HttpRequest, task: str, quickstart: str | None = None) -> HttpResponse:
    """A drawing of what a task, or one of its quick starts, does, as SVG that fits light and dark pages."""
    principal_of(request)
    response = HttpResponse(catalog.task_illustration(task, quickstart=quickstart).read_bytes(), content_type="image/svg+xml")
    response["Cache-Control"] = "private, max-age=86400"
    return response


@router.get("/project-cards", response=ReadablePageOut[ProjectCardOut], operation_id="project_cards")
def project_cards(request: HttpRequest, query: Query[CardQuery]) -> ReadablePageOut[ProjectCardOut]:
    """Projects of a workspace with what their cards show: some items, the best model, the last activity."""
    return card_page(sight_for_list(request, "project.read", query.workspace), query, actor=principal_of(request))


@router.get("/projects/{project_id}/glance", response=GlanceOut, operation_id="project_glance")
def project_glance(request: HttpRequest, project_id: str) -> GlanceOut:
    """What waits for a person (disputes, comments, missing, doubtful and new labels), and the best model."""
    project = project_for(request, project_id, "project.read")
    return GlanceOut(waiting=project_waiting(project), figure=project_figures([project]).get(project.id))


@router.get("/waiting", response=list[ProjectWaitingOut], operation_id="waiting_list")
def waiting_list(request: HttpRequest, workspace: str) -> list[ProjectWaitingOut]:
    """What waits for a person in all projects of a workspace: disputes and open comments."""
    projects = project_list(sight_for_list(request, "data.read", workspace))
    names = dict(projects.order_by("-id").values_list("id", "name"))
    found = projects_waiting(list(names))
    return [ProjectWaitingOut(project=id_, name=name, waiting=found[id_]) for id_, name in names.items() if id_ in found]


@router.get("/places", response=PlacesOut, operation_id="places_find")
def places(request: HttpRequest, query: Query[PlaceQuery]) -> PlacesOut:
    """The newest projects, versions, studies, models, deployments and galleries of a workspace, or what a search finds."""
    sight = sight_for_list(request, "project.read", query.workspace)
    return places_find(sight, query, actor=principal_of(request))
