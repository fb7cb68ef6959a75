"""How often the deployments of a workspace were called, and what is written of its limits for the prediction server."""

from __future__ import annotations

from datetime import date, timedelta

from django.db.models import F
from django.utils import timezone

from runtime.errors import DeploymentFailedError, DeploymentStartingError, DeploymentStoppedError, QuotaExceededError
from studio.accounts.quotas import Quota, Use, day_end, quota_limit, quota_record
from studio.deployments.calls import is_try_out
from studio.deployments.models import CallCount, PredictionLog

_NOT_LET_IN = tuple(
    fault.code for fault in (QuotaExceededError, DeploymentStoppedError, DeploymentStartingError, DeploymentFailedError)
)


def quota_used(workspace: str, quota: str) -> int:
    """Answered calls of today in UTC without try-outs, or all of the last minute that were let in."""
    now = timezone.now()
    if quota == Quota.PREDICTIONS_PER_DAY:
        return CallCount.objects.filter(workspace=workspace, day=now.date()).values_list("calls", flat=True).first() or 0
    calls = PredictionLog.objects.filter(deployment__workspace=workspace, at__gt=now - timedelta(minutes=1))
    return calls.exclude(code__in=_NOT_LET_IN).count()


def calls_count(workspace: str, rows: list[PredictionLog]) -> None:
    """Counts answered calls by their day, try-outs left out; deleting a deployment with its log changes nothing of it."""
    days: dict[date, int] = {}
    for row in rows:
        if row.status < 400 and not is_try_out(row.key):
            days[row.at.date()] = days.get(row.at.date(), 0) + 1
    for day, calls in days.items():
        CallCount.objects.get_or_create(workspace_id=workspace, day=day)
        CallCount.objects.filter(workspace=workspace, day=day).update(calls=F("calls") + calls)


def limits_of(workspace: str) -> dict[str, object]:
    """The limits of a workspace as the file of a deployment has them."""
    now = timezone.now()
    limit = quota_limit(workspace, Quota.PREDICTIONS_PER_DAY)
    used = 0 if limit is None else quota_used(workspace, Quota.PREDICTIONS_PER_DAY)
    is_over = limit is not None and used >= limit
    if is_over:
        quota_record(workspace, Use(Quota.PREDICTIONS_PER_DAY, used, limit))
    return {
        "quota_per_minute": quota_limit(workspace, Quota.PREDICTIONS_PER_MINUTE),
        "quota_per_day": limit,
        "refused_until": day_end(now).isoformat() if is_over else None,
    }
