"""Threads of the web process: a fixed number, each kept for the next request, as its database connection is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")
Task = Callable[[], None]


class Threads:
    """Runs blocking functions. No thread outlives the process, whatever it is doing: an event stream may take a minute."""

    def __init__(self, most: int) -> None:
        """``most`` is the largest number of threads; they are started as they are needed."""
        self._most = most
        self._tasks: SimpleQueue[Task] = SimpleQueue()
        self._lock = threading.Lock()
        self._num_started = 0
        self._num_idle = 0

    async def run(self, function: Callable[[], T]) -> T:
        """What the function returns or raises, once a thread has run it."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def task() -> None:
            try:
                made = function()
            except BaseException as error:  # noqa: BLE001 - raised where it is waited for
                _schedule(loop, _fail, done, error)
            else:
                _schedule(loop, _succeed, done, made)

        self._submit(task)
        return await done

    def _submit(self, task: Task) -> None:
        with self._lock:
            if self._num_idle > 0:
                self._num_idle -= 1  # that thread will take this task, or one that was put before
            elif self._num_started < self._most:
                self._num_started += 1
                threading.Thread(target=self._work, name=f"web-{self._num_started}", daemon=True).start()
        self._tasks.put(task)

    def _work(self) -> None:
        while True:
            self._tasks.get()()
            with self._lock:
                self._num_idle += 1


def _schedule(loop: asyncio.AbstractEventLoop, function: Callable[..., None], *arguments: object) -> None:
    with suppress(RuntimeError):  # the loop was closed: the process ends
        loop.call_soon_threadsafe(function, *arguments)


def _succeed(done: asyncio.Future[T], made: T) -> None:
    if not done.done():
        done.set_result(made)


def _fail(done: asyncio.Future[T], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)
