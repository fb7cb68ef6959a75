"""Answers take long."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.deployments.alerts.conditions._calls import are_few, calls_of_last_hour, is_above
from studio.deployments.alerts.conditions.kind import Finding, LastingCondition, Limit, Watch
from studio.deployments.alerts.models import AlertEvent
from studio.deployments.alerts.recording import Figures
from studio.deployments.timeline import latency_percentile

words = Words(__file__)


class Latency(LastingCondition):
    """By the slowest twentieth of the answered calls."""

    name = "latency"
    place = 20
    title = words("latency.title")
    limit = Limit(1000, 1, 600_000, words("latency.limit"))
    is_on = False

    def check(self, watch: Watch) -> Finding | None:
        """Takes the 95th percentile of the last hour."""
        number, p95_ms = latency_percentile(calls_of_last_hour(watch), 0.95)
        figures = {"p95_ms": round(p95_ms or 0.0, 1), "calls": number, "limit": watch.limit}
        return Finding(is_above(p95_ms or 0.0, number, watch), figures)

    def message(self, event: AlertEvent, figures: Figures) -> Text:
        """How long answers take."""
        if event is AlertEvent.BEGAN:
            return words("latency.began", **figures)
        return words("latency.few" if are_few(figures) else "latency.ended", **figures)


KIND = Latency()
