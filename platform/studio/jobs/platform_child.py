"""The process of one platform job: forked from a server that has the handlers imported, bounded, and gone with its parent."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

_PR_SET_PDEATHSIG = 1
_BEAT_S = 1.0

Message = dict[str, Any]
"""``{"beat": True}`` while it runs, at most once a second; at its end ``{"state": ..., "error": ...}``."""


@dataclass(frozen=True)
class _ParentLease:
    """The lease is kept by the parent, which ends this process when it is lost."""

    is_lost: bool = False


def child_run(job_id: str, lease: str, connection: Connection, scratch: str, memory_bytes: int) -> None:
    """Runs a job that the parent holds.

    Args:
        job_id: which one.
        lease: the parent's token.
        connection: to the parent; it never sends, and its end ends this process.
        scratch: folder for temporary files, which the parent removes.
        memory_bytes: of data that this process may have.
    """
    _settle(connection, scratch, memory_bytes)
    # What is below needs Django, which the server has set up (`platform_preload`).
    from django.db import connections  # noqa: PLC0415

    from studio.jobs.models import Job  # noqa: PLC0415
    from studio.jobs.reporter import PlatformReporter, failure_ended, handler_run  # noqa: PLC0415
    from studio.jobs.states import JobFinishedError, JobLeaseLostError  # noqa: PLC0415

    try:
        job = Job.objects.get(id=job_id)
        if job.lease_owner != lease:
            return
        reporter = PlatformReporter(job, _ParentLease(), sign=_Beat(connection))
        ended = handler_run(job, reporter)
        reporter.close()
    except (JobLeaseLostError, JobFinishedError):
        return
    except Exception as error:  # the folder of the job, or its last words
        failed = failure_ended(error)
        if failed is None:
            raise
        ended = failed
    finally:
        connections.close_all()
    connection.send({"state": ended.state.value, "error": ended.error})


class _Beat:
    """Reports to the parent that the job is alive."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last_s = float("-inf")

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self._last_s >= _BEAT_S:
            self._last_s = now
            self._connection.send({"beat": True})


def _settle(connection: Connection, scratch: str, memory_bytes: int) -> None:
    os.setsid()  # so that what the job itself starts ends with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    tempfile.tempdir = scratch
    os.environ["TMPDIR"] = scratch
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    threading.Thread(target=_end_with, args=(connection,), name="parent", daemon=True).start()


def _end_with(connection: Connection) -> None:
    with suppress(EOFError, OSError):
        connection.recv()
    os.killpg(0, signal.SIGKILL)
