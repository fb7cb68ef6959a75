"""The figures of the calls of the last hour that conditions are judged by."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import QuerySet

from studio.deployments.alerts.conditions.kind import CALMER, Watch
from studio.deployments.alerts.recording import Figures
from studio.deployments.calls import calls_of
from studio.deployments.models import PredictionLog

FEWEST_CALLS = 20
"""Fewer calls in an hour are not judged."""


def calls_of_last_hour(watch: Watch) -> QuerySet[PredictionLog]:
    """Calls from outside."""
    return calls_of(watch.deployment).filter(at__gt=watch.now - timedelta(hours=1), at__lte=watch.now)


def is_above(figure: float, number: int, watch: Watch) -> bool:
    """Whether a figure of so many calls begins an alert, or keeps one standing."""
    calmer = CALMER if watch.is_standing else 1
    return number >= FEWEST_CALLS * calmer and figure > watch.limit * calmer


def are_few(figures: Figures) -> bool:
    """Whether an alert ended because there were too few calls to judge."""
    return int(figures["calls"]) < FEWEST_CALLS * CALMER
