"""The audit trail of each workspace as a chain of hashes, so that a row changed, added or taken away behind our back shows.

A row is written in the transaction of the change that it records, and sealed right after the commit: under a lock of its
workspace it gets the next place and the SHA-256 of the row before and of its own content. Sealing in the transaction itself
would make all changes of a workspace wait for each other. What a crash left unsealed is sealed by the clock.

Whoever may write the database can make the whole chain anew; against that, keep exports, which carry the hashes, elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from studio.accounts.models import AuditChain, AuditRow, Workspace

BATCH = 500
"""Rows sealed in one transaction."""

Fault = Literal["changed", "missing", "cut"]
"""A row's content is not what was sealed; a row in the middle is gone; the end is gone."""


@dataclass(frozen=True)
class ChainCheck:
    """The result of checking every row of a chain."""

    num_rows: int
    """Rows that are there and were looked at."""
    num_pruned: int
    """Rows deleted before them because they were kept long enough."""
    sha256: str
    """Of the last row that is right; the same chain always ends in the same hash."""
    fault: Fault | None = None
    seq: int | None = None
    """Place of the first row that is wrong."""
    row: str | None = None
    """Its id, where it is there."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return self.fault is None


def row_content(row: AuditRow) -> dict[str, Any]:
    """What is sealed of a row; an export carries the same. Without a project it is left out: the first rows had none."""
    content: dict[str, Any] = {
        "seq": row.seq,
        "id": row.id,
        "workspace": row.workspace_id,
        "at": row.created_at.isoformat(timespec="microseconds"),
        "actor_kind": row.actor_kind,
        "actor_id": row.actor_id,
        "actor_name": row.actor_name,
        "action": row.action,
        "subject": row.subject,
        "address": row.address,
        "detail": row.detail,
    }
    return content | {"project": row.project} if row.project else content


def row_sha256(before: str, content: dict[str, Any]) -> str:
    """SHA-256 of the hash before, a line feed, and the content as JSON: keys in order, no spaces, nothing escaped."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{before}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


def audit_seal(workspace: str) -> int:
    """Puts what is not sealed yet at the end of the workspace's chain; returns how many rows."""
    num_rows = 0
    while AuditRow.objects.filter(workspace_id=workspace, seq__isnull=True).exists():
        num_rows += _seal_batch(workspace)
    return num_rows


def audit_seal_all() -> int:
    """Seals what a crash left; returns how many rows."""
    unsealed = AuditRow.objects.filter(seq__isnull=True).order_by().values_list("workspace_id", flat=True).distinct()
    return sum(audit_seal(workspace) for workspace in list(unsealed))


def audit_verify(workspace: str) -> ChainCheck:
    """Looks at every row of a workspace's trail; what is not sealed yet is sealed first."""
    audit_seal(workspace)
    chain = AuditChain.objects.filter(workspace_id=workspace).first()
    if chain is None:
        return ChainCheck(num_rows=0, num_pruned=0, sha256="")
    seq, before = chain.num_pruned, chain.pruned_sha256
    rows = AuditRow.objects.filter(workspace_id=workspace, seq__gt=seq, seq__lte=chain.num_rows).order_by("seq")
    for row in rows.iterator(chunk_size=2000):
        seq += 1
        fault: Fault | None = None
        if row.seq != seq:
            fault = "missing"
        elif row_sha256(before, row_content(row)) != row.sha256:
            fault = "changed"
        if fault is not None:
            found = row.id if fault == "changed" else None
            return ChainCheck(seq - 1 - chain.num_pruned, chain.num_pruned, before, fault=fault, seq=seq, row=found)
        before = row.sha256
    if seq < chain.num_rows or before != chain.sha256:
        return ChainCheck(seq - chain.num_pruned, chain.num_pruned, before, fault="cut", seq=seq + 1)
    return ChainCheck(seq - chain.num_pruned, chain.num_pruned, before)


def audit_prune(*, now: datetime | None = None) -> int:
    """Deletes rows that were kept as long as the settings say, from the beginning of each chain; returns how many."""
    keep: timedelta | None = settings.AUDIT_KEEP
    if keep is None:
        return 0
    before = (now or timezone.now()) - keep
    return sum(_prune(chain.workspace_id, before) for chain in AuditChain.objects.order_by("id"))


def _seal_batch(workspace: str) -> int:
    with transaction.atomic():
        if not Workspace.objects.filter(id=workspace).exists():
            return 0
        AuditChain.objects.get_or_create(workspace_id=workspace)
        chain = AuditChain.objects.select_for_update().get(workspace_id=workspace)
        rows = list(AuditRow.objects.filter(workspace_id=workspace, seq__isnull=True).order_by("id")[:BATCH])
        for row in rows:
            chain.num_rows += 1
            row.seq = chain.num_rows
            row.sha256 = chain.sha256 = row_sha256(chain.sha256, row_content(row))
        AuditRow.objects.bulk_update(rows, ["seq", "sha256"])
        chain.save(update_fields=["num_rows", "sha256"])
    return len(rows)


def _prune(workspace: str, before: datetime) -> int:
    with transaction.atomic():
        chain = AuditChain.objects.select_for_update().get(workspace_id=workspace)
        rows = AuditRow.objects.filter(workspace_id=workspace, seq__gt=chain.num_pruned)
        first_kept = rows.filter(created_at__gte=before).order_by("seq").values_list("seq", flat=True).first()
        last = rows.filter(seq__lt=first_kept if first_kept is not None else chain.num_rows + 1).order_by("seq").last()
        if last is None or last.seq is None:
            return 0
        num_rows, _ = rows.filter(seq__lte=last.seq).delete()
        chain.num_pruned, chain.pruned_sha256 = last.seq, last.sha256
        chain.save(update_fields=["num_pruned", "pruned_sha256"])
    return num_rows
