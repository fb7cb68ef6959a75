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
}


def role_allows(role: Role, action: Action) -> bool:
    """Whether a role may do an action."""
    return action in ALLOWED[role]
