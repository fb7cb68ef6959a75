"""Marks when something of the host's cache was last used, so that the least recently used is removed first."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def mark_used(path: Path) -> None:
    """Notes the use of a file or folder of the cache as its time of change; the cache may also be read-only."""
    with suppress(OSError):
        os.utime(path)
