"""Tables of the retrain rule: what starts a training, and what came of it."""

from __future__ import annotations

from django.db import models

from studio.common.models import Base


class RetrainRule(models.Model):
    """When a deployment's model is trained again. A deployment without a row never is."""

    deployment = models.OneToOneField(
        "deployments.Deployment", on_delete=models.CASCADE, primary_key=True, related_name="retrain_rule"
    )
    reasons = models.JSONField(default=dict)
    """``{name: {is_on, limit}}``; what is absent is off."""
    starts_rollout = models.BooleanField(default=False)
    """Whether the new model begins a rollout by itself; otherwise a person starts it."""
    holds_since = models.JSONField(default=dict)
    """``{name: time}`` of reasons that hold now."""
    blocked = models.JSONField(null=True)
    """``{reason, code, at}``: why a training that is due could not be started; None where none is due."""


class RetrainingState(models.TextChoices):
    """How far a training is."""

    TRAINING = "training"
    OFFERED = "offered"
    """The new model may be tried against the one in service."""
    FAILED = "failed"


class Retraining(Base):
    """A training that the rule started."""

    ID_PREFIX = "rtr"

    deployment = models.ForeignKey("deployments.Deployment", on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=64)
    figures = models.JSONField(default=dict)
    """What was found when it began."""
    version = models.ForeignKey("datasets.DatasetVersion", on_delete=models.CASCADE, related_name="+")
    study = models.ForeignKey("studies.Study", null=True, on_delete=models.SET_NULL, related_name="+")
    artefact = models.ForeignKey("registry.Artefact", null=True, on_delete=models.SET_NULL, related_name="+")
    """What the study ships."""
    state = models.CharField(max_length=16, choices=RetrainingState.choices, default=RetrainingState.TRAINING)
    code = models.CharField(max_length=64, blank=True, default="")
    """Why it failed, or why no rollout was started; empty where nothing went wrong."""
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["deployment", "id"], name="retraining_deployment")]
        constraints = [
            models.UniqueConstraint(fields=["deployment"], condition=models.Q(state="training"), name="retraining_one_running")
        ]
