"""What the endpoints of alerts take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from automl.contracts.base import Text
from studio.deployments.alerts.models import AlertEvent, Channel, DeliveryState


class AlertChoiceIn(Schema):
    """Whether a condition is watched."""

    condition: Annotated[str, Field(max_length=64)]
    is_on: bool
    limit: float | None = None
    """Null takes the default; conditions without a limit pass over it."""


class AlertSettingsIn(Schema):
    """What is watched, and where alerts go. What is left out stays as it is."""

    webhook_url: Annotated[str, Field(max_length=2000)] | None = None
    """Empty for none."""
    emails: Annotated[list[Annotated[str, Field(max_length=254)]], Field(max_length=100)] | None = None
    """Empty for none; others only where the platform sends mail."""
    conditions: list[AlertChoiceIn] = Field(default_factory=list, max_length=100)
    """Those that are not named stay as they are."""


class AlertLimitOut(Schema):
    """The number of a condition that people choose."""

    value: float
    least: float
    most: float
    label: Text
    """Which side of the number is bad, and its unit."""


class AlertConditionOut(Schema):
    """A condition that can be watched."""

    condition: str
    title: Text
    is_on: bool
    limit: AlertLimitOut | None


class AlertSettingsOut(Schema):
    """What is watched, and where alerts go."""

    is_saved: bool
    """False: nothing is watched yet, and these are the defaults."""
    webhook_url: str
    emails: list[str]
    has_mail: bool
    """Whether the platform sends mail."""
    conditions: list[AlertConditionOut]


class AlertSettingsSavedOut(AlertSettingsOut):
    """The same, and the secret where it was made just now."""

    secret: str | None
    """What webhooks are signed with; shown this once."""


class AlertSecretOut(Schema):
    """A new secret."""

    secret: str
    """Shown this once."""


class AlertTestedOut(Schema):
    """How a test went at one receiver."""

    channel: Channel
    target: str
    """The mail address, or the host of the webhook."""
    is_delivered: bool
    status: int | None
    """Of the HTTP answer."""
    took_ms: float
    code: str
    """Why nothing was delivered; empty where it was."""
    reason: Text | None
    """The same in words, with the remedy."""


class AlertDeliveryOut(Schema):
    """A message about an alert to one receiver."""

    id: str
    event: AlertEvent
    channel: Channel
    target: str
    """The mail address, or the host of the webhook."""
    state: DeliveryState
    attempts: int
    sent_at: datetime | None
    """Of the latest attempt."""
    next_at: datetime | None
    """Of the next attempt."""
    status: int | None
    """HTTP status of the latest answer."""
    code: str
    """Why the latest attempt failed."""
    reason: Text | None
    """The same in words, with the remedy."""


class AlertOut(Schema):
    """A condition that held from one time to another, or something that happened once."""

    id: str
    condition: str
    title: Text
    began_at: datetime
    ended_at: datetime | None
    """Null: it still holds. What happened once ended when it began."""
    message: Text | None
    """What was found when it began."""
    end_message: Text | None
    """What was found when it ended."""
    deliveries: list[AlertDeliveryOut]


class AlertStateOut(Schema):
    """What is the case now."""

    num_watched: int
    """Conditions that are switched on."""
    standing: list[AlertOut]
    """Those that hold."""
