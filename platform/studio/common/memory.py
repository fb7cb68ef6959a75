"""How much memory there is: a container may use less than its host has, and libraries that ask the host do not say so."""

from __future__ import annotations

from pathlib import Path

import psutil

_V2 = (Path("sys/fs/cgroup"), "memory.max")
_V1 = (Path("sys/fs/cgroup/memory"), "memory.limit_in_bytes")


def memory_total_bytes(*, root: Path = Path("/")) -> int:
    """Memory of the host, or the smallest limit of the control groups (version 1 or 2) that this process is in.

    Args:
        root: Where ``proc`` and ``sys`` are found.
    """
    host_bytes: int = psutil.virtual_memory().total
    return min([host_bytes, *_limits(root)])


def _limits(root: Path) -> list[int]:
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:  # number:controllers:/path; version 2 names no controllers
        _, controllers, path = line.split(":", 2)
        if not controllers or "memory" in controllers.split(","):
            mount, name = _V1 if controllers else _V2
            found += _limits_of(root / mount, path, name)
    return found


def _limits_of(mount: Path, path: str, name: str) -> list[int]:
    """A group's limit and those of the groups above it; a container may see its own group at the mount only."""
    group = Path(path.strip("/"))
    texts = []
    for folder in (group, *group.parents):
        try:
            texts.append((mount / folder / name).read_text(encoding="ascii").strip())
        except OSError:
            continue
    return [int(text) for text in texts if text.isdigit()]  # version 2 writes "max" where there is no limit
