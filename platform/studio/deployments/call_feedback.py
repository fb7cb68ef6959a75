"""Feedback of callers: the true label or number, joined to the answer by the call's id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from studio.deployments.drift import BestAnswer
from studio.deployments.errors import FeedbackUnfitError
from studio.deployments.models import CallFeedback, Deployment, PredictionLog


@dataclass(frozen=True)
class CallTruth:
    """What turned out to be true of an item of a call: a label, or a number."""

    call: str
    place: int
    label: str | None
    value: float | None


def call_feedback_take(*, deployment: Deployment, truths: Sequence[CallTruth]) -> list[str]:
    """Keeps what is true of answered calls; later feedback on the same call replaces it.

    Returns:
        Calls that are not in the deployment's log.

    Raises:
        FeedbackUnfitError: a label came for a number or a number for a label, or the call had no such item. Nothing is kept.
    """
    ids = {truth.call for truth in truths}
    calls = PredictionLog.objects.filter(deployment=deployment, id__in=ids, status__lt=400).in_bulk()
    now = timezone.now()
    rows = {
        (truth.call, truth.place): CallFeedback(
            deployment=deployment,
            call=truth.call,
            place=truth.place,
            received_at=now,
            artefact=call.fallback_from or call.artefact,
            is_pinned=call.is_pinned,
            truth={"label": truth.label} if truth.value is None else {"value": truth.value},
            loss=_loss(call, truth),
        )
        for truth in truths
        if (call := calls.get(truth.call)) is not None
    }
    CallFeedback.objects.bulk_create(
        rows.values(), update_conflicts=True, unique_fields=["call", "place"], update_fields=["truth", "loss"]
    )
    return sorted(ids - set(calls))


def _loss(call: PredictionLog, truth: CallTruth) -> float:
    if (truth.label is None) == (truth.value is None):
        raise FeedbackUnfitError(call=truth.call, detail="give either a label or a value.")
    if truth.place >= len(call.top):
        raise FeedbackUnfitError(call=truth.call, detail=f"the call had {len(call.top)} items.")
    best = BestAnswer.of(call.top[truth.place])
    if (best.value is None) == (truth.label is None):
        raise FeedbackUnfitError(call=truth.call, detail="the answer is of the other kind.")
    if call.fallback_from:  # the chosen model had no answer
        return 1.0
    if best.value is None or truth.value is None:
        return float(best.label != truth.label)
    largest = max(abs(best.value), abs(truth.value))
    return min(1.0, abs(best.value - truth.value) / largest) if largest else 0.0
