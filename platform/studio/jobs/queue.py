"""Sends messages to the workers: by the name of a task, so that nobody who sends imports what a worker runs."""

from __future__ import annotations

import logging

from celery import current_app
from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError

from automl.contracts.job import JobState
from studio.jobs.handlers import executor_of
from studio.jobs.models import Job

QUEUES = {"engine": "jobs", "platform": "control"}
RUN_TASK = "studio.jobs.tasks.job_run_task"
END_TASK = "studio.jobs.tasks.job_end_task"

_log = logging.getLogger(__name__)


def task_send(name: str, subject: str, *, queue: str = "control") -> bool:
    """Sends a task about something.

    Args:
        name: dotted path of the task.
        subject: id that the task takes.
        queue: of the workers that run it.

    Returns:
        Whether the broker took the message; where it did not, a sweep does the work later.
    """
    try:
        if settings.CELERY_TASK_ALWAYS_EAGER:  # which is a matter of tasks: sending by name alone passes it over
            import_string(name).apply_async((subject,), queue=queue, retry=False)
        else:
            current_app.send_task(name, (subject,), queue=queue, retry=False)
    except (OperationalError, OSError) as error:
        _log.warning("no message to %s for %s: %s", name, subject, error)
        return False
    return True


def job_send(*, job: Job) -> bool:
    """Notifies the workers that a row waits. When the broker is away, the sweep sends later.

    Returns:
        Whether the broker took the message.
    """
    if not task_send(RUN_TASK, job.id, queue=QUEUES[executor_of(job.kind)]):
        return False
    # Not from the row as read: the job may be running by now.
    Job.objects.filter(id=job.id, state=JobState.QUEUED.value).update(sent_at=timezone.now())
    return True
