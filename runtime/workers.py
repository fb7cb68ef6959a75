"""Several processes behind one port: each is a copy of the first one, with which it shares the memory of the loaded model."""

from __future__ import annotations

import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from types import FrameType

from .errors import RuntimeFault

RESTART_AFTER_S = 1.0
"""A worker that dies at once, again and again, must not keep the machine busy."""

logger = logging.getLogger(__name__)


class WorkersUnsupportedError(RuntimeFault):
    """Windows cannot copy a process."""

    code = "workers_unsupported"
    title = "This system serves with one process"
    hint = "Leave --workers out; --threads says how many items are answered at once."


def can_fork() -> bool:
    """Whether this system can copy a process."""
    return hasattr(os, "fork")


def listen(host: str, port: int) -> socket.socket:
    """Opens the port that all workers accept calls from."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((host, port))
    listening.listen(2048)
    listening.set_inheritable(True)
    return listening


def workers_run(num: int, work: Callable[[], None]) -> None:
    """Keeps so many copies of this process at work until SIGTERM or Ctrl-C, then lets each finish.

    Nothing may have started a thread before: a copy has only the thread that made it.

    Args:
        num: of copies.
        work: what each does; it ends on SIGTERM.

    Raises:
        WorkersUnsupportedError: this system cannot copy a process.
    """
    if not can_fork():
        raise WorkersUnsupportedError
    workers: set[int] = set()
    is_ending = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal is_ending
        del number, frame
        is_ending = True
        for pid in workers:
            _ask_to_end(pid)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    workers.update(_fork(work) for _ in range(num))
    while workers:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            return
        workers.discard(pid)
        if not is_ending:
            logger.error("worker %d ended with %d; another one starts", pid, os.waitstatus_to_exitcode(status))
            time.sleep(RESTART_AFTER_S)
        if not is_ending:
            workers.add(_fork(work))


def _fork(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        work()
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 0
    except BaseException:
        logger.exception("a worker failed")
    finally:
        os._exit(code)


def _ask_to_end(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return


def in_copy(function: Callable[[], str]) -> str:
    """Runs a function in a copy of this process, which takes what it loads with it; the text is empty where it failed."""
    reading, writing = os.pipe()

    def work() -> None:
        os.write(writing, function().encode())

    pid = _fork(work)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        text = answer.read().decode()
    os.waitpid(pid, 0)
    return text
