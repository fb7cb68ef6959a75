"""A model no longer answers as in its test."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.deployments.alerts.conditions.kind import Finding, LastingCondition, Watch
from studio.deployments.alerts.models import AlertEvent
from studio.deployments.alerts.recording import Figures
from studio.deployments.answer_drift import DAYS, DriftState, drifts_of
from studio.registry.models import Artefact

words = Words(__file__)


class AnswerDrift(LastingCondition):
    """By the same judgement as on the page."""

    name = "drift"
    place = 40
    title = words("drift.title")
    is_slow = True

    def check(self, watch: Watch) -> Finding | None:
        """Judges the models that answer; with too few calls, it stays as it is."""
        models = drifts_of(watch.deployment, now=watch.now)
        changed = {model.artefact: model.drift for model in models if model.state is DriftState.CHANGED and model.drift}
        if changed:
            numbers = Artefact.objects.filter(id__in=changed).order_by("number").values_list("number", flat=True)
            psi, ks = (max(getattr(drift, name) for drift in changed.values()) for name in ("psi", "ks"))
            figures = {"models": ", ".join(map(str, numbers)), "psi": round(psi, 2), "ks": round(ks, 2), "days": DAYS}
            return Finding(True, figures)
        is_known = any(model.state is DriftState.QUIET for model in models)
        return Finding(False, {"days": DAYS}) if is_known else None

    def message(self, event: AlertEvent, figures: Figures) -> Text:
        """Whose answers have changed, and by how much."""
        return words("drift.began" if event is AlertEvent.BEGAN else "drift.ended", **figures)


KIND = AnswerDrift()
