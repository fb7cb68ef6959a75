"""Secrets of the environment: the key that signs sessions, and tokens."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path


def secret_key(given: str, home: Path) -> str:
    """Takes the key given, or makes one for this home and keeps it readable to its owner only.

    Raises:
        ValueError: it is too short, or none can be kept.
    """
    if given:
        if len(given) < 32:
            raise ValueError("a secret has at least 32 characters")
        return given
    path = home / "secret_key"
    try:
        home.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _make(path)
        return _stored(path)
    except OSError as error:
        raise ValueError(f"it is not set and {path} cannot be used ({error.strerror})") from error


def _make(path: Path) -> None:
    """Puts a key there, whole or not at all; of several processes that begin at once the first one's stays."""
    descriptor, draft = tempfile.mkstemp(prefix="secret_key.", dir=path.parent)  # readable to its owner only
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        os.unlink(draft)


def _stored(path: Path) -> str:
    key = path.read_text(encoding="ascii").strip()
    if len(key) < 32:
        raise ValueError(f"it is not set and {path} holds no key; delete that file to have a new one made")
    return key


def token(value: str) -> str:
    """A token that others show; empty is none.

    Raises:
        ValueError: it is too short, or cannot stand in a header.
    """
    if value and (len(value) < 16 or not all("!" <= letter <= "~" for letter in value)):
        raise ValueError("a token has at least 16 characters, letters, digits and signs without blanks")
    return value
