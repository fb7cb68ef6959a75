"""Which API keys work at this moment, and what each may do at most.

A key belongs to the person who made it. It works while that person is a member of its workspace with an active account, and
it never may more than they may; all of that is read anew at each call, so nothing has to be undone when a member goes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from studio.accounts.errors import KeyOutOfScopeError
from studio.accounts.models import ApiKey, Membership
from studio.accounts.roles import ALLOWED, Action, Role

WARN_BEFORE = timedelta(days=14)
"""So long before its end a key is shown as one that ends soon."""
PREDICTING: frozenset[Action] = frozenset({"deployment.predict"})

KeyState = Literal["active", "expiring", "expired", "ended", "no_owner"]
"""Works; works and ends soon; its time is over; ended with its owner's membership; nobody of the workspace owns it."""


class _Key(Protocol):
    role: str
    is_predict_only: bool
    project: str
    deployment: str


@dataclass(frozen=True)
class Scope:
    """What a key may do at most, besides what its role allows."""

    actions: frozenset[Action]
    project: str = ""
    """Id of the only project; empty: every one."""
    deployment: str = ""
    """Id of the only deployment; empty: every one."""

    def check(self, action: Action, *, project: str | None, deployment: str | None) -> None:
        """Lets a call through or not; what does not say which project it is about is not for a key of one project.

        Raises:
            KeyOutOfScopeError: the key may not.
        """
        if action not in self.actions:
            raise KeyOutOfScopeError("This API key may not do that.", hint=_HINT, params={"context": "action"})
        if self.project and project != self.project:
            detail = "This API key is for one project only, and this is not in it."
            raise KeyOutOfScopeError(detail, hint=_HINT, params={"context": "project"})
        if self.deployment and deployment != self.deployment:
            detail = "This API key is for one deployment only, and this is not it."
            raise KeyOutOfScopeError(detail, hint=_HINT, params={"context": "deployment"})


_HINT = "Use a key with a wider scope."


def keys_alive(*, now: datetime | None = None) -> QuerySet[ApiKey]:
    """Keys that work, each with its owner's role in the workspace (``person_role``) and language (``person_language``)."""
    alive = Q(expires_at__isnull=True) | Q(expires_at__gt=now or timezone.now())
    keys = ApiKey.objects.filter(alive, ended_at__isnull=True, created_by__is_active=True)
    return keys.annotate(person_role=person_role(), person_language=F("created_by__language")).filter(person_role__isnull=False)


def person_role() -> Subquery:
    """What a key's owner is in its workspace; None for who is no member."""
    member = Membership.objects.filter(workspace=OuterRef("workspace"), user=OuterRef("created_by"))
    return Subquery(member.values("role")[:1])


def rights_of(key: _Key, person: Role, *, has_exceptions: bool = False) -> tuple[Role, Scope | None]:
    """The role that a key's calls have, and what narrows it further; None when nothing does.

    Args:
        key: which.
        person: the role of its owner now.
        has_exceptions: whether the owner has another role in some projects, which the key may not exceed its own by.
    """
    is_predicting = key.is_predict_only or bool(key.deployment)
    allowed = PREDICTING if is_predicting else ALLOWED[Role(key.role)]
    actions = allowed & ALLOWED[person]
    role = Role(key.role) if not is_predicting and ALLOWED[Role(key.role)] == actions else person
    if actions == ALLOWED[role] and not (key.project or key.deployment or has_exceptions):
        return role, None
    return role, Scope(allowed, key.project, key.deployment)


def key_state(key: ApiKey, *, person: Role | None, now: datetime | None = None) -> KeyState:
    """How a key stands.

    Args:
        key: with its owner.
        person: the owner's role in the workspace now; None for who is no member.
        now: the time; None is this moment.
    """
    now = now or timezone.now()
    if key.ended_at is not None:
        return "ended"
    if key.created_by is None or not key.created_by.is_active or person is None:
        return "no_owner"
    if key.expires_at is None or key.expires_at - now > WARN_BEFORE:
        return "active"
    return "expiring" if key.expires_at > now else "expired"


def keys_named(keys: Collection[ApiKey], kind: Literal["project", "deployment"]) -> set[str]:
    """Ids of what the scopes of keys name."""
    return {getattr(key, kind) for key in keys} - {""}
