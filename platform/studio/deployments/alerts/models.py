"""Tables of alerts: what a deployment is watched for, what was found, and what was sent about it."""

from __future__ import annotations

from django.db import models

from studio.common.models import ID_LENGTH, Base


class AlertRules(models.Model):
    """Which conditions of a deployment are watched, and where alerts go. A deployment without a row is not watched."""

    deployment = models.OneToOneField(
        "deployments.Deployment", on_delete=models.CASCADE, primary_key=True, related_name="alert_rules"
    )
    webhook_url = models.CharField(max_length=2000, blank=True, default="")
    secret_sealed = models.TextField(blank=True, default="")
    """What webhooks are signed with, encrypted; empty as long as there never was a webhook."""
    emails = models.JSONField(default=list)
    conditions = models.JSONField(default=dict)
    """``{name: {is_on, limit, since}}``; a condition that is absent has its defaults. ``since`` is when it was switched on."""


class Alert(Base):
    """A condition that held from one time to another, or something that happened once."""

    ID_PREFIX = "alr"

    deployment = models.ForeignKey("deployments.Deployment", on_delete=models.CASCADE, related_name="+")
    condition = models.CharField(max_length=64)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    """None: it still holds. What happened once ended when it began."""
    figures = models.JSONField(default=dict)
    """What was found when it began."""
    end_figures = models.JSONField(null=True)
    """What was found when it ended; None where nobody looked: the condition was switched off."""
    subject = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """What happened once is reported once: the id of it. Empty of a condition that holds for a while."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["deployment", "condition"], condition=models.Q(ended_at__isnull=True), name="alert_one_standing"
            ),
            models.UniqueConstraint(
                fields=["deployment", "condition", "subject"], condition=~models.Q(subject=""), name="alert_told_once"
            ),
        ]
        indexes = [models.Index(fields=["deployment", "id"], name="alert_deployment")]


class AlertEvent(models.TextChoices):
    """What a message is about."""

    BEGAN = "began"
    ENDED = "ended"
    HAPPENED = "happened"


class Channel(models.TextChoices):
    """How a message is sent."""

    WEBHOOK = "webhook"
    MAIL = "mail"


class DeliveryState(models.TextChoices):
    """How far a message is."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    """Given up."""


class AlertDelivery(Base):
    """A message about an alert to one receiver; its id is the same in each attempt."""

    ID_PREFIX = "dlv"

    alert = models.ForeignKey(Alert, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=16, choices=AlertEvent.choices)
    channel = models.CharField(max_length=16, choices=Channel.choices)
    target = models.CharField(max_length=320)
    """The mail address, or the host of the webhook."""
    state = models.CharField(max_length=16, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField()
    """When it is due; while it is being sent, when it is due again if the process is cut."""
    sent_at = models.DateTimeField(null=True)
    """Of the latest attempt."""
    status = models.PositiveSmallIntegerField(null=True)
    """HTTP status of the latest answer; None where there was none."""
    code = models.CharField(max_length=64, blank=True, default="")
    """Why the latest attempt failed: a key of ``failed.`` in the words."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["alert", "event", "channel", "target"], name="alert_delivery_once")]
        indexes = [
            models.Index(fields=["next_at"], name="alert_delivery_due", condition=models.Q(state="waiting")),
        ]
