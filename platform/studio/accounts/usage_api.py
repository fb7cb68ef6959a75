"""HTTP endpoints of quotas."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Schema

from automl.contracts.base import Text
from studio.accounts.access import require
from studio.accounts.quotas import NAMES, Quota, quota_uses

router = Router(tags=["accounts"])


class UseOut(Schema):
    """How much of a quota is used."""

    quota: Quota
    name: Text
    used: int
    limit: int | None
    """Null: there is none."""


@router.get("/workspaces/{workspace_id}/usage", response=list[UseOut], operation_id="usage_list")
def usage_list(request: HttpRequest, workspace_id: str) -> list[UseOut]:
    """How much the workspace uses, and how much it may."""
    workspace = require(request, "member.read", workspace_id)
    return [UseOut(quota=use.quota, name=NAMES[use.quota], used=use.used, limit=use.limit) for use in quota_uses(workspace.id)]
