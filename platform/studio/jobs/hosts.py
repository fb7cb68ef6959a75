"""The hosts whose workers run engine jobs: who is up, at which address, and the queue that reaches one of them alone.

A host is known by the name that ``MODELYARD_HOST`` gives it, else by the system's. Each says that it is up every few seconds;
who ends says so, and who has said nothing for as long as a lease lasts is taken for gone.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlsplit

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from kombu.entity import Queue
from kombu.exceptions import OperationalError

from studio.jobs.models import WorkerHost

QUEUE_KEEP_S = 24 * 3600.0
"""How long the broker keeps the queue of a host that is gone."""
PART_TASK = "studio.jobs.tasks.job_part_task"

_log = logging.getLogger(__name__)


def host_name() -> str:
    """Of this host."""
    return str(settings.HOST_NAME)


def host_address() -> str:
    """At which other hosts reach this one: as configured, else that of the network in which the database or the broker is."""
    if settings.HOST_ADDRESS:
        return str(settings.HOST_ADDRESS)
    database = settings.DATABASES["default"].get("HOST") or ""
    for peer in (database, urlsplit(settings.CELERY_BROKER_URL).hostname or ""):
        if peer and not peer.startswith("/"):
            try:
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                    probe.connect((peer, 9))  # sends nothing: the system says which of its addresses it would take
                    return str(probe.getsockname()[0])
            except OSError:
                continue
    return "127.0.0.1"


def hosts_alive() -> list[WorkerHost]:
    """Those that are up, by name."""
    silent_since = timezone.now() - timedelta(seconds=settings.JOB_LEASE_S)
    return list(WorkerHost.objects.filter(seen_at__gt=silent_since).order_by("name"))


def host_queue(name: str) -> Queue:
    """The queue of messages for one host."""
    arguments = {"x-consumer-timeout": 14 * 24 * 3600 * 1000}  # as that of ``jobs``
    return Queue(f"host.{name}", routing_key=f"host.{name}", expires=QUEUE_KEEP_S, queue_arguments=arguments)  # type: ignore[no-untyped-call]  # kombu has no types


def part_offer(host: str, job_id: str) -> None:
    """Tells a host that a job has an open part; what the broker does not take is told again."""
    try:
        current_app.send_task(PART_TASK, (job_id,), queue=host_queue(host), retry=False)
    except (OperationalError, OSError) as error:
        _log.warning("no message to host %s for %s: %s", host, job_id, error)


def host_beat() -> None:
    """Says that this host is up."""
    WorkerHost.objects.update_or_create(name=host_name(), defaults={"address": host_address(), "seen_at": timezone.now()})


def host_announce() -> None:
    """Says from now on that this host is up, from a thread of its own, until ``host_leave``."""
    _beat.start()


def host_leave(*, wait_s: float = 0.0) -> None:
    """Says at once that no job counts on this host any more, where it had said that it is up.

    Args:
        wait_s: how long to wait until that is said; 0 where a signal's handler asks.
    """
    if _beat.is_alive():
        if not _is_leaving.is_set():
            _is_leaving.set()
        _beat.join(wait_s)


def _beats() -> None:
    while not _is_leaving.is_set():
        _tell(host_beat)
        _is_leaving.wait(settings.JOB_HEARTBEAT_S)
    _tell(_host_gone)


def _host_gone() -> None:
    WorkerHost.objects.filter(name=host_name()).delete()


def _tell(tell: Callable[[], None]) -> None:
    try:
        tell()
    except DatabaseError as error:
        _log.warning("host %s could not say that it is up, or no more: %s", host_name(), error)
    connection.close()  # forked processes of the pool inherit none


_is_leaving = threading.Event()
_beat = threading.Thread(target=_beats, name="host-beat", daemon=True)
