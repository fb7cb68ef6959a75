"""Permission of a request: who is calling, and whether the role in the workspace allows the action."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from studio.accounts.errors import KeysMakeNoKeysError, KeysManageNoMembersError
from studio.accounts.key_rules import Scope, keys_alive, rights_of
from studio.accounts.models import Membership, User, Workspace
from studio.accounts.roles import Action, Role, role_allows
from studio.common.errors import NotFoundError, NotSignedInError, PermissionDeniedError


@dataclass(frozen=True)
class Principal:
    """Whoever calls: a person, a machine with a key, or the platform itself."""

    kind: Literal["user", "key", "system"]
    id: str
    name: str
    user: User | None = None
    memberships: Mapping[str, Role] = field(default_factory=dict)
    """Workspace id -> role."""
    scope: Scope | None = None
    """What narrows the roles further; None for people, and for keys with all that their role allows."""

    @property
    def project_only(self) -> str | None:
        """Id of the only project that the caller sees; None: all of the workspaces."""
        return (self.scope.project or None) if self.scope else None

    def workspaces_with(self, action: Action, *, is_by_project: bool = False) -> list[str]:
        """Ids of the workspaces in which the caller may do the action.

        Args:
            action: which.
            is_by_project: whoever asks looks at ``project_only`` too; else a key for less than a workspace has none.
        """
        scope = self.scope
        if scope is not None and (action not in scope.actions or (scope.is_narrow and not is_by_project)):
            return []
        return [workspace for workspace, role in self.memberships.items() if role_allows(role, action)]


SYSTEM = Principal(kind="system", id="system", name="Modelyard")
PEOPLE_ONLY: Mapping[Action, type[PermissionDeniedError]] = {
    "key.manage": KeysMakeNoKeysError,
    "member.manage": KeysManageNoMembersError,
}
"""What no key may do, whatever its role, with the refusal: each would let a stolen key outlive its end."""


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


def principal_of(request: HttpRequest) -> Principal:
    """The caller, authenticated.

    Raises:
        NotSignedInError: nobody.
    """
    principal = getattr(request, "auth", None)
    if not isinstance(principal, Principal):
        raise NotSignedInError
    return principal


def person_of(request: HttpRequest) -> User:
    """The person who calls.

    Raises:
        PermissionDeniedError: a key calls.
    """
    user = principal_of(request).user
    if user is None:
        raise PermissionDeniedError("An API key has no account of its own.", hint="Sign in as a person.")
    return user


def allow(
    request: HttpRequest, action: Action, workspace_id: str, *, project: str | None = None, deployment: str | None = None
) -> None:
    """Lets the caller in or not, for a workspace that is known to be there: something in it was found.

    Args:
        request: of whom.
        action: what.
        workspace_id: where.
        project: id of the project that it is about, where there is one: keys for one project get no further without.
        deployment: id of the deployment that it is about, likewise.

    Raises:
        NotFoundError: the caller is no member, or there is no such workspace; the two look alike, so ids cannot be probed.
        PermissionDeniedError: a member whose role does not allow the action.
        KeysMakeNoKeysError, KeysManageNoMembersError: a key asks for what only people may do.
        KeyOutOfScopeError: a key that is not for this.
    """
    principal = principal_of(request)
    role = principal.memberships.get(workspace_id)
    if role is None:
        raise NotFoundError
    if not role_allows(role, action):
        raise PermissionDeniedError(
            f"Your role in this workspace is {role}; it does not allow {action}.",
            hint="Ask an owner of the workspace for another role.",
        )
    if principal.scope is not None:
        principal.scope.check(action, project=project, deployment=deployment)
    if principal.kind == "key" and action in PEOPLE_ONLY:
        raise PEOPLE_ONLY[action](hint="Sign in as a person.")


def may_still(actor: str, action: Action, workspace_id: str) -> bool:
    """Whether a person or a key that left something behind, such as a code, may do the action now.

    Args:
        actor: id of the person or the key.
        action: what the thing left behind allows.
        workspace_id: where.
    """
    role = _role_of(actor, workspace_id)
    if role is not None:
        return role_allows(role, action)
    key = keys_alive().filter(workspace=workspace_id, id=actor).first()
    owner = _role_of(key.created_by_id or "", workspace_id) if key is not None else None
    if key is None or owner is None:
        return False
    allowed, scope = rights_of(key, owner)
    return role_allows(allowed, action) and (scope is None or action in scope.actions)


def _role_of(person: str, workspace_id: str) -> Role | None:
    found = Membership.objects.filter(workspace=workspace_id, user=person, user__is_active=True).values_list("role", flat=True)
    role = found.first()
    return Role(role) if role is not None else None


def require(
    request: HttpRequest, action: Action, workspace_id: str, *, project: str | None = None, deployment: str | None = None
) -> Workspace:
    """Lets the caller into a workspace or not; raises as ``allow``, and NotFoundError when there is no such workspace."""
    allow(request, action, workspace_id, project=project, deployment=deployment)
    workspace = Workspace.objects.filter(id=workspace_id).first()
    if workspace is None:
        raise NotFoundError
    return workspace
