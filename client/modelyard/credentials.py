"""Where the address and the key come from: options, the environment, or the file that ``modelyard login`` wrote."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from modelyard.errors import ModelyardError


@dataclass(frozen=True)
class Credentials:
    """An address and a key."""

    url: str
    key: str = field(repr=False)


def credentials_path() -> Path:
    """The file, below the person's configuration folder."""
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "modelyard" / "credentials.json"


def credentials_read(url: str | None = None, key: str | None = None) -> Credentials:
    """The address and the key: from options, else ``MODELYARD_URL`` and ``MODELYARD_KEY``, else the file.

    Raises:
        ModelyardError: none of these has them.
    """
    url = url or os.environ.get("MODELYARD_URL")
    key = key or os.environ.get("MODELYARD_KEY")
    if not (url and key):
        try:
            stored = json.loads(credentials_path().read_text(encoding="utf-8"))
        except (OSError, ValueError):
            stored = {}
        # A key is for one server: it is never sent to another that was named by hand.
        if url in {None, stored.get("url")}:
            url, key = url or stored.get("url"), key or stored.get("key")
    if not (url and key):
        raise ModelyardError(
            "You are not signed in.", hint="Run `modelyard login URL`, or set MODELYARD_URL and MODELYARD_KEY."
        )
    return Credentials(url, key)


def credentials_save(credentials: Credentials) -> Path:
    """Writes the file, readable by its owner only."""
    path = credentials_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"url": credentials.url, "key": credentials.key}, file)
    partial.replace(path)
    return path
