"""One-time links to a new password: by mail, by an owner, by the operator."""

from __future__ import annotations

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.db import transaction

from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.errors import ResetNotAllowedError
from studio.accounts.hooks import workspaces_used
from studio.accounts.models import Membership, User, Workspace
from studio.accounts.roles import Role
from studio.common.errors import NotFoundError

words = Words(__file__)


def reset_link(user: User) -> str:
    """A link by which a new password can be set, once, within ``PASSWORD_RESET_TIMEOUT``."""
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    return f"{settings.PUBLIC_URL}/new-password#{key}"


def member_reset_link(*, workspace: Workspace, user_id: str, actor: Principal) -> str:
    """Makes a link for a member who lost the password.

    Whoever has the link can be that person. So it is made only for people who have nothing elsewhere that the owner could not
    reach anyway: their other workspaces are owned by the same owner, or empty and theirs alone.

    Raises:
        NotFoundError: there is no such member.
        ResetNotAllowedError: the member is oneself, or has something in another workspace.
    """
    user = User.objects.filter(id=user_id, is_active=True).first()
    if user is None or not Membership.objects.filter(workspace=workspace, user_id=user_id).exists():
        raise NotFoundError("There is no such member.")
    if actor.user is None or actor.user.id == user_id:
        raise ResetNotAllowedError(words("reset.own"), hint="Change your own password on your account's page.")
    if _reaches_elsewhere(user, actor.user, workspace):
        raise ResetNotAllowedError(
            words("reset.elsewhere"),
            hint="Ask the operator: manage.py password_reset_link makes a link for anybody.",
        )
    with transaction.atomic():
        detail = {"email": user.email}
        audit_record(workspace=workspace.id, actor=actor, action="member.reset_link", subject=user_id, detail=detail)
    return reset_link(user)


def _reaches_elsewhere(user: User, owner: User, workspace: Workspace) -> bool:
    others = set(Membership.objects.filter(user=user).exclude(workspace=workspace).values_list("workspace_id", flat=True))
    owned = Membership.objects.filter(user=owner, role=Role.OWNER.value, workspace_id__in=others)
    others -= set(owned.values_list("workspace_id", flat=True))
    shared = Membership.objects.filter(workspace_id__in=others).exclude(user=user)
    return shared.exists() or workspaces_used(others)
