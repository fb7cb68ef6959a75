"""The deployment gets no calls any more."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Max

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.deployments.alerts.conditions.kind import Finding, LastingCondition, Limit, Watch
from studio.deployments.alerts.models import AlertEvent
from studio.deployments.alerts.recording import Figures
from studio.deployments.calls import calls_of
from studio.deployments.models import DesiredState

words = Words(__file__)


class Silence(LastingCondition):
    """Only once there were calls."""

    name = "silence"
    place = 30
    title = words("silence.title")
    limit = Limit(24, 1, 720, words("silence.limit"))
    is_on = False

    def check(self, watch: Watch) -> Finding | None:
        """Looks at the latest call, unless people stopped the deployment."""
        if watch.deployment.desired != DesiredState.RUNNING:
            return None
        last = calls_of(watch.deployment).aggregate(last=Max("at"))["last"]
        if last is None:
            return None
        holds = watch.now - last > timedelta(hours=watch.limit)
        return Finding(holds, {"last_call": f"{last:%Y-%m-%d %H:%M} UTC", "limit": watch.limit})

    def message(self, event: AlertEvent, figures: Figures) -> Text:
        """Since when there are no calls."""
        return words("silence.began" if event is AlertEvent.BEGAN else "silence.ended", **figures)


KIND = Silence()
