"""A job: the row is the truth; brokers and processes only help to get it done."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from automl.contracts.job import JobState
from studio.common.models import ID_LENGTH, Base

STATE_CHOICES = [(state.value, state.value) for state in JobState]


class Job(Base):
    """Something that runs in the background. ``states.job_move`` alone writes ``state``."""

    ID_PREFIX = "job"

    workspace = models.ForeignKey("accounts.Workspace", on_delete=models.CASCADE, related_name="+")
    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=32)
    """A key of ``handlers.job_kinds()``."""
    title = models.JSONField()
    """``automl.contracts.base.Text``."""
    subject = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """Id of what the job is about."""
    payload = models.JSONField(default=dict)
    idempotency_key = models.CharField(max_length=200, unique=True)

    state = models.CharField(max_length=16, choices=STATE_CHOICES, default=JobState.QUEUED.value)
    stage = models.CharField(max_length=64, blank=True, default="")
    progress_fraction = models.FloatField(default=0.0)
    remaining_s = models.FloatField(null=True)
    error = models.JSONField(null=True)
    """``{code, message, hint, items}`` of a failed job."""
    warnings = models.JSONField(default=list)
    """``[{code, message}]``."""
    metrics = models.JSONField(default=dict)
    """What a finished engine job measured."""
    cpu_s = models.FloatField(null=True)
    """Processor time of the attempt that ended well, all cores together; of engine jobs."""

    attempt = models.PositiveIntegerField(default=0)
    max_attempts = models.PositiveIntegerField(default=3)
    batch_parts = models.PositiveSmallIntegerField(default=1)
    """In how many parts the next attempt learns each batch; twice as many after one that had no memory left."""
    num_threads = models.PositiveSmallIntegerField(null=True)
    """Of each of its processes, in every attempt; None before the first, and where the configuration gives a number."""
    lease_owner = models.CharField(max_length=120, blank=True, default="")
    lease_until = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    queued_at = models.DateTimeField(default=timezone.now)
    """When the job last began to wait."""
    sent_at = models.DateTimeField(null=True)
    """When the last message about this row was sent."""
    stop_requested = models.CharField(max_length=16, blank=True, default="")
    """A ``StopReason`` that somebody asked for."""
    is_paused = models.BooleanField(default=False)
    """No worker takes the job; a process that works on it is ended and the job waits, to go on from its last checkpoint."""
    events_offset = models.BigIntegerField(default=0)
    """Bytes of ``events.jsonl`` that have become rows."""

    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    end_claimed_until = models.DateTimeField(null=True)
    """A process is calling the handler of the ended job."""
    end_handled_at = models.DateTimeField(null=True)
    """The handler knows that the job ended."""

    class Meta:
        indexes = [
            models.Index(fields=["project", "id"], name="job_project"),
            models.Index(fields=["workspace", "id"], name="job_workspace"),
            models.Index(fields=["state", "lease_until"], name="job_state_lease"),
            models.Index(fields=["ended_at"], condition=models.Q(end_handled_at__isnull=True), name="job_end_unhandled"),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=[state.value for state in JobState]), name="job_state_known"),
        ]


class WorkerHost(models.Model):
    """A host whose workers run engine jobs; it says so every few seconds (``hosts``)."""

    name = models.CharField(max_length=80, primary_key=True)
    address = models.CharField(max_length=255)
    """At which the other hosts reach it."""
    seen_at = models.DateTimeField()


class JobPart(models.Model):
    """A place for one more host in a job that several hosts do together; gone when the job has ended or tries again."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="parts")
    run_id = models.CharField(max_length=ID_LENGTH)
    """Of the try that it belongs to."""
    num_hosts = models.PositiveSmallIntegerField(null=True)
    """Of the job, once all are found; None while they are waited for."""
    meeting = models.CharField(max_length=270)
    """``address:port`` on the host that holds the job."""
    host = models.CharField(max_length=80, blank=True, default="")
    """Name of the host that took it; empty while it is open."""
    seen_at = models.DateTimeField(null=True)
    """The host's last sign of life."""
    ended_at = models.DateTimeField(null=True)
    error = models.JSONField(null=True)
    """``{code, message, hint, items, is_retryable}`` of one that ended badly."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "host"], condition=~models.Q(host=""), name="job_part_host_once"),
        ]
