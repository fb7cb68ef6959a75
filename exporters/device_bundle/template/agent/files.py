"""Small files that are whole at any moment: written beside, brought to the disk, and put in place in one step."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def json_write(path: Path, value: object, *, is_secret: bool = False) -> None:
    """Writes JSON; of a secret only the owner can read it."""
    bytes_write(path, json.dumps(value, ensure_ascii=False).encode(), is_secret=is_secret)


def bytes_write(path: Path, data: bytes, *, is_secret: bool = False) -> None:
    """Writes bytes; of a secret only the owner can read them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if is_secret else 0o644), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def json_read(path: Path) -> dict[str, Any]:
    """Reads an object; empty where there is no file, or none that can be read."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
