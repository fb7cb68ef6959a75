"""The cache of a host: what jobs have made there and can make again; the least recently used is removed first.

An entry is a graph, or the folder of a packed array (pictures, tokens, features, a teacher's scores). What the web process
searches with, thumbnails and copies of blobs lie beside them and are left alone.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ARRAYS = ("pictures", "tokens", "features", "teacher_scores")
GRAPHS = "graphs"
GONE = ".gone"
"""Suffix of what is being removed."""
_UNFINISHED = (".partial", ".lock")
FRESH_S = 3600.0
"""What was used within an hour stays, whatever the limit: a job may be about to open it."""


@dataclass(frozen=True)
class Entry:
    """Something that is used, and removed, as a whole."""

    path: Path
    size_bytes: int
    used_at_s: float
    """Seconds since the epoch; the engine notes each use as the time of change (``engine.data.used``)."""


def cache_entries(root: Path) -> list[Entry]:
    """All entries below the cache, the least recently used first."""
    found = []
    for path in _paths(root):
        try:
            found.append(_entry(path))
        except OSError:
            continue  # another process has removed it meanwhile
    return sorted(found, key=lambda each: each.used_at_s)


def cache_prune(root: Path, *, limit_bytes: int, now_s: float | None = None) -> int:
    """Removes entries until all together are within the limit; returns how many bytes that gave back.

    Args:
        root: of the cache.
        limit_bytes: 0: there is none.
        now_s: seconds since the epoch.
    """
    for folder in (root / name for name in (*ARRAYS, GRAPHS)):
        for left in folder.glob(f"*{GONE}"):  # by a process that was killed
            _remove(left)
    if not limit_bytes:
        return 0
    entries = cache_entries(root)
    too_much = sum(each.size_bytes for each in entries) - limit_bytes
    newest = (time.time() if now_s is None else now_s) - FRESH_S
    freed = 0
    for entry in entries:
        if freed >= too_much or entry.used_at_s > newest:
            break
        gone = entry.path.with_name(f"{entry.path.name}.{os.getpid()}{GONE}")
        try:
            entry.path.rename(gone)  # at once, so that nobody finds half of it
        except OSError:
            continue
        _remove(gone)
        freed += entry.size_bytes
    return freed


def _paths(root: Path) -> Iterator[Path]:
    for path in (root / GRAPHS).glob("*.onnx"):
        if path.is_file():
            yield path
    for folder in (root / name for name in ARRAYS):
        for path in folder.glob("*"):
            if path.is_dir() and path.suffix not in {GONE, *_UNFINISHED}:
                yield path


def _entry(path: Path) -> Entry:
    files = path.iterdir() if path.is_dir() else (path,)
    return Entry(path, sum(each.stat().st_size for each in files), path.stat().st_mtime)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
