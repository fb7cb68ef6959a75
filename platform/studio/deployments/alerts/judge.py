"""Looks at every deployment that is watched."""

from __future__ import annotations

import logging
from datetime import datetime

from django.utils import timezone

from studio.deployments.alerts.condition_settings import settings_of
from studio.deployments.alerts.conditions.kind import Watch
from studio.deployments.alerts.models import AlertRules

log = logging.getLogger(__name__)


def alerts_judge(*, is_slow: bool = False, now: datetime | None = None) -> None:
    """Judges the conditions that are switched on.

    Args:
        is_slow: only the conditions that are looked at every hour, instead of only the others.
        now: for tests.
    """
    at = now or timezone.now()
    for rules in AlertRules.objects.select_related("deployment__artefact").order_by("deployment"):
        for setting in settings_of(rules):
            if setting.since is None or setting.condition.is_slow != is_slow:
                continue
            watch = Watch(deployment=rules.deployment, limit=setting.limit or 0.0, since=setting.since, now=at)
            try:
                setting.condition.judge(rules, watch)
            except Exception:
                log.exception("%s of %s cannot be judged", setting.condition.name, rules.deployment_id)
