"""Where Unix sockets lie: their paths must be short, and a home's path need not be."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

PATH_MAX = 100
"""Longest path of a Unix socket that every system takes, with some room."""


def socket_path(home: Path, name: str) -> Path:
    """``<home>/run/<name>``, or a place of the home's own in the temporary folder where that is too long."""
    path = home / "run" / name
    if len(str(path)) <= PATH_MAX:
        return path
    digest = hashlib.sha256(str(home).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"modelyard-{digest}" / name
