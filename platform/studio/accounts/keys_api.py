"""HTTP endpoints of API keys. Keys themselves are turned away here: only people make, see and revoke them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Schema, Status
from pydantic import Field

from studio.accounts.access import principal_of, require
from studio.accounts.hooks import scope_names
from studio.accounts.key_rules import KeyState, key_state, keys_named, person_role
from studio.accounts.keys import DEFAULT_LIFE, KeyScope, key_create, key_delete
from studio.accounts.models import ApiKey, Workspace
from studio.accounts.roles import Role
from studio.accounts.schemas import Name
from studio.common.moments import Moment

router = Router(tags=["accounts"])


class KeyIn(Schema):
    """An API key to make. It never may more than its maker, whatever its role."""

    name: Name
    role: Role = Role.VIEWER
    """Of no account where the key may only predict."""
    expires_at: Moment | None = None
    """Null never ends; absent ends after 90 days."""
    predict_only: bool = False
    project: str | None = Field(None, max_length=40, description="id of the only project that the key is for")
    deployment: str | None = Field(
        None, max_length=40, description="id of the only deployment that the key is for; such a key may only predict with it"
    )


class KeyOwnerOut(Schema):
    """Whose a key is."""

    id: str
    name: str
    email: str


class KeyTargetOut(Schema):
    """What the scope of a key names."""

    id: str
    name: str | None
    """Null: it is gone."""


class KeyOut(Schema):
    """An API key without its secret."""

    id: str
    name: str
    role: Role
    hint: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    state: KeyState
    owner: KeyOwnerOut | None
    predict_only: bool
    project: KeyTargetOut | None
    deployment: KeyTargetOut | None


class KeyMadeOut(Schema):
    """A new API key and its secret, which is shown this once."""

    key: KeyOut
    secret: str


@router.get("/workspaces/{workspace_id}/keys", response=list[KeyOut], operation_id="keys_list")
def keys_list(request: HttpRequest, workspace_id: str) -> list[KeyOut]:
    """The API keys that were not revoked, newest first, without their secrets."""
    return keys_out(require(request, "key.manage", workspace_id))


@router.post("/workspaces/{workspace_id}/keys", response={201: KeyMadeOut}, operation_id="key_create")
def key_create_post(request: HttpRequest, workspace_id: str, body: KeyIn) -> Status[KeyMadeOut]:
    """Makes an API key that belongs to the caller; its secret is shown this once."""
    workspace = require(request, "key.manage", workspace_id)
    is_set = "expires_at" in body.model_fields_set
    key, secret = key_create(
        workspace=workspace,
        name=body.name,
        role=body.role,
        actor=principal_of(request),
        expires_at=body.expires_at if is_set else timezone.now() + DEFAULT_LIFE,
        scope=KeyScope(body.predict_only, body.project or "", body.deployment or ""),
    )
    made = next(one for one in keys_out(workspace) if one.id == key.id)
    return Status(201, KeyMadeOut(key=made, secret=secret))


@router.delete("/workspaces/{workspace_id}/keys/{key_id}", response={204: None}, operation_id="key_delete")
def key_delete_delete(request: HttpRequest, workspace_id: str, key_id: str) -> Status[None]:
    """Makes a key worthless at once."""
    workspace = require(request, "key.manage", workspace_id)
    key_delete(workspace=workspace, key_id=key_id, actor=principal_of(request))
    return Status(204, None)


def keys_out(workspace: Workspace) -> list[KeyOut]:
    """Renders the keys of a workspace."""
    rows = ApiKey.objects.filter(workspace=workspace, is_revoked=False).select_related("created_by")
    keys = list(rows.annotate(person_role=person_role()).order_by("-id"))
    projects = scope_names("project", workspace.id, keys_named(keys, "project"))
    deployments = scope_names("deployment", workspace.id, keys_named(keys, "deployment"))
    return [_key_out(key, projects, deployments) for key in keys]


def _key_out(key: Any, projects: dict[str, str], deployments: dict[str, str]) -> KeyOut:  # noqa: ANN401 - annotated row
    owner = key.created_by
    return KeyOut(
        id=key.id,
        name=key.name,
        role=Role(key.role),
        hint=f"{key.hint}…",
        created_at=key.created_at,
        expires_at=key.expires_at,
        last_used_at=key.last_used_at,
        state=key_state(key, person=Role(key.person_role) if key.person_role else None),
        owner=KeyOwnerOut(id=owner.id, name=owner.name, email=owner.email) if owner else None,
        predict_only=key.is_predict_only,
        project=KeyTargetOut(id=key.project, name=projects.get(key.project)) if key.project else None,
        deployment=KeyTargetOut(id=key.deployment, name=deployments.get(key.deployment)) if key.deployment else None,
    )
