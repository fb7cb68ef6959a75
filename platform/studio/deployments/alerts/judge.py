"""Looks at every deployment that is watched."""

from __future__ import annotations

import logging
from datetime import datetime

from django.utils import timezone

from studio.deployments.alerts.conditions.kind import Watch
from studio.deployments.alerts.models import AlertRules
from studio.deployments.alerts.wishes import wishes_of

log = logging.getLogger(__name__)


def alerts_judge(*, is_slow: bool = False, now: datetime | None = None) -> None:
    """Judges the conditions that are switched on.

    Args:
        is_slow: only the conditions that are looked at every hour, instead of only the others.
        now: for tests.
    """
    at = now or timezone.now()
    for rules in AlertRules.objects.select_related("deployment__artefact").order_by("deployment"):
        for wish in wishes_of(rules):
            if wish.since is None or wish.condition.is_slow != is_slow:
                continue
            watch = Watch(deployment=rules.deployment, limit=wish.limit or 0.0, since=wish.since, now=at)
            try:
                wish.condition.judge(rules, watch)
            except Exception:
                log.exception("%s of %s cannot be judged", wish.condition.name, rules.deployment_id)
