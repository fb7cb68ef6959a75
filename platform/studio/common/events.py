"""Events that open pages are notified of. Written in the transaction of the change, read by a stream."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from studio.common.errors import UnavailableError
from studio.common.models import Event
from studio.common.sql.batch import StatementBatch

__all__ = ["Event", "event_record", "event_stream", "event_write", "events_after", "events_prune"]

STREAM_S = 50.0
"""A stream ends itself after this, so that its thread goes back; the browser reconnects where it left off."""
HEARTBEAT_S = 10.0
POLL_S = 0.3
RIGHT_S = 3.0
"""Seconds between two checks whether its reader may still see the project."""
BATCH = 200

_viewers = threading.Semaphore(settings.EVENT_VIEWERS_MAX)


def event_record(*, workspace: str, project: str, type: str, subject: str, data: dict[str, Any] | None = None) -> Event:  # noqa: A002 - the column's name
    """Writes an event; call it inside the transaction of the change that it reports."""
    return Event.objects.create(workspace=workspace, project=project, type=type, subject=subject, data=data or {})


def event_write(batch: StatementBatch, *, workspace: str, project: str, type: str, subject: str, data: dict[str, Any]) -> None:  # noqa: A002
    """As ``event_record``, for a change that is sent with other statements."""
    row = (workspace, project, type, subject, json.dumps(data), timezone.now())
    batch.insert(Event, ("workspace", "project", "type", "subject", "data", "at"), [row])


def events_after(project: str, *, after: int, limit: int = BATCH) -> list[Event]:
    """The events of a project with ids above ``after``, oldest first."""
    return list(Event.objects.filter(project=project, id__gt=after).order_by("id")[:limit])


def events_latest(project: str) -> int:
    """The id of the newest event of a project; 0 when there is none."""
    return Event.objects.filter(project=project).order_by("-id").values_list("id", flat=True).first() or 0


def events_prune(*, before: datetime) -> int:
    """Deletes the events before a time; returns how many."""
    return Event.objects.filter(at__lt=before).delete()[0]


def event_stream(
    project: str,
    *,
    after: int | None,
    may_follow: Callable[[], bool],
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[bytes]:
    """Server-sent events of a project, as a plain generator: an async one would be buffered whole under WSGI.

    Args:
        project: Its id; the caller has checked the right to see it.
        after: Id of the last event seen; None starts with what happens from now on.
        may_follow: Whether the caller may still see the project, asked every ``RIGHT_S``; the stream ends when not.
        clock: Seconds that only grow.
        sleep: Waits between two looks.

    Raises:
        UnavailableError: too many viewers; each holds a thread.
    """
    if not _viewers.acquire(blocking=False):
        raise UnavailableError(
            "Too many pages follow the progress at the moment.",
            hint="Close other tabs, or reload in a minute; nothing is lost.",
            extra={"retry_after_s": 10},
        )
    return _Stream(_stream(project, after, may_follow, clock, sleep))


class _Stream(Iterator[bytes]):
    """Gives the viewer's place back also when the server closes the stream before reading any of it."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._is_open = True

    def __next__(self) -> bytes:
        try:
            return next(self._lines)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Called by the web server at the end of the response, whatever the end was."""
        if self._is_open:
            self._is_open = False
            _viewers.release()


def _stream(
    project: str,
    after: int | None,
    may_follow: Callable[[], bool],
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> Iterator[bytes]:
    position = events_latest(project) if after is None else after
    started = last_sent = last_asked = clock()
    yield f"retry: 1000\nid: {position}\n\n".encode()
    while clock() - started < STREAM_S:
        if clock() - last_asked >= RIGHT_S:
            last_asked = clock()
            if not may_follow():
                return
        events = events_after(project, after=position)
        for event in events:
            position = event.id
            yield _line(event)
        now = clock()
        if events:
            last_sent = now
        elif now - last_sent >= HEARTBEAT_S:
            last_sent = now
            yield b": alive\n\n"
        if len(events) < BATCH:
            sleep(POLL_S)


def _line(event: Event) -> bytes:
    body = json.dumps(
        {"id": event.id, "type": event.type, "subject": event.subject, "data": event.data, "at": event.at.isoformat()}
    )
    # Without an `event:` line, so that one listener in the browser hears every type.
    return f"id: {event.id}\ndata: {body}\n\n".encode()
