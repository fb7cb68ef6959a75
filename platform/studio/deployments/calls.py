"""Which calls of a deployment are its traffic: those of the platform's own try-out page are not."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from runtime.ids import RANDOM_BITS, prediction_id
from studio.deployments.models import CallFeedback, Deployment, PredictionLog

INTERNAL_KEY_ID = "studio"
"""Stands in the log for calls from the platform's own try-out page."""
IS_TRY_OUT = Q(key=INTERNAL_KEY_ID)


def is_try_out(key: str) -> bool:
    """Whether a call with this key came from the try-out page."""
    return key == INTERNAL_KEY_ID


def calls_of(deployment: Deployment) -> QuerySet[PredictionLog]:
    """Calls from outside."""
    return PredictionLog.objects.filter(~IS_TRY_OUT, deployment=deployment)


def feedback_of(deployment: Deployment) -> QuerySet[CallFeedback]:
    """Feedback on calls from outside."""
    tried = PredictionLog.objects.filter(IS_TRY_OUT, deployment=deployment)
    return CallFeedback.objects.filter(deployment=deployment).exclude(call__in=tried.values("id"))


def first_call(at: datetime) -> str:
    """The smallest id of a call that began at a time or later."""
    return prediction_id(int(at.timestamp() * 1000) << RANDOM_BITS)
