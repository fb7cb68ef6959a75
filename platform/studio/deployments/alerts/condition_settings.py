"""What people want a deployment to be watched for: their choices, and defaults where they made none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from studio.deployments.alerts.conditions import conditions
from studio.deployments.alerts.conditions.kind import Condition
from studio.deployments.alerts.models import AlertRules


@dataclass(frozen=True)
class ConditionSetting:
    """Whether a condition is watched, and its limit."""

    condition: Condition
    is_on: bool
    limit: float | None
    """None where the condition has none."""
    since: datetime | None
    """When it was switched on; None: it is off, or nothing is watched yet."""


def settings_of(rules: AlertRules | None) -> list[ConditionSetting]:
    """One for each condition."""
    return [_setting(each, (rules.conditions if rules else {}).get(each.name, {})) for each in conditions().values()]


def _setting(condition: Condition, stored: dict[str, Any]) -> ConditionSetting:
    default = condition.limit.default if condition.limit else None
    since = stored.get("since")
    return ConditionSetting(
        condition=condition,
        is_on=stored.get("is_on", condition.is_on),
        limit=default if stored.get("limit") is None else stored["limit"],
        since=datetime.fromisoformat(since) if since else None,
    )
