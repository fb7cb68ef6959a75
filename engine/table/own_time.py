"""A clock that stands still while others have the processor, so that a busy machine takes time and not quality.

Linux reports how long a thread was ready to run and had to wait (``schedstat``); without that, all time counts.
Time in which a thread sleeps, reads files or waits for threads of its own counts.
"""

from __future__ import annotations

import time
from pathlib import Path

_WAITED = Path("/proc/thread-self/schedstat")
"""Nanoseconds that the thread ran and waited, and how often it was given the processor."""


def own_s() -> float:
    """Seconds that have passed less those that this thread had to wait; only differences are meaningful."""
    return time.monotonic() - waited_s()


def waited_s() -> float:
    """Seconds that this thread was ready and another had the processor, since it began; 0 on systems that do not report it."""
    try:
        return int(_WAITED.read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
