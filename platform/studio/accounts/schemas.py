"""What accounts look like on the wire."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import StringConstraints

from studio.accounts.access import SYSTEM
from studio.accounts.models import ApiKey, Language, Membership, Theme, User, Workspace
from studio.accounts.roles import Role
from studio.accounts.selectors import actor_names, membership_list_of

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Email = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=254)]
Password = Annotated[str, StringConstraints(min_length=1, max_length=1024)]

ActorKind = Literal["user", "key", "system"]
_ACTOR_KINDS: dict[str, ActorKind] = {User.ID_PREFIX: "user", ApiKey.ID_PREFIX: "key"}


class SignUpIn(Schema):
    """A new account."""

    email: Email
    password: Password
    name: Name
    language: Language = Language.EN
    invitation: str | None = None
    """The secret of an invitation's link."""


class SignInIn(Schema):
    """A signed-in person."""

    email: Email
    password: Password


class PasswordChangeIn(Schema):
    """The current password and the new one."""

    old: Password
    new: Password


class MeIn(Schema):
    """What a person may change of their account; what is absent stays."""

    name: Name | None = None
    language: Language | None = None
    theme: Theme | None = None
    has_notice_mail: bool | None = None
    password: PasswordChangeIn | None = None


class MyWorkspaceOut(Schema):
    """A workspace and one's role in it."""

    id: str
    name: str
    role: Role


class MeOut(Schema):
    """The person who is signed in."""

    id: str
    email: str
    name: str
    language: Language
    theme: Theme
    has_notice_mail: bool
    """Whether notices that are not read in the app are mailed, where mail is set up."""
    workspaces: list[MyWorkspaceOut]


class WorkspaceIn(Schema):
    """A workspace's name."""

    name: Name


class WorkspaceOut(Schema):
    """A workspace."""

    id: str
    name: str
    created_at: datetime


class MemberIn(Schema):
    """A person to add."""

    email: Email
    role: Role


class RoleIn(Schema):
    """Another role."""

    role: Role


class MemberOut(Schema):
    """A member of a workspace."""

    user: str
    email: str
    name: str
    role: Role
    created_at: datetime


class ActorOut(Schema):
    """Who did something."""

    kind: ActorKind
    id: str
    name: str


def me_out(user: User) -> MeOut:
    """Renders the person who is signed in."""
    memberships = [
        MyWorkspaceOut(id=row.workspace_id, name=row.workspace.name, role=Role(row.role)) for row in membership_list_of(user)
    ]
    return MeOut(
        id=user.id,
        email=user.email,
        name=user.name,
        language=Language(user.language),
        theme=Theme(user.theme),
        has_notice_mail=user.has_notice_mail,
        workspaces=memberships,
    )


def workspace_out(workspace: Workspace) -> WorkspaceOut:
    """Renders a workspace."""
    return WorkspaceOut(id=workspace.id, name=workspace.name, created_at=workspace.created_at)


def member_out(row: Membership) -> MemberOut:
    """Renders a member."""
    return MemberOut(user=row.user_id, email=row.user.email, name=row.user.name, role=Role(row.role), created_at=row.created_at)


def actors_out(ids: Collection[str]) -> dict[str, ActorOut]:
    """Renders people, keys and the platform by their ids; who is gone keeps the id for a name."""
    names = {SYSTEM.id: SYSTEM.name} | actor_names(ids)
    return {
        each: ActorOut(kind=_ACTOR_KINDS.get(each.partition("_")[0], "system"), id=each, name=names.get(each, each))
        for each in ids
    }
