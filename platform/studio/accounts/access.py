"""Permission at the door: who is calling, and whether the role in the workspace allows the action."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, cast

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja.errors import HttpError
from ninja.security import APIKeyCookie, HttpBearer

from studio.accounts.errors import StaleTokenError
from studio.accounts.models import ApiKey, Membership, User, Workspace
from studio.accounts.roles import Action, Role, role_allows
from studio.common.errors import NotFoundError, NotSignedInError, PermissionDeniedError

KEY_USE_NOTED_EACH = timedelta(minutes=1)
"""A key's last use is written at most this often: a read must not cost a write each time."""


@dataclass(frozen=True)
class Principal:
    """Whoever calls: a person, a machine with a key, or the platform itself."""

    kind: Literal["user", "key", "system"]
    id: str
    name: str
    user: User | None = None
    memberships: Mapping[str, Role] = field(default_factory=dict)
    """Workspace id -> role."""

    def workspaces_with(self, action: Action) -> list[str]:
        """Ids of the workspaces in which the caller may do the action."""
        return [workspace for workspace, role in self.memberships.items() if role_allows(role, action)]


SYSTEM = Principal(kind="system", id="system", name="Modelyard")


class SessionBackend(ModelBackend):
    """Django's own, under the name that sessions carry."""


def principal_of_user(user: User) -> Principal:
    """A signed-in person with all memberships."""
    roles = user.roles_read
    if roles is None:
        rows = Membership.objects.filter(user=user).values_list("workspace_id", "role")
        roles = {workspace: Role(role) for workspace, role in rows}
    return Principal(kind="user", id=user.id, name=user.name, user=user, memberships=roles)


def secret_sha256(secret: str) -> str:
    """The hash under which a key is kept. Keys are long and random, so a slow hash would protect nothing."""
    return hashlib.sha256(secret.encode()).hexdigest()


class SessionAuth(APIKeyCookie):
    """The browser's session cookie, with the CSRF check."""

    param_name = settings.SESSION_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> Principal | None:
        """Finds the person of the session."""
        if not key or not request.user.is_authenticated:
            return None
        return principal_of_user(request.user)

    def __call__(self, request: HttpRequest) -> Principal | None:
        """Leaves a request without a session cookie alone, so that it is answered 401 and not as a failed CSRF check."""
        if self.param_name not in request.COOKIES or not request.user.is_authenticated:
            return None
        try:
            return cast("Principal | None", super().__call__(request))
        except HttpError as refused:
            raise StaleTokenError(hint="Reload the page, or sign in again.") from refused


class ApiKeyAuth(HttpBearer):
    """``Authorization: Bearer my_...``."""

    def authenticate(self, request: HttpRequest, token: str) -> Principal | None:
        """Finds the key."""
        del request
        now = timezone.now()
        key = (
            ApiKey.objects.filter(secret_sha256=secret_sha256(token))
            .filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now))
            .first()
        )
        if key is None:
            return None
        if key.last_used_at is None or now - key.last_used_at > KEY_USE_NOTED_EACH:
            ApiKey.objects.filter(id=key.id).update(last_used_at=now)
        return Principal(kind="key", id=key.id, name=key.name, memberships={key.workspace_id: Role(key.role)})


AUTH = [ApiKeyAuth(), SessionAuth()]


def principal_of(request: HttpRequest) -> Principal:
    """The caller that the door let in.

    Raises:
        NotSignedInError: nobody.
    """
    principal = getattr(request, "auth", None)
    if not isinstance(principal, Principal):
        raise NotSignedInError
    return principal


def allow(request: HttpRequest, action: Action, workspace_id: str) -> None:
    """Lets the caller in or not, for a workspace that is known to be there: something in it was found.

    Raises:
        NotFoundError: the caller is no member, or there is no such workspace; the two look alike, so ids cannot be probed.
        PermissionDeniedError: a member whose role does not allow the action.
    """
    role = principal_of(request).memberships.get(workspace_id)
    if role is None:
        raise NotFoundError
    if not role_allows(role, action):
        raise PermissionDeniedError(
            f"Your role in this workspace is {role}; it does not allow {action}.",
            hint="Ask an owner of the workspace for another role.",
        )


def require(request: HttpRequest, action: Action, workspace_id: str) -> Workspace:
    """Lets the caller into a workspace or not; raises as ``allow``, and NotFoundError when there is no such workspace."""
    allow(request, action, workspace_id)
    workspace = Workspace.objects.filter(id=workspace_id).first()
    if workspace is None:
        raise NotFoundError
    return workspace
