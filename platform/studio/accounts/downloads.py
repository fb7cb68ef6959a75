"""Who took data and models out of the platform, for the audit trail."""

from __future__ import annotations

import time
from typing import Any

from django.http import HttpRequest

from studio.accounts.access import principal_of
from studio.accounts.attempts import client_address
from studio.accounts.models import AuditRow
from studio.accounts.security_events import security_event
from studio.common.ids import id_at

ONE_DOWNLOAD_S = 24 * 3600
"""Parts of the same thing that the same caller asks for within so long are one download."""


def download_record(
    request: HttpRequest, action: str, *, workspace: str, project: str, subject: str, detail: dict[str, Any] | None = None
) -> None:
    """Records a download: once, also where it comes in parts (with a ``Range``), whichever part comes first.

    Args:
        request: by whom.
        action: one of ``audit_words.TOPICS``, like ``version.downloaded``.
        workspace: id of the one that the thing belongs to.
        project: id of the one that the thing belongs to.
        subject: id of the thing.
        detail: what of it, like a format.
    """
    actor = principal_of(request)
    detail = detail or {}
    if request.headers.get("Range"):
        since = id_at(AuditRow.ID_PREFIX, time.time() - ONE_DOWNLOAD_S)
        rows = AuditRow.objects.filter(workspace_id=workspace, id__gt=since, action=action, subject=subject, actor_id=actor.id)
        if any(row == detail for row in rows.values_list("detail", flat=True)):
            return
    address = client_address(request)
    security_event(action, workspace=workspace, actor=actor, subject=subject, project=project, address=address, detail=detail)
