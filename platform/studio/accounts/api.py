"""HTTP endpoints of accounts."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Status

from studio.accounts import selectors, services
from studio.accounts.access import person_of, principal_of, require
from studio.accounts.audit_api import router as audit_router
from studio.accounts.auth_schemas import InvitationIn, InvitationMadeOut
from studio.accounts.invitations_api import invitation_made
from studio.accounts.keys_api import router as keys_router
from studio.accounts.schemas import (
    MemberIn,
    MemberOut,
    RoleIn,
    WorkspaceIn,
    WorkspaceOut,
    member_out,
    workspace_out,
)
from studio.accounts.usage_api import router as usage_router

router = Router(tags=["accounts"])
router.add_router("", audit_router)
router.add_router("", keys_router)
router.add_router("", usage_router)


@router.post("/workspaces", response={201: WorkspaceOut}, operation_id="workspace_create")
def workspace_create(request: HttpRequest, body: WorkspaceIn) -> Status[WorkspaceOut]:
    """Makes a workspace that the caller owns."""
    return Status(201, workspace_out(services.workspace_create(name=body.name, owner=person_of(request))))


@router.patch("/workspaces/{workspace_id}", response=WorkspaceOut, operation_id="workspace_update")
def workspace_update(request: HttpRequest, workspace_id: str, body: WorkspaceIn) -> WorkspaceOut:
    """Renames a workspace."""
    workspace = require(request, "workspace.manage", workspace_id)
    return workspace_out(services.workspace_rename(workspace=workspace, name=body.name, actor=principal_of(request)))


@router.get("/workspaces/{workspace_id}/members", response=list[MemberOut], operation_id="members_list")
def members_list(request: HttpRequest, workspace_id: str) -> list[MemberOut]:
    """The members."""
    workspace = require(request, "member.read", workspace_id)
    return [member_out(row) for row in selectors.member_list(workspace)]


@router.post("/workspaces/{workspace_id}/members", response={202: InvitationMadeOut}, operation_id="member_add")
def member_add(request: HttpRequest, workspace_id: str, body: MemberIn) -> Status[InvitationMadeOut]:
    """Invites the person with this address; the answer does not show whether there is an account."""
    workspace = require(request, "member.manage", workspace_id)
    return Status(202, invitation_made(request, workspace, InvitationIn(role=body.role, email=body.email, project=None)))


@router.patch("/workspaces/{workspace_id}/members/{user_id}", response=MemberOut, operation_id="member_update")
def member_update(request: HttpRequest, workspace_id: str, user_id: str, body: RoleIn) -> MemberOut:
    """Gives a member another role."""
    workspace = require(request, "member.manage", workspace_id)
    actor = principal_of(request)
    return member_out(services.member_set_role(workspace=workspace, user_id=user_id, role=body.role, actor=actor))


@router.delete("/workspaces/{workspace_id}/members/{user_id}", response={204: None}, operation_id="member_remove")
def member_remove(request: HttpRequest, workspace_id: str, user_id: str) -> Status[None]:
    """Lets a member go."""
    workspace = require(request, "member.manage", workspace_id)
    services.member_remove(workspace=workspace, user_id=user_id, actor=principal_of(request))
    return Status(204, None)


@router.post("/workspaces/{workspace_id}/leave", response={204: None}, operation_id="workspace_leave")
def workspace_leave(request: HttpRequest, workspace_id: str) -> Status[None]:
    """Takes the caller out of a workspace; the API keys that the caller has there stop working."""
    user = person_of(request)
    workspace = require(request, "workspace.read", workspace_id)
    services.member_remove(workspace=workspace, user_id=user.id, actor=principal_of(request))
    return Status(204, None)
