"""HTTP endpoints of who has access to a project."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Schema, Status

from studio.accounts import project_access, project_roles
from studio.accounts.access import principal_of, require
from studio.accounts.models import Membership
from studio.accounts.roles import Role, role_allows
from studio.common.errors import NotFoundError
from studio.projects.access import project_for
from studio.projects.models import Project
from studio.projects.selectors import project_list

router = Router(tags=["projects"])


class ProjectPersonOut(Schema):
    """A member of the workspace as a project sees them."""

    user: str
    name: str
    email: str
    workspace_role: Role
    named_role: Role | None
    """The role of whoever is named in the project; null for who is not."""
    role: Role | None
    """What the person is in the project; null: they do not see it."""


class ProjectAccessOut(Schema):
    """Who has access to a project."""

    is_restricted: bool
    """Whether it is open to the owners of the workspace and to the people named in it only."""
    can_manage: bool
    """Whether the caller may change it."""
    people: list[ProjectPersonOut]
    """By name. Whoever may not change it is shown those with access only."""


class ProjectRestrictionIn(Schema):
    """Whether a project is open to named people only."""

    is_restricted: bool


class ProjectRoleIn(Schema):
    """A role in one project."""

    role: Role
    """Engineer, labeller, viewer or annotator."""


class MemberProjectOut(Schema):
    """A project as a member of the workspace sees it."""

    project: str
    name: str
    is_restricted: bool
    named_role: Role | None
    """The role of whoever is named in the project; null for who is not."""
    role: Role | None
    """What the person is there; null: they do not see it."""


@router.get("/projects/{project_id}/access", response=ProjectAccessOut, operation_id="project_access")
def project_access_get(request: HttpRequest, project_id: str) -> ProjectAccessOut:
    """Who has access to a project, and with which role."""
    return _access_out(request, project_for(request, project_id, "member.read"))


@router.put("/projects/{project_id}/access", response=ProjectAccessOut, operation_id="project_restrict")
def project_restrict(request: HttpRequest, project_id: str, body: ProjectRestrictionIn) -> ProjectAccessOut:
    """Restricts a project to the people named in it, or opens it to the workspace."""
    project, actor = project_for(request, project_id, "member.manage"), principal_of(request)
    project_access.project_restrict(
        workspace=project.workspace, project=project.id, is_restricted=body.is_restricted, actor=actor
    )
    return _access_out(request, project)


@router.put("/projects/{project_id}/access/{user_id}", response=ProjectAccessOut, operation_id="project_member_set")
def project_member_set(request: HttpRequest, project_id: str, user_id: str, body: ProjectRoleIn) -> ProjectAccessOut:
    """Names a member of the workspace in a project, or changes the role that they have there."""
    project, actor = project_for(request, project_id, "member.manage"), principal_of(request)
    project_access.project_member_set(
        workspace=project.workspace, project=project.id, user_id=user_id, role=body.role, actor=actor
    )
    return _access_out(request, project)


@router.delete("/projects/{project_id}/access/{user_id}", response={204: None}, operation_id="project_member_remove")
def project_member_remove(request: HttpRequest, project_id: str, user_id: str) -> Status[None]:
    """Removes a person from a project: they have the role of the workspace there, or no longer see it."""
    project, actor = project_for(request, project_id, "member.manage"), principal_of(request)
    project_access.project_member_remove(workspace=project.workspace, project=project.id, user_id=user_id, actor=actor)
    return Status(204, None)


@router.get(
    "/workspaces/{workspace_id}/members/{user_id}/projects", response=list[MemberProjectOut], operation_id="member_projects"
)
def member_projects(request: HttpRequest, workspace_id: str, user_id: str) -> list[MemberProjectOut]:
    """The projects of a workspace as one member sees them, newest first; also those that they do not see."""
    require(request, "member.manage", workspace_id)
    if not Membership.objects.filter(workspace=workspace_id, user=user_id).exists():
        raise NotFoundError("There is no such member.")
    access = project_roles.access_of(user_id, workspace=workspace_id)
    restricted = project_roles.restricted_projects(workspace_id)
    projects = project_list(principal_of(request).sight.within(workspace_id)).order_by("-id")
    return [
        MemberProjectOut(
            project=id_,
            name=name,
            is_restricted=id_ in restricted,
            named_role=access.named[id_].role if id_ in access.named else None,
            role=access.role_in(workspace_id, id_),
        )
        for id_, name in projects.values_list("id", "name")
    ]


def _access_out(request: HttpRequest, project: Project) -> ProjectAccessOut:
    actor = principal_of(request)
    own = actor.access.role_in(project.workspace_id, project.id)
    can_manage = actor.kind == "user" and own is not None and role_allows(own, "member.manage")
    rows = project_roles.project_members(project.workspace_id, project.id).filter(user__is_active=True)
    people = [
        ProjectPersonOut(
            user=row.user_id,
            name=row.name,
            email=row.email,
            workspace_role=Role(row.role),
            named_role=Role(row.named_role) if row.named_role else None,
            role=project_roles.role_of_member(row),
        )
        for row in rows.order_by("name", "user")
    ]
    return ProjectAccessOut(
        is_restricted=project_roles.is_restricted(project.id),
        can_manage=can_manage,
        people=[one for one in people if can_manage or one.role is not None],
    )
