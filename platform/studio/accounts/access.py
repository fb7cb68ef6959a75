"""Permission of a request: who is calling, and whether the role in the workspace or the project allows the action."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from studio.accounts.errors import KeysMakeNoKeysError, KeysManageNoMembersError
from studio.accounts.key_rules import Scope, keys_alive, rights_of
from studio.accounts.models import Language, User, Workspace
from studio.accounts.project_roles import access_of
from studio.accounts.roles import Action, Role, role_allows
from studio.accounts.sight import Access, Sight
from studio.common.errors import NotFoundError, NotSignedInError, PermissionDeniedError


@dataclass(frozen=True)
class Principal:
    """Whoever calls: a person, a machine with a key, or the platform itself."""

    kind: Literal["user", "key", "system"]
    id: str
    name: str
    user: User | None = None
    access: Access = field(default_factory=Access)
    """Roles in workspaces and projects."""
    scope: Scope | None = None
    """What narrows the roles further; None for people, and for keys with all that their role allows."""
    language: Language = Language.EN
    """Of the person, or of the one whose key it is: what is named for them is named in it."""

    @property
    def memberships(self) -> Mapping[str, Role]:
        """Workspace id -> role."""
        return self.access.roles

    @cached_property
    def sight(self) -> Sight:
        """The projects that are there for the caller; whether a key may touch them, ``allow`` decides."""
        return self.access.sight()

    def sight_of(self, action: Action) -> Sight:
        """The projects in which the caller may do an action: what lists show."""
        scope = self.scope
        if scope is None:
            return self.access.sight(action)
        if action not in scope.actions or scope.deployment:
            return Sight()
        return self.access.sight(action, only=scope.project or None)


SYSTEM = Principal(kind="system", id="system", name="Modelyard")
PEOPLE_ONLY: Mapping[Action, type[PermissionDeniedError]] = {
    "key.manage": KeysMakeNoKeysError,
    "member.manage": KeysManageNoMembersError,
}
"""What no key may do, whatever its role, with the refusal: each would let a stolen key outlive its end."""


class SessionBackend(ModelBackend):
    """Django's own, under the name that sessions carry."""


def principal_of_user(user: User) -> Principal:
    """A signed-in person with all roles."""
    access = user.access_read or access_of(user.id)
    return Principal(kind="user", id=user.id, name=user.name, user=user, access=access, language=Language(user.language))


def principal_of_key(key: Any) -> Principal:  # noqa: ANN401 - a row with what ``keys_alive`` adds
    """A key that works, with what its owner may do and what narrows that."""
    person = Role(key.person_role)
    theirs = Access() if person is Role.OWNER else access_of(key.created_by_id, workspace=key.workspace_id)
    role, scope = rights_of(key, person, has_exceptions=bool(theirs.named))
    access = Access({key.workspace_id: role}, theirs.restricted, theirs.named)
    language = Language(key.person_language)
    return Principal(kind="key", id=key.id, name=key.name, access=access, scope=scope, language=language)


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
        NotFoundError: the caller is no member, does not see the project, or there is no such workspace; all of that looks
            alike, so ids cannot be probed.
        PermissionDeniedError: a member whose role does not allow the action.
        KeysMakeNoKeysError, KeysManageNoMembersError: a key asks for what only people may do.
        KeyOutOfScopeError: a key that is not for this.
    """
    principal = principal_of(request)
    role = principal.access.role_in(workspace_id, project)
    if role is None:
        raise NotFoundError
    if not role_allows(role, action):
        place = "workspace" if project is None else "project"
        raise PermissionDeniedError(
            f"Your role in this {place} is {role}; it does not allow {action}.",
            hint="Ask an owner of the workspace for another role.",
        )
    if principal.scope is not None:
        principal.scope.check(action, project=project, deployment=deployment)
    if principal.kind == "key" and action in PEOPLE_ONLY:
        raise PEOPLE_ONLY[action](hint="Sign in as a person.")


def sight_for_list(request: HttpRequest, action: Action, workspace_id: str) -> Sight:
    """What a list of things of a workspace may show: those in the projects in which the caller may do the action.

    Args:
        request: of whom.
        action: what the things ask for; to see the list, reading projects is enough.
        workspace_id: where.

    Raises:
        NotFoundError: the caller is no member, or there is no such workspace.
        KeyOutOfScopeError: a key that is for no projects.
    """
    principal = principal_of(request)
    is_of_one_project = principal.scope is not None and bool(principal.scope.project)
    if not (is_of_one_project and workspace_id in principal.memberships):
        require(request, "project.read", workspace_id)
    return principal.sight_of(action).within(workspace_id)


def may_still(actor: str, action: Action, workspace_id: str, project: str) -> bool:
    """Whether a person or a key that left something behind, such as a code, may do the action now.

    Args:
        actor: id of the person or the key.
        action: what the thing left behind allows.
        workspace_id: where.
        project: id of the project of the workspace.
    """
    user = User.objects.filter(id=actor, is_active=True).first()
    key = None if user is not None else keys_alive().filter(workspace=workspace_id, id=actor).first()
    if user is None and key is None:
        return False
    principal = principal_of_user(user) if user is not None else principal_of_key(key)
    role = principal.access.role_in(workspace_id, project)
    is_in_scope = principal.scope is None or action in principal.scope.actions
    return role is not None and role_allows(role, action) and is_in_scope


def require(
    request: HttpRequest, action: Action, workspace_id: str, *, project: str | None = None, deployment: str | None = None
) -> Workspace:
    """Lets the caller into a workspace or not; raises as ``allow``, and NotFoundError when there is no such workspace."""
    allow(request, action, workspace_id, project=project, deployment=deployment)
    workspace = Workspace.objects.filter(id=workspace_id).first()
    if workspace is None:
        raise NotFoundError
    return workspace
