"""The real platform for rows that measure the whole way: started in a home of its own, its processor time counted.

Rows that claim nothing (``--smoke``) share one that runs already, which ``MODELYARD_BENCH_PLATFORM`` names.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil

from benchmarks.harness import SkippedError
from tests.journeys.walk import Walk
from tests.support.platform_process import ASSETS, ROOT, Platform

SHARED = "MODELYARD_BENCH_PLATFORM"


class SharedPlatform(Platform):
    """One that somebody else started and will end."""

    def __init__(self, description: str) -> None:
        """From what ``shared_environment`` says."""
        facts = json.loads(description)
        super().__init__(Path(facts["home"]))
        self.url, self.prediction_url = facts["url"], facts["prediction_url"]
        self.process = psutil.Process(facts["pid"])  # type: ignore[assignment]  # whose id is all that is asked for


def shared_environment(platform: Platform) -> dict[str, str]:
    """What lets rows find a platform that runs."""
    assert platform.process is not None
    facts = {"home": str(platform.home), "url": platform.url, "prediction_url": platform.prediction_url}
    return {SHARED: json.dumps(facts | {"pid": platform.process.pid})}


def shared_platform() -> Platform | None:
    """The one to share, where there is one."""
    description = os.environ.get(SHARED)
    return SharedPlatform(description) if description else None


@contextmanager
def own_platform() -> Iterator[Platform]:
    """A platform in a home of its own, or the shared one."""
    if (shared := shared_platform()) is not None:
        yield shared
        return
    with tempfile.TemporaryDirectory(prefix="modelyard-bench-") as home:
        platform = Platform(Path(home)).start(timeout_s=600)
        try:
            yield platform
        finally:
            platform.stop()


@contextmanager
def walking(*cards: str) -> Iterator[Walk]:
    """A person with an empty workspace, the cards' assets in the platform's store.

    Raises:
        SkippedError: an asset cannot be had.
    """
    command = [sys.executable, "-m", "engine.assets", "fetch", *cards, "--assets-dir", str(ASSETS)]
    missing = [card for card in cards if not (ASSETS / card).is_dir()]
    fetched = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False) if missing else None
    if fetched is not None and fetched.returncode != 0:
        raise SkippedError(fetched.stderr.strip())
    with own_platform() as platform, Walk(platform) as walk:
        yield walk


def database_copied(home: Path) -> bool:
    """Lays the shared platform's SQLite database into a home, which spares its migrations; False where none is shared."""
    shared = shared_platform()
    if shared is None:
        return False
    with (
        closing(sqlite3.connect(shared.home / "modelyard.sqlite3", timeout=60)) as source,
        closing(sqlite3.connect(home / "modelyard.sqlite3")) as target,
    ):
        source.backup(target)
    return True


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
