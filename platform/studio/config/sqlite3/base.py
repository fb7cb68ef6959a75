"""Django's SQLite, but that writers of the web process wait for each other only a little, and only so many of them.

Somebody who holds the file for long, such as a backup, would else hold a thread of each who wants to write, until none is left
for those who only read.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base


@dataclass
class _Queue:
    """The writers of this process that wait for their turn."""

    most: int | None = None
    """None: any number, as in workers."""
    wait_s: float | None = None
    """None: as the settings say."""
    num_waiting: int = 0


_queue = _Queue()
_lock = threading.Lock()


def writers_limit(*, most: int, wait_s: float) -> None:
    """Bounds the writers of this process: how many may wait, and for how long each. Called before there is a connection."""
    _queue.most, _queue.wait_s = most, wait_s


class DatabaseWrapper(base.DatabaseWrapper):
    """Waits less."""

    def get_connection_params(self) -> dict[str, Any]:
        """As the settings say, but for the time that a statement waits."""
        params: dict[str, Any] = super().get_connection_params()
        return params if _queue.wait_s is None else params | {"timeout": _queue.wait_s}

    def _start_transaction_under_autocommit(self) -> None:
        """Begins a transaction: here a writer waits for the one at work."""
        with _turn():
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # Django's stubs do not have it


@contextmanager
def _turn() -> Iterator[None]:
    with _lock:
        if _queue.most is not None and _queue.num_waiting >= _queue.most:
            cause = sqlite3.OperationalError("too many writers wait already")
            cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise OperationalError(str(cause)) from cause
        _queue.num_waiting += 1
    try:
        yield
    finally:
        with _lock:
            _queue.num_waiting -= 1
