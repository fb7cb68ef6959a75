"""Work that no caller waits for: one thread at the lowest priority, with a bounded queue before it."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Full, Queue
from typing import Generic, TypeVar

LOWEST_PRIORITY = 19
LOOK_EVERY_S = 0.5

logger = logging.getLogger(__name__)
Task = TypeVar("Task")


class Background(Generic[Task]):
    """A bounded queue of tasks that runs one after the other."""

    def __init__(self, name: str, work: Callable[[Task], None], *, max_waiting: int, max_bytes: int) -> None:
        """Prepares the thread.

        Args:
            name: of the thread.
            work: does a task; what it raises is logged.
            max_waiting: tasks that may wait.
            max_bytes: of memory that the tasks may hold while they wait.
        """
        self._work = work
        self._max_bytes = max_bytes
        self._queue: Queue[tuple[Task, int]] = Queue(max_waiting)
        # Each is written by one thread only.
        self._num_bytes_taken = 0
        self._num_bytes_done = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begins to take tasks."""
        self._thread.start()

    def stop(self) -> None:
        """Ends after the task in work; those that wait are forgotten."""
        self._stopping.set()
        self._thread.join()

    def offer(self, task: Task, num_bytes: int) -> bool:
        """Queues a task unless the queue is full; returns whether it did. Never waits; called by one thread only."""
        try:
            if self._num_bytes_taken - self._num_bytes_done + num_bytes > self._max_bytes:
                raise Full
            self._queue.put_nowait((task, num_bytes))
        except Full:
            return False
        self._num_bytes_taken += num_bytes
        return True

    def _run(self) -> None:
        with suppress(AttributeError, OSError):  # a thread has a priority of its own on Linux only
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST_PRIORITY)
        while not self._stopping.is_set():
            try:
                task, num_bytes = self._queue.get(timeout=LOOK_EVERY_S)
            except Empty:
                continue
            try:
                self._work(task)
            except Exception:
                # The edge of the thread: one task must not cost those behind it.
                logger.exception("%s: a task failed", self._thread.name)
            self._num_bytes_done += num_bytes
