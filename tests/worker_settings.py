"""Settings of worker processes that tests start: the platform's own, with the probe jobs and short times."""

from __future__ import annotations

from studio.config.settings import *  # noqa: F403
from studio.config.settings import CELERY_BEAT_SCHEDULE, INSTALLED_APPS, REPOSITORY_DIR

INSTALLED_APPS = [*INSTALLED_APPS, "tests.studio.probe_app.ProbeConfig"]
REPOSITORY_DIR = REPOSITORY_DIR / "tests" / "studio" / "fake_engine"
JOB_MEMORY_BYTES = 512 * 2**20
JOB_SILENCE_CPU_S = 3.0
JOB_LEASE_S = 2.0
JOB_HEARTBEAT_S = 0.3
JOB_RESEND_S = 2.0
CELERY_BEAT_SCHEDULE = {"jobs.sweep": {**CELERY_BEAT_SCHEDULE["jobs.sweep"], "schedule": 0.5}}
