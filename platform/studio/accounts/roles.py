"""Who may do what: one table, role x action. What is not in it is not allowed."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, get_args


class Role(StrEnum):
    """A member's part in a workspace, from the one who may do everything down."""

    OWNER = "owner"
    ENGINEER = "engineer"
    LABELLER = "labeller"
    VIEWER = "viewer"
    ANNOTATOR = "annotator"
    """Labels in campaigns and sees nothing but the items of its own share."""
    GUEST = "guest"
    """Sees only the projects that it is named in, with the role that it has there."""


Action = Literal[
    "workspace.read",
    "workspace.manage",
    "member.read",
    "member.manage",
    "key.manage",
    "audit.read",
    "project.read",
    "project.write",
    "data.read",
    "data.write",
    "label.write",
    "campaign.label",
    "campaign.read",
    "campaign.manage",
    "version.write",
    "study.read",
    "study.write",
    "job.read",
    "job.cancel",
    "model.read",
    "model.write",
    "model.promote",
    "deployment.read",
    "deployment.write",
    "deployment.predict",
]

_READING: frozenset[Action] = frozenset(
    {
        "workspace.read",
        "member.read",
        "project.read",
        "data.read",
        "study.read",
        "job.read",
        "model.read",
        "deployment.read",
    }
)
_LABELLING: frozenset[Action] = _READING | {"label.write", "campaign.label", "deployment.predict"}
_ENGINEERING: frozenset[Action] = _LABELLING | {
    "campaign.read",
    "campaign.manage",
    "project.write",
    "data.write",
    "version.write",
    "study.write",
    "job.cancel",
    "model.write",
    "model.promote",
    "deployment.write",
}

ALLOWED: dict[Role, frozenset[Action]] = {
    Role.OWNER: frozenset(get_args(Action)),
    Role.ENGINEER: _ENGINEERING,
    Role.LABELLER: _LABELLING,
    Role.VIEWER: _READING,
    Role.ANNOTATOR: frozenset({"workspace.read", "project.read", "campaign.label"}),
    Role.GUEST: frozenset({"workspace.read", "project.read"}),
}

PROJECT_ROLES = (Role.ENGINEER, Role.LABELLER, Role.VIEWER, Role.ANNOTATOR)
"""What a person can be in one project."""


def role_allows(role: Role, action: Action) -> bool:
    """Whether a role may do an action."""
    return action in ALLOWED[role]


def role_in_project(role: Role, *, named: Role | None, is_restricted: bool) -> Role | None:
    """What a member of a workspace is in one of its projects; None: the project is not there for them.

    Args:
        role: in the workspace.
        named: the role of whoever is named in the project; None for who is not.
        is_restricted: whether the project is open to named people only.
    """
    if role is Role.OWNER:
        return role
    if named is not None:
        return named
    return None if is_restricted or role is Role.GUEST else role
