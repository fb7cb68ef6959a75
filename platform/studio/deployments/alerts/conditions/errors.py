"""A large share of the calls fails."""

from __future__ import annotations

from django.db.models import Count, Q

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.deployments.alerts.conditions._calls import are_few, calls_of_last_hour, is_above
from studio.deployments.alerts.conditions.kind import Finding, LastingCondition, Limit, Watch
from studio.deployments.alerts.models import AlertEvent
from studio.deployments.alerts.recording import Figures

words = Words(__file__)


class Errors(LastingCondition):
    """Calls that were refused or failed, as the page counts them."""

    name = "errors"
    place = 10
    title = words("errors.title")
    limit = Limit(5, 0.1, 99, words("errors.limit"))

    def check(self, watch: Watch) -> Finding | None:
        """Counts the calls of the last hour."""
        found = calls_of_last_hour(watch).aggregate(calls=Count("id"), failed=Count("id", filter=Q(status__gte=400)))
        calls, failed = found["calls"], found["failed"]
        share = 100 * failed / calls if calls else 0.0
        figures = {"share": round(share, 1), "failed": failed, "calls": calls, "limit": watch.limit}
        return Finding(is_above(share, calls, watch), figures)

    def message(self, event: AlertEvent, figures: Figures) -> Text:
        """How many failed."""
        if event is AlertEvent.BEGAN:
            return words("errors.began", **figures)
        return words("errors.few" if are_few(figures) else "errors.ended", **figures)


KIND = Errors()
