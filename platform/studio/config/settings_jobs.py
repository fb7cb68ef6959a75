"""Settings of jobs: their limits, Celery's queues, and what the clock starts when."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from kombu.entity import Queue

from studio.common.memory import memory_total_bytes
from studio.config.settings_accounts import ENV

GIB = 2**30

JOB_LEASE_S = 30.0
JOB_HEARTBEAT_S = 5.0
JOB_STALL_S = 180.0
"""A child that writes no event for so long is ended and counts as crashed."""
JOB_STOP_GRACE_S = 30.0
"""From ``control/stop`` to the end by force."""
JOB_RESEND_S = 15.0
"""A queued job that nobody took for so long gets a new message."""
JOB_SILENCE_S = 900.0
"""A job of the platform's own that shows no sign of life for so long is ended; reading the names in an archive shows none."""
JOB_SILENCE_CPU_S = 600.0
"""The same in seconds of processor time, so that what waits for others has longer than what a made file keeps busy."""
JOB_CPU_S = 24 * 3600.0
"""Processor time of one job of the platform's own, whatever it says."""
JOB_MEMORY_BYTES = min(max(memory_total_bytes() // 4, GIB), 4 * GIB)
"""Of one job of the platform's own."""
JOB_PLACES = 4
"""Jobs of the platform's own that one worker runs side by side; its other threads are for the clock's tasks."""
JOB_GATHER_S = 600.0
"""How long a job of several hosts waits until each has a free worker, and then until all have met."""
HOST_NAME = ENV.host_name
HOST_ADDRESS = ENV.host_address
JOB_THREADS = ENV.job_threads
"""None: the share of each job in the cores of its host (``jobs.threads``)."""
NUM_WORKERS = ENV.num_workers
CACHE_BYTES = ENV.cache_bytes
EVENT_KEEP = timedelta(days=1)
COMMENT_KEEP = timedelta(days=30)
"""How long a comment that was taken back can be brought back."""
EVENT_VIEWERS_MAX = 24
"""Each viewer of an event stream holds one thread of the web process."""

CELERY_BROKER_URL = ENV.broker_url
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, "socket_timeout": 10, "socket_connect_timeout": 5}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ALWAYS_EAGER = False
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = "control"
# RabbitMQ closes a channel whose message is not acknowledged in half an hour; a training may take days.
CELERY_TASK_QUEUES = [
    Queue("control"),  # type: ignore[no-untyped-call]  # kombu has no types
    Queue("jobs", queue_arguments={"x-consumer-timeout": 14 * 24 * 3600 * 1000}),  # type: ignore[no-untyped-call]
]
CELERY_BEAT_SCHEDULE_FILENAME = str(ENV.home / "run" / "celerybeat-schedule")
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "jobs.sweep": {"task": "studio.jobs.tasks.jobs_sweep_task", "schedule": 5.0, "options": {"expires": 5.0}},
    "jobs.prune": {"task": "studio.jobs.tasks.workdirs_prune_task", "schedule": 6 * 3600.0, "options": {"expires": 3600.0}},
    "cache.prune": {"task": "studio.jobs.tasks.cache_prune_task", "schedule": 600.0, "options": {"expires": 600.0}},
    "blobs.sweep": {"task": "studio.jobs.tasks.blobs_sweep_task", "schedule": 600.0, "options": {"expires": 600.0}},
    "events.prune": {"task": "studio.common.tasks.events_prune_task", "schedule": 600.0, "options": {"expires": 600.0}},
    "uploads.prune": {"task": "studio.datasets.tasks.uploads_prune_task", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "counts.fold": {"task": "studio.datasets.tasks.counts_fold_task", "schedule": 60.0, "options": {"expires": 60.0}},
    "sign_in.prune": {
        "task": "studio.accounts.tasks.sign_in_failures_prune_task",
        "schedule": 600.0,
        "options": {"expires": 600.0},
    },
    "rates.prune": {"task": "studio.accounts.tasks.rates_prune_task", "schedule": 600.0, "options": {"expires": 600.0}},
    "keys.expire": {"task": "studio.accounts.tasks.keys_expire_task", "schedule": 60.0, "options": {"expires": 60.0}},
    "audit.seal": {"task": "studio.accounts.tasks.audit_seal_task", "schedule": 60.0, "options": {"expires": 60.0}},
    "notices.mail": {"task": "studio.accounts.tasks.notices_mail_task", "schedule": 60.0, "options": {"expires": 60.0}},
    "notices.prune": {
        "task": "studio.accounts.tasks.notices_prune_task",
        "schedule": 6 * 3600.0,
        "options": {"expires": 3600.0},
    },
    "audit.prune": {"task": "studio.accounts.tasks.audit_prune_task", "schedule": 6 * 3600.0, "options": {"expires": 3600.0}},
    "embeddings.sweep": {
        "task": "studio.datasets.tasks.embeddings_sweep_task",
        "schedule": 3.0,
        "options": {"expires": 3.0},
    },
    "heads.sweep": {
        "task": "labeling.assist.tasks.heads_sweep_task",
        "schedule": 5.0,
        "options": {"expires": 5.0},
    },
    "predictions.collect": {
        "task": "studio.deployments.tasks.log_collect_task",
        "schedule": 2.0,
        "options": {"expires": 5.0},
    },
    "predictions.prune": {
        "task": "studio.deployments.tasks.log_prune_task",
        "schedule": 3600.0,
        "options": {"expires": 3600.0},
    },
    "rollouts.advance": {
        "task": "studio.deployments.tasks.rollouts_advance_task",
        "schedule": 5.0,
        "options": {"expires": 5.0},
    },
    "alerts.judge": {
        "task": "studio.deployments.tasks.alerts_judge_task",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "alerts.judge_slow": {
        "task": "studio.deployments.tasks.alerts_judge_task",
        "kwargs": {"is_slow": True},
        "schedule": 3600.0,
        "options": {"expires": 3600.0},
    },
    "retraining.advance": {
        "task": "studio.deployments.tasks.retraining_advance_task",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "retraining.judge": {
        "task": "studio.deployments.tasks.retraining_judge_task",
        "schedule": 3600.0,
        "options": {"expires": 3600.0},
    },
    "alerts.send": {
        "task": "studio.deployments.tasks.alerts_send_task",
        "schedule": 15.0,
        "options": {"expires": 15.0},
    },
    "comments.prune": {
        "task": "labeling.comments.tasks.comments_prune_task",
        "schedule": 6 * 3600.0,
        "options": {"expires": 3600.0},
    },
    "serving.rebuild": {
        "task": "studio.deployments.tasks.serving_rebuild_task",
        "schedule": 15.0,
        "options": {"expires": 15.0},
    },
}
