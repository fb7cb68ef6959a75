"""What callers send has differed from the model's data for days."""

from __future__ import annotations

from datetime import timedelta

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.deployments.alerts.conditions.kind import Limit
from studio.deployments.alerts.recording import Figures
from studio.deployments.input_drift import InputState, input_drifts_of
from studio.deployments.retraining.reasons.kind import Finding, Observation, Reason

words = Words(__file__)


class Drift(Reason):
    """By the same judgement as on the page."""

    name = "drift"
    place = 20
    title = words("drift.title")
    limit = Limit(default=3.0, least=0.0, most=30.0, label=words("drift.limit"))

    def look(self, look: Observation) -> Finding | None:
        """Judges the inputs of the model in service; too few calls give no result."""
        models = input_drifts_of(look.deployment, now=look.now)
        own = next((model for model in models if model.model.id == look.deployment.artefact_id), None)
        if own is None or own.state not in {InputState.CHANGED, InputState.QUIET}:
            return None
        holds = own.state is InputState.CHANGED
        lasted = look.now - (look.holds_since or look.now)
        count = sum(fact.is_changed for fact in own.facts)
        return Finding(holds, holds and lasted >= timedelta(days=look.limit), {"days": lasted.days, "count": count})

    def message(self, figures: Figures) -> Text:
        """For how long, and how many facts."""
        return words("drift.found", **figures)


KIND = Drift()
