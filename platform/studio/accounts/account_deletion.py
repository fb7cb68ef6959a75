"""Deletion of one's own account: nobody can sign in with it any more, and only the audit log still names its owner.

What the person labelled, wrote and trained belongs to the workspaces and stays there; the row of the person stays too, without
name and address, so that histories still say that it was one and the same person.
"""

from __future__ import annotations

from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.auth import logout
from django.db import transaction
from django.http import HttpRequest

from studio.accounts.access import principal_of_user
from studio.accounts.account_events import account_event
from studio.accounts.audit import audit_record
from studio.accounts.errors import LastOwnerError, ReauthenticationNeededError
from studio.accounts.hooks import workspaces_living
from studio.accounts.keys import keys_end
from studio.accounts.models import Invitation, Language, Membership, ProjectMember, Session, User, Workspace
from studio.accounts.roles import Role

_GONE = {Language.EN: "Deleted account", Language.ZH: "已注销的账号"}


def account_delete(*, request: HttpRequest, user: User) -> None:
    """Deletes the account that is signed in, and ends the session.

    Raises:
        ReauthenticationNeededError: the session is not fresh.
        LastOwnerError: a workspace in which others work, or one with projects, would have no owner.
    """
    if not did_recently_reauthenticate(request):
        raise ReauthenticationNeededError(hint="Enter your password or a code.")
    with transaction.atomic():
        memberships = list(Membership.objects.filter(user=user).select_related("workspace"))
        ids = sorted(one.workspace_id for one in memberships)
        list(Workspace.objects.select_for_update().filter(id__in=ids).order_by("id"))
        _owners_check(user, memberships)
        account_event("account.deleted", request, user)
        actor = principal_of_user(user)
        for one in memberships:
            keys_end(workspace=one.workspace, person=user, actor=actor)
            detail = {"email": user.email, "role": one.role}
            audit_record(workspace=one.workspace_id, actor=actor, action="member.leave", subject=user.id, detail=detail)
        _forget(user)
    logout(request)


def _owners_check(user: User, memberships: list[Membership]) -> None:
    for one in memberships:
        others = Membership.objects.filter(workspace=one.workspace).exclude(user=user)
        if one.role != Role.OWNER.value or others.filter(role=Role.OWNER.value).exists():
            continue
        has_things = workspaces_living([one.workspace_id])
        if others.exists() or has_things:
            raise LastOwnerError(
                f"You are the only owner of “{one.workspace.name}”.",
                hint="Make somebody else its owner first, or delete its projects and remove its members.",
                extra={"workspace": one.workspace_id, "name": one.workspace.name},
            )


def _forget(user: User) -> None:
    """Removes every way to sign in, and everything that identifies the person."""
    for model in (Membership, ProjectMember, EmailAddress, Authenticator, SocialAccount, UserSession, Session):
        model.objects.filter(user=user).delete()
    Invitation.objects.filter(email=user.email).delete()
    user.name = _GONE[Language(user.language)]
    user.email = f"{user.id}@deleted.invalid"
    user.is_active = False
    user.set_unusable_password()
    user.save(update_fields=["name", "email", "is_active", "password"])
