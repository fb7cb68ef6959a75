"""Reads of the audit trail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, QuerySet

from studio.accounts.audit_subjects import project_names
from studio.accounts.audit_words import TOPICS, Topic
from studio.accounts.models import AuditRow


@dataclass(frozen=True)
class AuditFilter:
    """Which rows; None filters nothing."""

    actor: str | None = None
    topic: Topic | None = None
    action: str | None = None
    subject: str | None = None
    project: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Exclusive."""


def audit_rows(workspace: str, criteria: AuditFilter) -> QuerySet[AuditRow]:
    """The rows of a workspace's trail that meet the criteria."""
    rows = AuditRow.objects.filter(workspace_id=workspace)
    if criteria.topic is not None:
        rows = rows.filter(action__in=[action for action, topic in TOPICS.items() if topic is criteria.topic])
    conditions = {
        "actor_id": criteria.actor,
        "action": criteria.action,
        "subject": criteria.subject,
        "project": criteria.project,
        "created_at__gte": criteria.since,
        "created_at__lt": criteria.until,
    }
    return rows.filter(**{name: value for name, value in conditions.items() if value is not None})


def audit_actors(workspace: str) -> list[tuple[str, str, str]]:
    """Everybody in a workspace's trail: id, kind and newest name, by name."""
    rows = AuditRow.objects.filter(workspace_id=workspace).order_by()
    newest = rows.values("actor_id").annotate(last=Max("id")).values_list("last", flat=True)
    found = AuditRow.objects.filter(id__in=list(newest)).values_list("actor_id", "actor_kind", "actor_name")
    return sorted(found, key=lambda one: (one[2].lower(), one[0]))


def audit_projects(workspace: str) -> dict[str, str]:
    """The projects in a workspace's trail: id and name, by name; the deleted ones too."""
    rows = AuditRow.objects.filter(workspace_id=workspace).exclude(project="").order_by()
    ids = list(rows.values_list("project", flat=True).distinct())
    return dict(sorted(project_names(ids).items(), key=lambda one: (one[1].lower(), one[0])))
