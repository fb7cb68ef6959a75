"""The audit trail: written in the transaction of the change that it tells of."""

from __future__ import annotations

from typing import Any

from studio.accounts.access import Principal
from studio.accounts.models import AuditRow


def audit_record(
    *, workspace: str, actor: Principal, action: str, subject: str, detail: dict[str, Any] | None = None
) -> AuditRow:
    """Writes who did what."""
    return AuditRow.objects.create(
        workspace_id=workspace,
        actor_kind=actor.kind,
        actor_id=actor.id,
        actor_name=actor.name,
        action=action,
        subject=subject,
        detail=detail or {},
    )
