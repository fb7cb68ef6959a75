"""The audit trail: written in the transaction of the change that it records, and sealed after it (``audit_chain``)."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction

from studio.accounts.access import Principal
from studio.accounts.audit_chain import audit_seal
from studio.accounts.models import AuditRow


def audit_record(
    *,
    workspace: str,
    actor: Principal,
    action: str,
    subject: str,
    project: str = "",
    detail: dict[str, Any] | None = None,
    address: str = "",
) -> AuditRow:
    """Writes who did what.

    Args:
        workspace: whose trail.
        actor: who.
        action: one of ``audit_words.TOPICS``.
        subject: id of the thing.
        project: id of the one that it was done in; empty for what concerns the workspace or an account.
        detail: what else is worth knowing; never a secret.
        address: of the network, where the caller came from.
    """
    row = AuditRow.objects.create(
        workspace_id=workspace,
        actor_kind=actor.kind,
        actor_id=actor.id,
        actor_name=actor.name,
        action=action,
        subject=subject,
        project=project,
        detail=detail or {},
        address=address[:64],
    )
    transaction.on_commit(partial(audit_seal, workspace), robust=True)
    return row
