"""The models of a deployment beside each other, as its log knows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, Q, QuerySet
from django.utils import timezone

from studio.deployments.calls import calls_of, feedback_of
from studio.deployments.drift import BestAnswer
from studio.deployments.models import CallFeedback, Deployment, PredictionLog, ShadowCall
from studio.deployments.selectors import LATENCIES_LOOKED_AT, percentile

ANSWERS_LOOKED_AT = 2000
"""Latest calls of a model whose answers are counted."""
MOST_LABELS = 10
AGREES = 0.1
"""Two answers that differ by no more than this agree; the prediction server keeps inputs of those that differ by more."""


@dataclass(frozen=True)
class ComparedModel:
    """Figures of a model in the log. Latencies are in milliseconds; None without any call."""

    artefact: str
    calls: int
    errors: int
    """Of the model; what callers did wrong is not counted."""
    p50_ms: float | None
    p95_ms: float | None
    uncertainty: float | None
    labels: list[tuple[str, float]]
    """With the fraction of best answers, the commonest first."""
    median_value: float | None
    compared: int
    agreed: int
    feedback: int
    """Answers with feedback of callers."""
    loss: float | None
    """How wrong these were, 0..1, on the average."""


@dataclass(frozen=True)
class Comparison:
    """The models of a deployment."""

    since: datetime
    models: list[ComparedModel]
    shadow: ComparedModel | None
    disagreements: int


def comparison_of(deployment: Deployment, *, days: int) -> Comparison:
    """Compares the models that a deployment has now, by their calls of the last days."""
    since = timezone.now() - timedelta(days=days)
    variants = list(deployment.variants.all())
    artefacts = [deployment.artefact_id, *(each.artefact_id for each in variants if not each.is_shadow)]
    shadow = next((each.artefact_id for each in variants if each.is_shadow), None)
    shadows = ShadowCall.objects.filter(deployment=deployment, artefact=shadow or "", at__gte=since)
    calls = calls_of(deployment).filter(at__gte=since)
    feedback = feedback_of(deployment).filter(received_at__gte=since)
    return Comparison(
        since=since,
        models=[
            _answering(artefact, calls, shadows.filter(answered_by=artefact), feedback.filter(artefact=artefact))
            for artefact in artefacts
        ],
        shadow=None if shadow is None else _shadowing(shadow, shadows, feedback.none()),
        disagreements=disagreements_of(deployment).filter(at__gte=since).count(),
    )


def disagreements_of(deployment: Deployment) -> QuerySet[ShadowCall]:
    """Calls with a kept input that the present shadow answers otherwise than callers were answered."""
    shadows = [each.artefact_id for each in deployment.variants.all() if each.is_shadow]
    rows = ShadowCall.objects.filter(deployment=deployment, artefact__in=shadows, disagreement__gt=AGREES)
    return rows.filter(input_sha256__isnull=False)


def failed_by(artefact: str) -> Q:
    """Calls that a model failed at: another one answered in its place, or none did."""
    return Q(fallback_from=artefact) | Q(artefact=artefact, status__gte=500)


def _answering(
    artefact: str, calls: QuerySet[PredictionLog], shadows: QuerySet[ShadowCall], feedback: QuerySet[CallFeedback]
) -> ComparedModel:
    received = calls.filter(Q(artefact=artefact) | Q(fallback_from=artefact))
    counted = received.aggregate(calls=Count("id"), errors=Count("id", filter=failed_by(artefact)))
    return _model(artefact, counted, calls.filter(artefact=artefact, status__lt=400), shadows, feedback)


def _shadowing(artefact: str, shadows: QuerySet[ShadowCall], feedback: QuerySet[CallFeedback]) -> ComparedModel:
    counted = shadows.aggregate(calls=Count("id"), errors=Count("id", filter=~Q(code="")))
    return _model(artefact, counted, shadows.filter(code=""), shadows, feedback)


def _model(
    artefact: str,
    counted: Mapping[str, int],
    answered: QuerySet[Any],
    shadows: QuerySet[ShadowCall],
    feedback: QuerySet[CallFeedback],
) -> ComparedModel:
    latest = answered.order_by("-id")
    latencies = sorted(latest.values_list("latency_ms", flat=True)[:LATENCIES_LOOKED_AT])
    best = [BestAnswer.of(one) for top in latest.values_list("top", flat=True)[:ANSWERS_LOOKED_AT] for one in top if one]
    compared = shadows.filter(disagreement__isnull=False)
    return ComparedModel(
        artefact=artefact,
        calls=counted["calls"],
        errors=counted["errors"],
        p50_ms=percentile(latencies, 0.5),
        p95_ms=percentile(latencies, 0.95),
        uncertainty=answered.aggregate(mean=Avg("uncertainty"))["mean"],
        labels=_label_fractions(one.label for one in best if one.label is not None),
        median_value=percentile(sorted(one.value for one in best if one.value is not None), 0.5),
        compared=compared.count(),
        agreed=compared.filter(disagreement__lte=AGREES).count(),
        **feedback.aggregate(feedback=Count("id"), loss=Avg("loss")),
    )


def _label_fractions(labels: Iterable[str]) -> list[tuple[str, float]]:
    counts = Counter(labels)
    total = counts.total()
    return [(label, count / total) for label, count in counts.most_common(MOST_LABELS)]
