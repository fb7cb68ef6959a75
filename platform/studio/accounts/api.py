"""HTTP door of the accounts room."""

from __future__ import annotations

from django.http import HttpRequest
from django.middleware.csrf import get_token
from ninja import Router, Status

from studio.accounts import selectors, services, sign_in
from studio.accounts.access import principal_of, require
from studio.accounts.audit_api import router as audit_router
from studio.accounts.keys_api import router as keys_router
from studio.accounts.models import User
from studio.accounts.schemas import (
    MeIn,
    MemberIn,
    MemberOut,
    MeOut,
    RoleIn,
    SignInIn,
    SignUpIn,
    WorkspaceIn,
    WorkspaceOut,
    me_out,
    member_out,
    workspace_out,
)
from studio.accounts.usage_api import router as usage_router
from studio.common.errors import PermissionDeniedError

router = Router(tags=["accounts"])
router.add_router("", audit_router)
router.add_router("", keys_router)
router.add_router("", usage_router)


def _person(request: HttpRequest) -> User:
    """The person who calls.

    Raises:
        PermissionDeniedError: a key calls.
    """
    user = principal_of(request).user
    if user is None:
        raise PermissionDeniedError("An API key has no account of its own.", hint="Sign in as a person.")
    return user


@router.post("/auth/sign-up", response={201: MeOut}, auth=None, operation_id="sign_up")
def sign_up(request: HttpRequest, body: SignUpIn) -> Status[MeOut]:
    """Makes an account and signs it in."""
    sign_in.origin_check(request)
    user = services.user_sign_up(email=body.email, password=body.password, name=body.name, language=body.language)
    sign_in.session_start(request=request, user=user)
    return Status(201, me_out(user))


@router.post("/auth/sign-in", response=MeOut, auth=None, operation_id="sign_in")
def sign_in_post(request: HttpRequest, body: SignInIn) -> MeOut:
    """Signs a person in."""
    sign_in.origin_check(request)
    return me_out(sign_in.user_sign_in(request=request, email=body.email, password=body.password))


@router.post("/auth/sign-out", response={204: None}, operation_id="sign_out")
def sign_out(request: HttpRequest) -> Status[None]:
    """Ends the session."""
    sign_in.session_end(request=request)
    return Status(204, None)


@router.get("/auth/me", response=MeOut, operation_id="me_get")
def me_get(request: HttpRequest) -> MeOut:
    """The person who is signed in; also sets the CSRF cookie."""
    user = _person(request)
    get_token(request)
    return me_out(user)


@router.patch("/auth/me", response=MeOut, operation_id="me_update")
def me_update(request: HttpRequest, body: MeIn) -> MeOut:
    """Changes name, language, theme or password."""
    user = _person(request)
    if body.password is not None:
        services.user_change_password(user=user, old=body.password.old, new=body.password.new)
        sign_in.session_renew(request=request, user=user)
    return me_out(services.user_update(user=user, name=body.name, language=body.language, theme=body.theme))


@router.post("/workspaces", response={201: WorkspaceOut}, operation_id="workspace_create")
def workspace_create(request: HttpRequest, body: WorkspaceIn) -> Status[WorkspaceOut]:
    """Makes a workspace that the caller owns."""
    return Status(201, workspace_out(services.workspace_create(name=body.name, owner=_person(request))))


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


@router.post("/workspaces/{workspace_id}/members", response={201: MemberOut}, operation_id="member_add")
def member_add(request: HttpRequest, workspace_id: str, body: MemberIn) -> Status[MemberOut]:
    """Lets a person with an account in."""
    workspace = require(request, "member.manage", workspace_id)
    row = services.member_add(workspace=workspace, email=body.email, role=body.role, actor=principal_of(request))
    return Status(201, member_out(row))


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
