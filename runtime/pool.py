"""As many runs at once as there are cores, and no more.

The standard executor wraps every call in two futures and their locks. Here a call is one queue entry and one wake-up of the
loop. Even that costs about 0.12 ms of CPU, more than a tiny model itself, so calls known to be quick run where they are.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from .errors import ServerBusyError

MAX_WAITING = 1024
"""Calls that may wait; each holds its picture in memory."""

Result = TypeVar("Result")
Work = tuple[asyncio.AbstractEventLoop, "asyncio.Future[Any]", Callable[..., Any], tuple[Any, ...]]


def num_cores() -> int:
    """Cores that this process may use, which a container may have cut below the machine's."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class CallTimer:
    """Knows from experience whether a deployment's calls are too quick to be worth a thread."""

    QUICK_MS = 0.5
    QUICK_BYTES = 8 << 10
    """Bounds what one call can hold up: so few bytes rarely decode to much, and a slow one ends the quick time at once."""
    WEIGHT = 0.1
    MIN_TIMED = 20
    TIME_EVERY = 8
    """Reading the thread's clock twice is a tenth of what a quick call may cost, so later only some are timed."""

    __slots__ = ("_mean_ms", "_num_calls", "_num_timed")

    def __init__(self) -> None:
        self._mean_ms = 0.0
        self._num_calls = 0
        self._num_timed = 0

    def is_quick(self, num_bytes: int) -> bool:
        """Whether a picture of so many bytes should run on the spot."""
        return num_bytes <= self.QUICK_BYTES and self._num_timed >= self.MIN_TIMED and self._mean_ms < self.QUICK_MS

    def start(self) -> float | None:
        """Says when a call begins, or None when this one is not timed.

        By CPU time: on a busy machine the wall's would call a quick model slow.
        """
        self._num_calls += 1
        if self._num_timed >= self.MIN_TIMED and self._num_calls % self.TIME_EVERY:
            return None
        return time.thread_time()

    def end(self, started_at: float | None) -> None:
        """Learns from a call. Two threads at once may lose one of their notes, which does no harm."""
        if started_at is None:
            return
        self._num_timed += 1
        self._mean_ms += self.WEIGHT * ((time.thread_time() - started_at) * 1000 - self._mean_ms)


class Pool:
    """Threads that run blocking calls for an event loop."""

    def __init__(self, num_threads: int) -> None:
        self._queue: SimpleQueue[Work | None] = SimpleQueue()
        self._threads = [threading.Thread(target=self._work, name=f"predict-{n}", daemon=True) for n in range(num_threads)]
        for thread in self._threads:
            thread.start()

    def submit(self, function: Callable[..., Result], *args: Any) -> asyncio.Future[Result]:
        """Runs the function in a thread.

        Raises:
            ServerBusyError: too many calls wait already.
        """
        if self._queue.qsize() >= MAX_WAITING:
            raise ServerBusyError(retry_after_s=1)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._queue.put((loop, future, function, args))
        return future

    def close(self) -> None:
        """Lets the threads end after the calls that wait."""
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (work := self._queue.get()) is not None:
            loop, future, function, args = work
            try:
                result = function(*args)
            except Exception as error:  # noqa: BLE001 - not lost: it is raised where the future is awaited
                loop.call_soon_threadsafe(_fail, future, error)
            else:
                loop.call_soon_threadsafe(_finish, future, result)


def _finish(future: asyncio.Future[Result], result: Result) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Result], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
