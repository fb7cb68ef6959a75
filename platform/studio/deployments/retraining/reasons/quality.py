"""By callers' feedback, the model in service is wrong more often than before."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Avg, Count, F, QuerySet

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.deployments.alerts.conditions.kind import Limit
from studio.deployments.alerts.recording import Figures
from studio.deployments.calls import feedback_of
from studio.deployments.models import CallFeedback
from studio.deployments.retraining.reasons.kind import Finding, Observation, Reason

words = Words(__file__)
DAYS = 7
"""The latest feedback, which is compared with all before it."""
FEWEST = 30
"""Answers with feedback on either side."""
STANDARD_ERRORS = 4.0
"""Standard errors by which the means must differ: of 168 looks a week, one in 30,000 finds a change where there is none."""


@dataclass(frozen=True)
class _Losses:
    """How wrong answers were, 0..1."""

    number: int
    mean: float
    variance: float


class Quality(Reason):
    """The mean loss of the last days against that of all earlier feedback on the same model."""

    name = "quality"
    place = 10
    title = words("quality.title")
    limit = Limit(default=5.0, least=1.0, most=50.0, label=words("quality.limit"))

    def look(self, look: Observation) -> Finding | None:
        """Compares error rates; too little feedback gives no result."""
        begin = look.now - timedelta(days=DAYS)
        if look.since > begin:  # a model that has just learned anew is not judged by what came before
            return None
        rows = feedback_of(look.deployment).filter(artefact=look.deployment.artefact_id, is_pinned=False)
        before, after = _losses(rows.filter(received_at__lt=begin)), _losses(rows.filter(received_at__gte=begin))
        if min(before.number, after.number) < FEWEST:
            return None
        rise = after.mean - before.mean
        error = math.sqrt(before.variance / before.number + after.variance / after.number)
        holds = 100 * rise >= look.limit and rise >= STANDARD_ERRORS * error
        figures = {"points": round(100 * rise, 1), "number": after.number, "days": DAYS}
        return Finding(holds, holds, figures)

    def message(self, figures: Figures) -> Text:
        """By how much."""
        return words("quality.found", **figures)


def _losses(rows: QuerySet[CallFeedback]) -> _Losses:
    found: dict[str, Any] = rows.aggregate(number=Count("id"), mean=Avg("loss"), square=Avg(F("loss") * F("loss")))
    mean = found["mean"] or 0.0
    return _Losses(found["number"], mean, max(0.0, (found["square"] or 0.0) - mean**2))


KIND = Quality()
