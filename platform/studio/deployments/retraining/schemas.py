"""What the endpoints of the retrain rule take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from automl.contracts.base import Text
from studio.deployments.models import RolloutState
from studio.deployments.retraining.models import RetrainingState


class RetrainChoiceIn(Schema):
    """Whether a reason starts a training."""

    reason: Annotated[str, Field(max_length=64)]
    is_on: bool
    limit: float | None = None
    """Null takes the default."""


class RetrainRuleIn(Schema):
    """When to train again, and what becomes of the model."""

    reasons: list[RetrainChoiceIn] = Field(default_factory=list, max_length=100)
    """Those that are not named stay as they are."""
    starts_rollout: bool = False
    """Whether the new model begins a rollout by itself, where callers give feedback; a sequential test then promotes it or
    rolls it back."""


class RetrainLimitOut(Schema):
    """The number of a reason that people choose."""

    value: float
    least: float
    most: float
    label: Text


class RetrainReasonOut(Schema):
    """Something that a training can be started for."""

    reason: str
    title: Text
    is_on: bool
    limit: RetrainLimitOut
    holds_since: datetime | None
    """Null where it does not hold, or has not been checked yet."""


class RetrainBlockedOut(Schema):
    """Why a training that is due could not be started."""

    reason: str
    code: str
    """Of the refusal; ``nothing_new``: no label has changed since the last version that was trained on."""
    at: datetime
    """Since when."""


class RetrainingOut(Schema):
    """A training that the rule started."""

    id: str
    created_at: datetime
    ended_at: datetime | None
    reason: str
    title: Text
    message: Text
    """What was found when it began."""
    state: RetrainingState
    code: str
    """Why it failed, or why no rollout was started; empty where nothing went wrong."""
    version: str
    version_number: int
    study: str | None
    artefact: str | None
    """The new model."""
    rollout: RolloutState | None
    """Of the latest rollout of the new model here; null where there was none."""


class RetrainOut(Schema):
    """The rule of a deployment and what it started, newest first."""

    starts_rollout: bool
    reasons: list[RetrainReasonOut]
    blocked: RetrainBlockedOut | None
    trainings: list[RetrainingOut]
    """At most twenty."""
