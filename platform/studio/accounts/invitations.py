"""Invitations by link: nobody becomes a member without accepting.

An invitation is good while the person who made it may invite: a former owner could otherwise come back by a link of their own.
Those that a key once made are good no more.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from studio.accounts.access import Principal, principal_of_user, secret_sha256
from studio.accounts.audit import audit_record
from studio.accounts.errors import (
    GuestNeedsProjectError,
    InvitationForAnotherError,
    InvitationInvalidError,
    ProjectRoleError,
)
from studio.accounts.hooks import scope_name
from studio.accounts.models import Invitation, Membership, User, Workspace
from studio.accounts.project_access import project_join
from studio.accounts.roles import ALLOWED, PROJECT_ROLES, Role
from studio.common.errors import InvalidInputError, NotFoundError


def invitation_create(
    *, workspace: Workspace, role: Role, email: str, days: int, max_uses: int, actor: Principal, project: str = ""
) -> tuple[Invitation, str]:
    """Makes an invitation.

    Args:
        workspace: where to.
        role: as what: in the project where there is one, else in the workspace.
        email: whom it is for; empty: whoever has the link.
        days: how long it is good, from 1.
        max_uses: how many people may use it, from 1; an invitation for one address is good once.
        actor: who invites.
        project: id of the only project that it is for; empty: the whole workspace. Who joins by it is a guest of the workspace.

    Returns:
        The invitation and its secret, which is not kept and cannot be shown again.

    Raises:
        InvalidInputError: the address is none, one invitation is for one person and for many, or there is no such project.
        ProjectRoleError: nobody can have the role in a single project.
        GuestNeedsProjectError: as a guest, but to no project.
    """
    _place_check(workspace, project, role)
    email = email.strip().lower()
    if email:
        try:
            validate_email(email)
        except ValidationError as error:
            raise InvalidInputError("This is no email address.", fields={"email": error.messages}) from error
        if max_uses > 1:
            raise InvalidInputError("An invitation for one address is good once.", fields={"max_uses": ["must be 1"]})
    secret = secrets.token_urlsafe(32)
    with transaction.atomic():
        made = Invitation.objects.create(
            workspace=workspace,
            role=role.value,
            project=project,
            email=email,
            secret_sha256=secret_sha256(secret),
            created_by=actor.user,
            expires_at=timezone.now() + timedelta(days=days),
            max_uses=max_uses,
        )
        detail = {"role": role.value, "email": email, "days": days, "max_uses": max_uses, "project": project}
        audit_record(
            workspace=workspace.id, project=project, actor=actor, action="member.invite", subject=made.id, detail=detail
        )
    return made, secret


def invitation_link(secret: str) -> str:
    """The link. The secret stands behind ``#``, the part that browsers send to nobody."""
    return f"{settings.PUBLIC_URL}/invitation#{secret}"


def invitation_list(workspace: Workspace) -> list[Invitation]:
    """The invitations that are good, newest first."""
    return list(_alive().filter(workspace=workspace).select_related("created_by").order_by("-id"))


def invitation_find(secret: str) -> Invitation:
    """The invitation of a link.

    Raises:
        InvitationInvalidError: it is used up, revoked, too old, or was never made.
    """
    return _good(secret, is_locked=False)


def invitation_revoke(*, workspace: Workspace, invitation_id: str, actor: Principal) -> None:
    """Makes a link worthless at once.

    Raises:
        NotFoundError: there is no such invitation.
    """
    with transaction.atomic():
        found = Invitation.objects.filter(workspace=workspace, id=invitation_id).first()
        if found is None:
            raise NotFoundError("There is no such invitation.")
        found.delete()
        detail = {"email": found.email, "role": found.role}
        audit_record(
            workspace=workspace.id,
            project=found.project,
            actor=actor,
            action="member.invite_revoke",
            subject=invitation_id,
            detail=detail,
        )


def invitation_accept(*, secret: str, user: User) -> Membership:
    """Makes the person who accepts a member. A member keeps their role, and the link stays valid.

    An invitation to a project names the person there; a newcomer to the workspace becomes its guest.

    Raises:
        InvitationInvalidError: it is used up, revoked, too old, or was never made.
        InvitationForAnotherError: it is for another address.
    """
    with transaction.atomic():
        found = _good(secret, is_locked=True)
        if found.email and found.email != user.email:
            raise InvitationForAnotherError(hint="Sign in with the account that has the address it was sent to.")
        member = Membership.objects.filter(workspace_id=found.workspace_id, user=user).first()
        if member is not None:
            _project_join(found, member, user)
            return member
        role = Role.GUEST.value if found.project else found.role
        try:
            with transaction.atomic():
                member = Membership.objects.create(workspace_id=found.workspace_id, user=user, role=role)
        except IntegrityError:  # the same click twice
            return Membership.objects.get(workspace_id=found.workspace_id, user=user)
        Invitation.objects.filter(id=found.id).update(num_uses=F("num_uses") + 1)
        detail = {"email": user.email, "role": role, "invitation": found.id}
        audit_record(
            workspace=found.workspace_id,
            project=found.project,
            actor=principal_of_user(user),
            action="member.join",
            subject=user.id,
            detail=detail,
        )
        _project_join(found, member, user)
    return member


def _place_check(workspace: Workspace, project: str, role: Role) -> None:
    if project and scope_name("project", workspace.id, project) is None:
        raise InvalidInputError("There is no such project in this workspace.", fields={"project": ["not in this workspace"]})
    if project and role not in PROJECT_ROLES:
        raise ProjectRoleError(hint=f"Choose one of {', '.join(PROJECT_ROLES)}.", fields={"role": ["not for a project"]})
    if role is Role.GUEST and not project:
        raise GuestNeedsProjectError(hint="Say which project the invitation is for.", fields={"role": ["needs a project"]})


def _project_join(found: Invitation, member: Membership, user: User) -> None:
    if found.project:
        actor = principal_of_user(user)
        project_join(membership=member, project=found.project, role=Role(found.role), actor=actor)


def _good(secret: str, *, is_locked: bool) -> Invitation:
    rows = _alive().select_for_update(of=("self",)) if is_locked else _alive()
    found = rows.select_related("workspace", "created_by").filter(secret_sha256=secret_sha256(secret)).first()
    if found is None or (found.project and scope_name("project", found.workspace_id, found.project) is None):
        raise InvitationInvalidError(hint="Ask for a new one.")
    return found


def _alive() -> QuerySet[Invitation]:
    may_invite = [role.value for role in Role if "member.manage" in ALLOWED[role]]
    inviters = Membership.objects.filter(
        workspace=OuterRef("workspace"), user=OuterRef("created_by"), role__in=may_invite, user__is_active=True
    )
    return Invitation.objects.filter(Exists(inviters), expires_at__gt=timezone.now(), num_uses__lt=F("max_uses"))
