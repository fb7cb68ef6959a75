"""Writes of API keys: made, revoked, ended with a membership, used, expired."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from studio.accounts.access import SYSTEM, Principal, secret_sha256
from studio.accounts.audit import audit_record
from studio.accounts.errors import KeysMakeNoKeysError
from studio.accounts.hooks import keys_changed, scope_name
from studio.accounts.models import ApiKey, User, Workspace
from studio.accounts.roles import Role
from studio.accounts.security_events import security_event
from studio.common.errors import InvalidInputError, NotFoundError

SECRET_PREFIX = "my_"  # noqa: S105 - what all keys start with, not a key
HINT_LENGTH = 8
DEFAULT_LIFE = timedelta(days=90)
"""Of a key whose maker does not say when it ends."""


@dataclass(frozen=True)
class KeyScope:
    """What a new key is for, narrower than its role."""

    is_predict_only: bool = False
    project: str = ""
    """Id of the only project."""
    deployment: str = ""
    """Id of the only deployment; such a key may only predict with it."""


WHOLE = KeyScope()


def key_create(
    *,
    workspace: Workspace,
    name: str,
    role: Role,
    actor: Principal,
    expires_at: datetime | None = None,
    scope: KeyScope = WHOLE,
) -> tuple[ApiKey, str]:
    """Makes an API key that belongs to whoever makes it.

    Returns:
        The key and its secret, which is not kept and cannot be shown again.

    Raises:
        KeysMakeNoKeysError: a key asks.
        InvalidInputError: it would be expired already, is for a guest, or its scope names what is not in the workspace.
    """
    if actor.user is None:
        raise KeysMakeNoKeysError(hint="Sign in as a person to make a key.")
    if expires_at is not None and expires_at <= timezone.now():
        raise InvalidInputError("The key would be expired already.", fields={"expires_at": ["lies in the past"]})
    if role is Role.GUEST:
        raise InvalidInputError("A key has no role of a guest.", fields={"role": ["not for a key"]})
    _scope_check(workspace, scope)
    secret = SECRET_PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        key = ApiKey.objects.create(
            workspace=workspace,
            name=name.strip(),
            role=role.value,
            secret_sha256=secret_sha256(secret),
            hint=secret[:HINT_LENGTH],
            created_by=actor.user,
            expires_at=expires_at,
            is_predict_only=scope.is_predict_only or bool(scope.deployment),
            project=scope.project,
            deployment=scope.deployment,
        )
        detail = {"name": key.name, "role": key.role, "predict_only": key.is_predict_only}
        detail |= {name: value for name, value in (("project", key.project), ("deployment", key.deployment)) if value}
        detail |= {"expires_at": expires_at.isoformat() if expires_at else None}
        audit_record(
            workspace=workspace.id, project=scope.project, actor=actor, action="key.create", subject=key.id, detail=detail
        )
        keys_changed()
    return key, secret


def key_delete(*, workspace: Workspace, key_id: str, actor: Principal) -> None:
    """Makes a key worthless at once. Its row stays, for the names in histories.

    Raises:
        NotFoundError: there is no such key.
    """
    with transaction.atomic():
        key = ApiKey.objects.filter(workspace=workspace, id=key_id, is_revoked=False).first()
        if key is None:
            raise NotFoundError("There is no such key.")
        ApiKey.objects.filter(id=key.id).update(is_revoked=True, ended_at=key.ended_at or timezone.now())
        audit_record(
            workspace=workspace.id,
            project=key.project,
            actor=actor,
            action="key.delete",
            subject=key.id,
            detail={"name": key.name},
        )
        keys_changed()


def keys_end(*, workspace: Workspace, person: User, actor: Principal) -> int:
    """Ends the keys of a member who goes, in the transaction of the going; returns how many."""
    keys = list(ApiKey.objects.filter(workspace=workspace, created_by=person, ended_at__isnull=True))
    ApiKey.objects.filter(id__in=[key.id for key in keys]).update(ended_at=timezone.now())
    for key in keys:
        detail = {"name": key.name, "owner": person.email}
        audit_record(
            workspace=workspace.id, project=key.project, actor=actor, action="key.ended", subject=key.id, detail=detail
        )
    keys_changed()
    return len(keys)


def keys_used(used: Mapping[str, datetime], *, address: str = "") -> None:
    """Notes when keys were used last, and records the first use of each.

    Args:
        used: when, by id of the key; ids that are no key's are let pass.
        address: of the network, where it is known.
    """
    for key_id, at in used.items():
        is_first = bool(ApiKey.objects.filter(id=key_id, last_used_at__isnull=True).update(last_used_at=at))
        if not is_first:
            ApiKey.objects.filter(id=key_id, last_used_at__lt=at).update(last_used_at=at)
            continue
        key = ApiKey.objects.get(id=key_id)
        by = Principal(kind="key", id=key.id, name=key.name)
        security_event(
            "key.first_used",
            workspace=key.workspace_id,
            project=key.project,
            actor=by,
            subject=key.id,
            address=address,
            detail={"name": key.name},
        )


def keys_expire(*, now: datetime | None = None) -> int:
    """Records the keys whose time is over, each once; returns how many."""
    over = Q(expires_at__lte=now or timezone.now(), is_expiry_told=False, ended_at__isnull=True)
    num_recorded = 0
    for key in ApiKey.objects.filter(over):
        with transaction.atomic():
            if ApiKey.objects.filter(id=key.id, is_expiry_told=False).update(is_expiry_told=True):
                security_event(
                    "key.expired",
                    workspace=key.workspace_id,
                    project=key.project,
                    actor=SYSTEM,
                    subject=key.id,
                    detail={"name": key.name},
                )
                num_recorded += 1
    return num_recorded


def _scope_check(workspace: Workspace, scope: KeyScope) -> None:
    for kind, value in (("project", scope.project), ("deployment", scope.deployment)):
        if value and scope_name(kind, workspace.id, value) is None:
            raise InvalidInputError(f"There is no such {kind} in this workspace.", fields={kind: ["not in this workspace"]})
