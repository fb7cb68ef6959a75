"""Reads of who is what in which project."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Subquery

from studio.accounts.models import Membership, ProjectMember, RestrictedProject
from studio.accounts.roles import Action, Role, role_allows, role_in_project
from studio.accounts.sight import Access, NamedRole


def access_read(rows: Iterable[Sequence[Any]]) -> Access:
    """What a person is, from the rows of a session's statement.

    Args:
        rows: of each workspace its id, the role, and with commas between the restricted projects and those that the person is
            named in, as ``project:role``; the workspace is None where there is none.
    """
    roles: dict[str, Role] = {}
    restricted: dict[str, str] = {}
    named: dict[str, NamedRole] = {}
    for workspace, role, closed, given in rows:
        if workspace is None:
            continue
        roles[workspace] = Role(role)
        restricted |= dict.fromkeys(closed.split(","), workspace) if closed else {}
        for project, _, there in (one.partition(":") for one in (given.split(",") if given else ())):
            named[project] = NamedRole(workspace, Role(there))
    return Access(roles, restricted, named)


def access_of(user: str, *, workspace: str | None = None) -> Access:
    """What a person is.

    Args:
        user: id.
        workspace: id of the only one that is looked at; None: all.
    """
    mine = Membership.objects.filter(user=user)
    if workspace is not None:
        mine = mine.filter(workspace=workspace)
    roles = {place: Role(role) for place, role in mine.values_list("workspace_id", "role")}
    places = [place for place, role in roles.items() if role is not Role.OWNER]
    if not places:
        return Access(roles)
    restricted = dict(RestrictedProject.objects.filter(workspace__in=places).values_list("project", "workspace_id"))
    rows = ProjectMember.objects.filter(user=user, workspace__in=places).values_list("project", "workspace_id", "role")
    return Access(roles, restricted, {project: NamedRole(place, Role(role)) for project, place, role in rows})


def project_members(workspace: str, project: str) -> QuerySet[Any]:
    """The members of a workspace, each with ``named_role`` and ``is_restricted`` of a project, and ``email`` and ``name``."""
    named = ProjectMember.objects.filter(project=project, workspace=OuterRef("workspace"), user=OuterRef("user"))
    restricted = RestrictedProject.objects.filter(project=project, workspace=OuterRef("workspace"))
    return (
        Membership.objects.filter(workspace=workspace)
        .annotate(named_role=Subquery(named.values("role")[:1], output_field=CharField()), is_restricted=Exists(restricted))
        .annotate(email=F("user__email"), name=F("user__name"))
    )


def role_of_member(row: Any) -> Role | None:  # noqa: ANN401 - a row of ``project_members``
    """What a member is in the project; None: it is not there for them."""
    named = Role(row.named_role) if row.named_role else None
    return role_in_project(Role(row.role), named=named, is_restricted=row.is_restricted)


def people_with(action: Action, workspace: str, project: str) -> set[str]:
    """Ids of the members of a workspace who may do an action in one of its projects."""
    found = ((row.user_id, role_of_member(row)) for row in project_members(workspace, project))
    return {user for user, role in found if role is not None and role_allows(role, action)}


def restricted_projects(workspace: str) -> set[str]:
    """Ids of the projects of a workspace that are open to named people only."""
    return set(RestrictedProject.objects.filter(workspace=workspace).values_list("project", flat=True))


def is_restricted(project: str) -> bool:
    """Whether a project is open to named people only."""
    return RestrictedProject.objects.filter(project=project).exists()
