"""Messages to the platform that have not been sent: files in a folder of bounded size, so that none is lost without network.

Once the folder is full, the oldest inputs are dropped first, then the oldest counts. How many were dropped is reported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .files import bytes_write, json_read, json_write

MAX_BYTES = 256 << 20
DATA_SUFFIX = ".input"


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """A message that has not been sent."""

    path: Path
    kind: str
    """``usage`` or ``item``."""
    about: dict[str, Any]

    @property
    def data(self) -> bytes:
        """The bytes of an item."""
        return self.path.with_suffix(DATA_SUFFIX).read_bytes()


class Outbox:
    """A folder of entries, in the order in which they came."""

    def __init__(self, folder: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._dropped_file = folder / "dropped.json"
        folder.mkdir(parents=True, exist_ok=True)
        for partial in folder.glob("*.partial"):
            partial.unlink(missing_ok=True)

    @property
    def dropped(self) -> dict[str, int]:
        """How many entries of each kind were ever dropped."""
        return {kind: int(json_read(self._dropped_file).get(kind, 0)) for kind in ("usage", "item")}

    def put(self, kind: str, name: str, about: Mapping[str, Any], data: bytes | None = None) -> None:
        """Adds an entry. It replaces one of the same name: the same message, collected again after the agent was killed."""
        path = self._folder / f"{name}.{kind}.json"
        if data is not None:
            bytes_write(path.with_suffix(DATA_SUFFIX), data)
        json_write(path, about)
        self._make_space()

    def entries(self) -> Iterator[OutboxEntry]:
        """The entries, oldest first."""
        for path in self._entries():
            try:
                about = json.loads(path.read_bytes())
            except (OSError, ValueError):
                self._delete(path)
                continue
            yield OutboxEntry(path, _kind(path), about)

    def remove(self, entry: OutboxEntry) -> None:
        """Removes an entry that was sent."""
        self._delete(entry.path)

    def drop(self, entry: OutboxEntry) -> None:
        """Removes an entry that the platform refuses, and counts it as dropped."""
        self._drop(entry.path)

    def __len__(self) -> int:
        """How many entries there are."""
        return len(self._entries())

    def _entries(self) -> list[Path]:
        return sorted(path for path in self._folder.glob("*.*.json") if path != self._dropped_file)

    def _make_space(self) -> None:
        size = sum(path.stat().st_size for path in self._folder.iterdir())
        oldest = self._entries()
        for path in [*(each for each in oldest if _kind(each) == "item"), *(each for each in oldest if _kind(each) != "item")]:
            if size <= self._max_bytes:
                return
            size -= self._drop(path)

    def _drop(self, path: Path) -> int:
        kind = _kind(path)
        json_write(self._dropped_file, {**self.dropped, kind: self.dropped[kind] + 1})
        return self._delete(path)

    def _delete(self, path: Path) -> int:
        size = 0
        for each in (path, path.with_suffix(DATA_SUFFIX)):
            if each.exists():
                size += each.stat().st_size
                each.unlink()
        return size


def _kind(path: Path) -> str:
    return path.name.split(".")[-2]
