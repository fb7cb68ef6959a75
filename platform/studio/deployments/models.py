"""Tables of delivery: deployments, exports, what was predicted, and how far its logs have been read."""

from __future__ import annotations

from django.db import models

from studio.common.blob_fields import BlobField
from studio.common.models import ID_LENGTH, Base, IdField
from studio.deployments.alerts.models import Alert, AlertDelivery, AlertRules
from studio.deployments.retraining.models import Retraining, RetrainRule

__all__ = [
    "Alert",
    "AlertDelivery",
    "AlertRules",
    "CallCount",
    "CallFeedback",
    "Deployment",
    "DesiredState",
    "Export",
    "KeepInputs",
    "LogOffset",
    "Measure",
    "PredictionLog",
    "RetrainRule",
    "Retraining",
    "Rollout",
    "RolloutState",
    "ShadowCall",
    "Variant",
]


class DesiredState(models.TextChoices):
    """The state that a person chose for a deployment. The prediction server reports the state it is in."""

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
    """Its first model: it answers the calls that no variant has a share of."""
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=64)
    desired = models.CharField(max_length=16, choices=DesiredState.choices, default=DesiredState.RUNNING)
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


class Variant(models.Model):
    """A further model of a deployment: it answers a share of the calls, or is the shadow."""

    deployment = models.ForeignKey(Deployment, on_delete=models.CASCADE, related_name="variants")
    artefact = models.ForeignKey("registry.Artefact", on_delete=models.PROTECT, related_name="+")
    share = models.PositiveSmallIntegerField(default=0)
    """Percent of the calls."""
    is_shadow = models.BooleanField(default=False)
    """Asked after callers have their answers; it answers nobody."""

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["deployment", "artefact"], name="variant_once"),
            models.UniqueConstraint(fields=["deployment"], condition=models.Q(is_shadow=True), name="variant_one_shadow"),
            models.CheckConstraint(
                condition=models.Q(is_shadow=False, share__lte=100) | models.Q(is_shadow=True, share=0), name="variant_share"
            ),
        ]


class Export(Base):
    """An artefact built for a target. Its state is its job's."""

    ID_PREFIX = "exp"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    artefact = models.ForeignKey("registry.Artefact", on_delete=models.PROTECT, related_name="+")
    target = models.CharField(max_length=64)
    options = models.JSONField(default=dict)
    gallery = models.JSONField(null=True)
    """Id, name and revision of the gallery with whose names the product answers; of an older build without the revision."""
    attached = models.JSONField(default=dict, blank=True)
    """The state of each kind of things that go with the model (``runtime.attachments``); older builds tell fewer."""
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
    is_pinned = models.BooleanField(default=False)
    """Whether the caller named the model."""
    fallback_from = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """The model that was chosen and failed before ``artefact`` answered; empty: none."""
    fallback_code = models.CharField(max_length=64, blank=True, default="")
    """Of its error."""
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
    facts = models.JSONField(null=True)
    """Where the facts of the first item fall: numbers of bins in the order of the model's ``reference.json``; None of calls
    of which none were taken."""

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
            models.Index(fields=["deployment", "id"], name="prediction_facts", condition=models.Q(facts__isnull=False)),
        ]


class ShadowCall(models.Model):
    """What a deployment's shadow predicted for a call that was answered. The id is the call's."""

    id = IdField(primary_key=True, editable=False)
    deployment = models.ForeignKey(Deployment, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    artefact = models.CharField(max_length=ID_LENGTH)
    """The shadow."""
    answered_by = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """The model that it is compared with."""
    code = models.CharField(max_length=64, blank=True, default="")
    """Of its error; empty where it answered."""
    latency_ms = models.FloatField()
    top = models.JSONField(default=list)
    """As in ``PredictionLog``."""
    uncertainty = models.FloatField(null=True)
    disagreement = models.FloatField(null=True)
    """The largest of any item of the call, 0..1; None where it failed."""
    place = models.PositiveIntegerField(default=0)
    """Of that item in the call."""
    held = models.JSONField(null=True)
    """Annotations with scores: what the model that answered held to be on the kept input."""
    input_sha256 = models.CharField(max_length=64, null=True)
    """That item below ``serving/inputs``, where the two disagree and the deployment keeps inputs."""

    class Meta:
        indexes = [
            models.Index(fields=["deployment", "artefact", "at"], name="shadow_call_at"),
            models.Index(fields=["input_sha256"], name="shadow_call_input", condition=models.Q(input_sha256__isnull=False)),
        ]


class CallFeedback(models.Model):
    """What turned out to be true of an answered call, by the caller's word."""

    deployment = models.ForeignKey(Deployment, on_delete=models.CASCADE, related_name="+")
    call = models.CharField(max_length=ID_LENGTH)
    """Id of the ``PredictionLog``."""
    place = models.PositiveSmallIntegerField(default=0)
    """Of the item in the call."""
    received_at = models.DateTimeField()
    artefact = models.CharField(max_length=ID_LENGTH)
    """The model that was chosen for the call."""
    is_pinned = models.BooleanField(default=False)
    truth = models.JSONField()
    """``{label}`` or ``{value}``."""
    loss = models.FloatField()
    """How wrong the model was, 0..1: 0 or 1 of a label, the distance as a fraction of the larger one of a number."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["call", "place"], name="call_feedback_once")]
        indexes = [models.Index(fields=["deployment", "received_at"], name="call_feedback_at")]


class RolloutState(models.TextChoices):
    """How a rollout is or how it ended."""

    RUNNING = "running"
    PROMOTED = "promoted"
    ROLLED_BACK = "rolled_back"
    STOPPED = "stopped"


class Measure(models.TextChoices):
    """What a rollout judges models by."""

    FEEDBACK = "feedback"
    """How wrong they were, by what callers report of their calls."""
    ERRORS = "errors"
    """Calls that they fail at."""


class Rollout(Base):
    """A candidate that takes over the calls of a deployment step by step, unless it proves worse."""

    ID_PREFIX = "rol"

    deployment = models.ForeignKey(Deployment, on_delete=models.CASCADE, related_name="+")
    baseline = models.ForeignKey("registry.Artefact", on_delete=models.PROTECT, related_name="+")
    """The model before it."""
    candidate = models.ForeignKey("registry.Artefact", on_delete=models.PROTECT, related_name="+")
    measure = models.CharField(max_length=16, choices=Measure.choices)
    margin = models.FloatField(default=0.0)
    """By how much the candidate may be worse and is promoted all the same, 0..1."""
    steps = models.JSONField()
    """Percent of the calls that the candidate gets, one after the other."""
    step_minutes = models.PositiveIntegerField()
    """How long each step but the last one lasts at least."""
    step = models.PositiveSmallIntegerField(default=0)
    """Place in ``steps``."""
    step_at = models.DateTimeField()
    """When it began."""
    evidence = models.JSONField(default=dict)
    """``sequential.Evidence``."""
    calls = models.JSONField(default=dict)
    """What was taken into account: ``{baseline: [number, sum of losses], candidate: ...}``."""
    judged_until = models.DateTimeField()
    """What became known until then is in ``evidence``."""
    state = models.CharField(max_length=16, choices=RolloutState.choices, default=RolloutState.RUNNING)
    history = models.JSONField(default=list)
    """``[{at, state, share}]``: each step and the end."""
    created_by = models.CharField(max_length=ID_LENGTH)
    ended_by = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """A person, or the platform itself."""
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deployment"], condition=models.Q(state="running"), name="rollout_one_running")
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
