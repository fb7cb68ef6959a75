"""What each process of a job does first."""

from __future__ import annotations

import ctypes
import faulthandler
import logging
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
_NICENESS = 5


def give_way() -> None:
    """Lets whoever waits for a page or an answer go first: a job may take every core."""
    os.nice(_NICENESS)


def configure_logging() -> None:
    """Logs to standard error: ours from INFO, what others say only from WARNING, and at a crash where each thread stood."""
    faulthandler.enable()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("engine").setLevel(logging.INFO)


def die_with(parent: int) -> None:
    """Has the kernel kill this process when its parent is gone, or ends it when that has happened already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before it could be watched
        os._exit(1)
