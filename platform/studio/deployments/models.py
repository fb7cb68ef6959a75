"""Tables of delivery: deployments, exports, what was predicted, and how far its logs have been read."""

from __future__ import annotations

from django.db import models

from studio.common.blob_fields import BlobField
from studio.common.models import ID_LENGTH, Base, IdField


class WantedState(models.TextChoices):
    """What a person wants of a deployment; what is the case, the prediction server says."""

    RUNNING = "running"
    STOPPED = "stopped"


class KeepInputs(models.TextChoices):
    """Which inputs of calls are kept for later labelling."""

    NONE = "none"
    UNCERTAIN = "uncertain"
    ALL = "all"


class Deployment(Base):
    """An artefact behind a published address."""

    ID_PREFIX = "dep"

    workspace = models.ForeignKey("accounts.Workspace", on_delete=models.CASCADE, related_name="+")
    """The project's; here because the slug is unique in it."""
    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    artefact = models.ForeignKey("registry.Artefact", on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=64)
    wanted = models.CharField(max_length=16, choices=WantedState.choices, default=WantedState.RUNNING)
    thresholds = models.JSONField(default=dict)
    """Score by label from which an answer counts; what is absent takes the artefact's."""
    keep_inputs = models.CharField(max_length=16, choices=KeepInputs.choices, default=KeepInputs.NONE)
    min_uncertainty = models.FloatField(default=0.5)
    """From which uncertainty, 0..1, ``uncertain`` keeps an input."""
    retention_days = models.PositiveIntegerField(default=30)
    """Log rows and kept inputs are deleted after this."""
    created_by = models.CharField(max_length=ID_LENGTH)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "slug"], name="deployment_slug_once")]
        indexes = [models.Index(fields=["project", "id"], name="deployment_project")]


class Export(Base):
    """An artefact built for a target. Its state is its job's."""

    ID_PREFIX = "exp"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    artefact = models.ForeignKey("registry.Artefact", on_delete=models.PROTECT, related_name="+")
    target = models.CharField(max_length=64)
    options = models.JSONField(default=dict)
    job = models.ForeignKey("jobs.Job", null=True, on_delete=models.SET_NULL, related_name="+")
    report = models.JSONField(null=True)
    """``automl.contracts.target.BuildReport`` of a finished build."""
    blob = BlobField(blank=True, default="")
    """SHA-256 of the file to hand out."""
    created_by = models.CharField(max_length=ID_LENGTH)

    class Meta:
        indexes = [models.Index(fields=["artefact", "id"], name="export_artefact")]


class PredictionLog(models.Model):
    """One call of a deployment. The id is the prediction server's, so that a line read twice is one row."""

    id = IdField(primary_key=True, editable=False)
    deployment = models.ForeignKey(Deployment, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    artefact = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """Which model answered; a deployment may change its model."""
    key = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    status = models.PositiveSmallIntegerField()
    """Of the HTTP answer."""
    code = models.CharField(max_length=64, blank=True, default="")
    """Of the refusal; empty where there was an answer."""
    latency_ms = models.FloatField()
    num_pictures = models.PositiveIntegerField()
    top = models.JSONField(default=list)
    """``[{label, score}]``, the best answer of each item, or ``[{value}]``; at most the first 64."""
    uncertainty = models.FloatField(null=True)
    """0 is sure, 1 is a guess; None when nothing was answered, and where numbers are predicted."""
    held = models.JSONField(null=True)
    """Annotations with scores: what the model held to be on the kept picture."""
    input_sha256 = models.CharField(max_length=64, null=True)
    """The kept picture below ``serving/inputs``."""

    class Meta:
        indexes = [
            models.Index(fields=["deployment", "id"], name="prediction_deployment"),
            models.Index(fields=["deployment", "at"], name="prediction_deployment_at"),
            models.Index(
                fields=["deployment", "uncertainty"],
                name="prediction_uncertain",
                condition=models.Q(input_sha256__isnull=False),
            ),
            models.Index(fields=["input_sha256"], name="prediction_input", condition=models.Q(input_sha256__isnull=False)),
        ]


class CallCount(models.Model):
    """Answered calls of a workspace's deployments on a day in UTC, as its quota counts them."""

    workspace = models.ForeignKey("accounts.Workspace", on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    calls = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "day"], name="call_count_once")]


class LogOffset(models.Model):
    """How far a file of the prediction server's log has become rows."""

    path = models.CharField(max_length=255, unique=True)
    """Relative to ``serving/log``."""
    offset_bytes = models.BigIntegerField(default=0)
