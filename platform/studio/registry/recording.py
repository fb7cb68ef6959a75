"""Rows of the audit trail about models."""

from __future__ import annotations

from typing import Any

from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.registry.models import Artefact


def artefact_audit(artefact: Artefact, actor: Principal, action: str, detail: dict[str, Any]) -> None:
    """Writes what was done to a model, or with it."""
    audit_record(
        workspace=artefact.project.workspace_id,
        project=artefact.project_id,
        actor=actor,
        action=action,
        subject=artefact.id,
        detail=detail,
    )
