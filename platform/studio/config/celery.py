"""The Celery application. Two queues: ``control`` for short work, ``jobs`` for what runs in a process of its own.

Workers: ``celery -A studio.config.celery --skip-checks worker -Q jobs -c N`` and
``celery -A studio.config.celery --skip-checks worker -Q control -P threads -c 8 -B`` (with the beat inside). A message only
says that a row may want attention: what is to be done, and whether, is read from the row.
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_after_setup, worker_ready, worker_shutdown, worker_shutting_down

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.config.settings")

app = Celery("modelyard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.worker_soft_shutdown_timeout = 3.0  # for jobs that are nearly done; what runs longer goes on another time
app.autodiscover_tasks()


@celeryd_after_setup.connect
def _hear_of_parts(instance: Any, **_signal: object) -> None:  # noqa: ANN401 - Celery's worker, which has no types
    """A worker of long jobs also hears what is for its host alone: that another host wants it to take part in a job."""
    from studio.jobs.hosts import host_name, host_queue  # noqa: PLC0415 - Django's settings are ready only now

    queues = instance.app.amqp.queues
    if "jobs" in queues.consume_from:
        queues.select_add(host_queue(host_name()))


@worker_ready.connect
def _warm_up(sender: Any, **_signal: object) -> None:  # noqa: ANN401 - Celery's consumer, which has no types
    """A worker of long jobs starts the fork server ahead of the first one, as a child of its main process."""
    from studio.jobs.forkserver import forkserver_warm  # noqa: PLC0415 - Django's settings are ready only now
    from studio.jobs.hosts import host_announce  # noqa: PLC0415 - the same

    if "jobs" in sender.app.amqp.queues.consume_from:
        forkserver_warm()
        host_announce()


@worker_shutting_down.connect
def _leave(**_signal: object) -> None:
    """A worker that is asked to end may still have hours of a job before it, but no job counts on this host any more."""
    from studio.jobs.hosts import host_leave  # noqa: PLC0415 - Django's settings are ready only now

    host_leave()


@worker_shutdown.connect
def _take_leave(**_signal: object) -> None:
    """Of a worker that ends by itself as well; that it does must be said before its process is gone."""
    from studio.jobs.hosts import host_leave  # noqa: PLC0415 - the same

    host_leave(wait_s=2.0)
