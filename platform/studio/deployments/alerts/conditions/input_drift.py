"""Callers' items are no longer like those of the version that a model was made from."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.deployments.alerts.conditions.kind import Finding, LastingCondition, Watch
from studio.deployments.alerts.models import AlertEvent
from studio.deployments.alerts.recording import Figures
from studio.deployments.answer_drift import DAYS
from studio.deployments.input_drift import InputState, input_drifts_of

words = Words(__file__)


class InputDrift(LastingCondition):
    """By the same judgement as on the page."""

    name = "input_drift"
    place = 45
    title = words("input_drift.title")
    is_on = False
    is_slow = True

    def check(self, watch: Watch) -> Finding | None:
        """Judges the models that answer; with too few calls, it stays as it is."""
        models = input_drifts_of(watch.deployment, now=watch.now)
        changed = [model for model in models if model.state is InputState.CHANGED]
        if changed:
            numbers = ", ".join(str(number) for number in sorted(model.model.number for model in changed))
            count = max(sum(fact.is_changed for fact in model.facts) for model in changed)
            return Finding(True, {"models": numbers, "count": count, "days": DAYS})
        is_known = any(model.state is InputState.QUIET for model in models)
        return Finding(False, {"days": DAYS}) if is_known else None

    def message(self, event: AlertEvent, figures: Figures) -> Text:
        """How many facts have changed, and of which models; the page says which."""
        return words("input_drift.began" if event is AlertEvent.BEGAN else "input_drift.ended", **figures)


KIND = InputDrift()
