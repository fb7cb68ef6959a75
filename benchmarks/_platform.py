"""The real platform for rows that measure the whole way: started in a home of its own, its processor time counted."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from benchmarks.harness import SkippedError
from tests.journeys.walk import Walk
from tests.platform_process import ASSETS, ROOT, Platform


@contextmanager
def walking(*cards: str) -> Iterator[Walk]:
    """A person with an empty workspace on a platform of their own, the cards' assets in its store.

    Raises:
        SkippedError: an asset cannot be had.
    """
    command = [sys.executable, "-m", "engine.assets", "fetch", *cards, "--assets-dir", str(ASSETS)]
    fetched = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if fetched.returncode != 0:
        raise SkippedError(fetched.stderr.strip())
    with tempfile.TemporaryDirectory(prefix="modelyard-bench-") as home:
        platform = Platform(Path(home)).start()
        try:
            with Walk(platform) as walk:
                yield walk
        finally:
            platform.stop()


def tree_cpu_seconds(platform: Platform) -> float:
    """Processor time of every process of the platform, alive or ended and waited for."""
    assert platform.process is not None
    total = 0.0
    for process in (psutil.Process(platform.process.pid), *platform.processes()):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:  # it ended between the listing and the look; its parent has its time
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total
