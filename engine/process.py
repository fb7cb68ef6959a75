"""What each process of a job does first."""

from __future__ import annotations

import ctypes
import faulthandler
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def without_denormals() -> Iterator[None]:
    """Takes numbers below 1e-38 for 0, in this thread and in those that it starts.

    A processor takes a hundred times as long with them as with others, and weights of dead channels decay to them: a step of
    PP-OCRv6's detector, a tenth of whose weights are such, takes a third of the time without.
    """
    import numpy as np  # noqa: PLC0415 - the first event of a job does not wait for these
    import torch  # noqa: PLC0415

    for dtype in (np.float32, np.float64):
        np.finfo(dtype)  # it warns where it looks for the first time and finds none
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
