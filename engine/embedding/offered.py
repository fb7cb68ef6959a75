"""Publishes the backbone of a job where the platform finds it, under a name that does not depend on the weights' bytes."""

from __future__ import annotations

import os
from pathlib import Path

from engine.embedding.spec import offered_dir


def offer(cache_dir: Path, edition: str, name: str, path: Path) -> None:
    """Links a file of this host into ``offered_dir``, at once and in place of an older one.

    Args:
        cache_dir: of the host.
        edition: of the embeddings.
        name: the file's name there.
        path: a file below ``cache_dir``.
    """
    offered = offered_dir(cache_dir, edition) / name
    if offered.exists() and offered.samefile(path):
        return
    offered.parent.mkdir(parents=True, exist_ok=True)
    partial = offered.with_name(f".{offered.name}-{os.getpid()}")
    os.link(path, partial)
    partial.replace(offered)
