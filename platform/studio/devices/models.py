"""Tables of devices: how they join, what they serve and report, and what was measured on them."""

from __future__ import annotations

from django.db import models

from studio.common.models import ID_LENGTH, Base

NAME_LENGTH = 120
KEY_LENGTH = 64


class JoinCode(Base):
    """Lets one device into a project, once and soon. Only the hash of the code is kept."""

    ID_PREFIX = "jnc"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    secret_sha256 = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    created_by = models.CharField(max_length=ID_LENGTH)


class Device(Base):
    """A machine that serves a project's model by itself. Only the hash of its key is kept; without this row it is worthless."""

    ID_PREFIX = "dvc"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=NAME_LENGTH)
    secret_sha256 = models.CharField(max_length=64, unique=True)
    facts = models.JSONField(default=dict)
    """What it says of itself when it joins: system, processor, Python."""
    created_by = models.CharField(max_length=ID_LENGTH)
    """Who made the code by which it joined."""
    assigned = models.ForeignKey("deployments.Export", null=True, on_delete=models.SET_NULL, related_name="+")
    """The model update that it is to install; None leaves it with what it has."""
    attempt = models.PositiveIntegerField(default=0)
    """Grows with every assignment: a device tries each once."""
    allows_other_labels = models.BooleanField(default=False)
    sends_inputs = models.BooleanField(default=False)
    """Whether inputs that its model is unsure of come back for labelling."""

    last_seen_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=16, blank=True, default="")
    """As it says: ``starting``, ``serving``, ``updating`` or ``failed``."""
    model = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """What answers there now: the id of an artefact."""
    attached = models.JSONField(null=True, blank=True)
    """The state of each kind of things that go with the model, of the kinds that its bundle can tell (``runtime.attachments``);
    None until it has said."""
    version = models.PositiveIntegerField(default=1)
    """Of what its agent says and understands."""
    backend = models.CharField(max_length=40, blank=True, default="")
    memory_mib = models.FloatField(null=True)
    num_restarts = models.PositiveIntegerField(default=0)
    """Of the server, since the agent started."""
    num_waiting = models.PositiveIntegerField(default=0)
    num_dropped = models.JSONField(default=dict)
    """What its disk had no place for, by kind."""
    error = models.JSONField(null=True)
    """Code and detail, when the newest assignment was given up."""

    class Meta:
        indexes = [models.Index(fields=["project", "id"], name="device_project")]

    @property
    def gallery(self) -> str | None:
        """Id of the gallery with whose names it answers; None with the model's own answers."""
        return ((self.attached or {}).get("gallery") or {}).get("id")


class DeviceUsage(models.Model):
    """Calls that a device answered within a while."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="usage")
    key = models.CharField(max_length=KEY_LENGTH)
    """The device's own, so that what is sent twice counts once."""
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    model = models.CharField(max_length=ID_LENGTH)
    num_calls = models.PositiveIntegerField()
    num_failed = models.PositiveIntegerField()
    p50_ms = models.FloatField(null=True)
    p95_ms = models.FloatField(null=True)
    p99_ms = models.FloatField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["device", "key"], name="device_usage_once")]
        indexes = [models.Index(fields=["device", "ends_at"], name="device_usage_time")]


class DeviceRolloutState(models.TextChoices):
    """The state of a rollout to a project's devices."""

    FIRST = "first"
    """One device tries the model; the others wait."""
    EVERYWHERE = "everywhere"
    """All have the assignment."""
    FAILED = "failed"
    """The first one gave it up, or it could not be built; the others keep what they have."""
    STOPPED = "stopped"


class DeviceRollout(Base):
    """A model for all devices of a project, at once or after one of them has shown that it runs."""

    ID_PREFIX = "dro"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    artefact = models.ForeignKey("registry.Artefact", on_delete=models.CASCADE, related_name="+")
    first = models.ForeignKey(Device, null=True, on_delete=models.SET_NULL, related_name="+")
    update = models.ForeignKey("deployments.Export", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    """What the devices install, with the gallery that may be in it; None of an older rollout: an update of the model alone."""
    allows_other_labels = models.BooleanField(default=False)
    state = models.CharField(max_length=16, choices=DeviceRolloutState.choices)
    created_by = models.CharField(max_length=ID_LENGTH)

    class Meta:
        indexes = [models.Index(fields=["project", "id"], name="device_rollout_project")]


class Measurement(Base):
    """What a model took on a certain machine."""

    ID_PREFIX = "mea"

    artefact = models.ForeignKey("registry.Artefact", on_delete=models.CASCADE, related_name="+")
    device_name = models.CharField(max_length=NAME_LENGTH)
    backend = models.CharField(max_length=40)
    environment = models.CharField(max_length=200)
    num_runs = models.PositiveIntegerField()
    p50_ms = models.FloatField()
    p95_ms = models.FloatField()
    p99_ms = models.FloatField()
    per_second = models.FloatField()
    memory_mib = models.FloatField(null=True)
    created_by = models.CharField(max_length=ID_LENGTH)
    """Id of the person, the key or the device that sent it."""

    class Meta:
        indexes = [models.Index(fields=["artefact", "id"], name="measurement_artefact")]
