"""HTTP endpoints of invitations, and of links to a new password that owners make."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest
from ninja import Router, Status

from studio.accounts import invitations, sign_in, sign_up
from studio.accounts.access import person_of, principal_of, require
from studio.accounts.auth_schemas import (
    InvitationAcceptedOut,
    InvitationIn,
    InvitationLookOut,
    InvitationMadeOut,
    InvitationOut,
    InvitationSecretIn,
    ResetLinkOut,
    invitation_out,
)
from studio.accounts.hooks import scope_name, scope_names
from studio.accounts.models import Workspace
from studio.accounts.password_reset import member_reset_link
from studio.accounts.roles import Role

router = Router(tags=["accounts"])


@router.get("/workspaces/{workspace_id}/invitations", response=list[InvitationOut], operation_id="invitations_list")
def invitations_list(request: HttpRequest, workspace_id: str) -> list[InvitationOut]:
    """The invitations that are good, newest first."""
    workspace = require(request, "member.manage", workspace_id)
    rows = invitations.invitation_list(workspace)
    names = scope_names("project", workspace.id, {row.project for row in rows} - {""})
    return [invitation_out(row, names) for row in rows if not row.project or row.project in names]


@router.post("/workspaces/{workspace_id}/invitations", response={201: InvitationMadeOut}, operation_id="invitation_create")
def invitation_create(request: HttpRequest, workspace_id: str, body: InvitationIn) -> Status[InvitationMadeOut]:
    """Makes an invitation; its link is shown this once, and mailed where mail is set up and an address is given."""
    workspace = require(request, "member.manage", workspace_id)
    return Status(201, invitation_made(request, workspace, body))


def invitation_made(request: HttpRequest, workspace: Workspace, body: InvitationIn) -> InvitationMadeOut:
    """Makes an invitation, and mails it where mail is set up and an address is given."""
    row, secret = invitations.invitation_create(
        workspace=workspace,
        role=body.role,
        email=body.email,
        days=body.days,
        max_uses=body.max_uses,
        actor=principal_of(request),
        project=body.project or "",
    )
    names = scope_names("project", workspace.id, {row.project} - {""})
    link, is_mailed = invitations.invitation_link(secret), bool(settings.HAS_MAIL and row.email)
    if is_mailed:
        context = {
            "link": link,
            "workspace": workspace.name,
            "project": names.get(row.project, ""),
            "inviter": "" if row.created_by is None else row.created_by.name,
            "email": row.email,
            "expires_at": row.expires_at,
            "language": sign_up.language_of(request),
        }
        get_adapter(request).send_mail("accounts/email/invitation", row.email, context)
    return InvitationMadeOut(invitation=invitation_out(row, names), link=link, is_mailed=is_mailed)


@router.delete("/workspaces/{workspace_id}/invitations/{invitation_id}", response={204: None}, operation_id="invitation_revoke")
def invitation_revoke(request: HttpRequest, workspace_id: str, invitation_id: str) -> Status[None]:
    """Makes a link worthless at once."""
    workspace = require(request, "member.manage", workspace_id)
    invitations.invitation_revoke(workspace=workspace, invitation_id=invitation_id, actor=principal_of(request))
    return Status(204, None)


@router.post("/invitations/look", response=InvitationLookOut, auth=None, operation_id="invitation_look")
def invitation_look(request: HttpRequest, body: InvitationSecretIn) -> InvitationLookOut:
    """What an invitation is to; needs no account."""
    sign_in.origin_check(request)
    row = invitations.invitation_find(body.secret)
    return InvitationLookOut(
        workspace=row.workspace.name,
        project=scope_name("project", row.workspace_id, row.project) if row.project else None,
        role=Role(row.role),
        invited_by=row.created_by.name if row.created_by else "",
        email=row.email,
        expires_at=row.expires_at,
        can_sign_up=settings.SIGN_UP != "closed",
    )


@router.post("/invitations/accept", response=InvitationAcceptedOut, operation_id="invitation_accept")
def invitation_accept(request: HttpRequest, body: InvitationSecretIn) -> InvitationAcceptedOut:
    """Joins the workspace."""
    user = person_of(request)
    found = invitations.invitation_find(body.secret)
    member = invitations.invitation_accept(secret=body.secret, user=user)
    return InvitationAcceptedOut(workspace=member.workspace_id, role=Role(member.role), project=found.project or None)


@router.post(
    "/workspaces/{workspace_id}/members/{user_id}/password-reset", response=ResetLinkOut, operation_id="member_reset_link"
)
def member_password_reset(request: HttpRequest, workspace_id: str, user_id: str) -> ResetLinkOut:
    """Makes a one-time link to a new password for a member who has nothing in other people's workspaces."""
    workspace = require(request, "member.manage", workspace_id)
    link = member_reset_link(workspace=workspace, user_id=user_id, actor=principal_of(request))
    return ResetLinkOut(link=link, valid_hours=settings.PASSWORD_RESET_TIMEOUT // 3600)
