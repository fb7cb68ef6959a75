"""What waits to be sent: files in a folder of bounded size, so that an hour without network loses nothing that fits.

Where it does not fit, the oldest inputs go first, then the oldest counts. How many went is counted, and the platform hears it.
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
class Waiting:
    """One entry."""

    path: Path
    kind: str
    """``usage`` or ``item``."""
    about: dict[str, Any]

    @property
    def data(self) -> bytes:
        """Of an item."""
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
        """How many entries of each kind had to go, ever."""
        return {kind: int(json_read(self._dropped_file).get(kind, 0)) for kind in ("usage", "item")}

    def put(self, kind: str, name: str, about: Mapping[str, Any], data: bytes | None = None) -> None:
        """Keeps an entry. One of the same name is replaced: it is the same, seen again after the agent was killed."""
        path = self._folder / f"{name}.{kind}.json"
        if data is not None:
            bytes_write(path.with_suffix(DATA_SUFFIX), data)
        json_write(path, about)
        self._make_space()

    def waiting(self) -> Iterator[Waiting]:
        """The entries, oldest first."""
        for path in self._entries():
            try:
                about = json.loads(path.read_bytes())
            except (OSError, ValueError):
                self._remove(path)
                continue
            yield Waiting(path, _kind(path), about)

    def done(self, entry: Waiting) -> None:
        """Forgets an entry that has arrived, or never will."""
        self._remove(entry.path)

    def drop(self, entry: Waiting) -> None:
        """Forgets an entry that the platform does not take, and counts it."""
        self._drop(entry.path)

    def __len__(self) -> int:
        """How many wait."""
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
        return self._remove(path)

    def _remove(self, path: Path) -> int:
        size = 0
        for each in (path, path.with_suffix(DATA_SUFFIX)):
            if each.exists():
                size += each.stat().st_size
                each.unlink()
        return size


def _kind(path: Path) -> str:
    return path.name.split(".")[-2]
