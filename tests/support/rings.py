"""The rings of tests: what each runs, with which services, and which of them wait rather than compute.

On two cores two things happen at once. One lane drives whole platforms and a browser, which wait more than they compute. The
other is all the rest, spread over as many processes as there are cores; it gives way (``nice``) to the first, so that no
core waits and no page does.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUM_CORES = min(8, os.cpu_count() or 1)
NUM_WORKERS = min(8, NUM_CORES + 1)
"""One more than there are cores: a third of the time a test waits for a database, a store or a child."""
PLATFORM = ("tests/studio", "tests/labeling")


def pytest(*arguments: str) -> tuple[str, ...]:
    """A test that fails is tried once more; ``Tally`` lists those that passed only then."""
    return (sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", "--reruns", "1", *arguments)


def modules_marked(mark: str, folders: tuple[str, ...]) -> tuple[str, ...]:
    """Test modules that name the mark: to import all others and then leave them out takes each process ten seconds."""
    found = [
        path for folder in folders for path in (ROOT / folder).rglob("test_*.py") if mark in path.read_text(encoding="utf-8")
    ]
    return tuple(sorted(str(path.relative_to(ROOT)) for path in found))


# A process that ran out of tests takes half of what another has left: modules stay together and nobody idles at the end.
SPREAD = pytest("-n", str(NUM_WORKERS), "--dist", "worksteal")
SPREAD_ON_CORES = pytest("-n", str(NUM_CORES), "--dist", "worksteal")
"""For a short run that seldom waits: each process more takes ten seconds to import what it tests."""


@dataclass(frozen=True)
class Ring:
    """One run of a test program."""

    name: str
    command: tuple[str, ...]
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Of pytest: folders by the name under which they can be asked for alone."""
    environment: dict[str, str] = field(default_factory=dict)
    gives_way: bool = True
    """Whether it computes, rather than waits for platforms and pages."""
    may_be_empty: bool = False
    """Whether it is well when it finds no test."""

    def of(self, words: list[str]) -> Ring | None:
        """What of it the words name: all if none is given, None where none fits."""
        if not words:
            return self
        if not self.parts:
            return self if any(word in self.name for word in words) else None
        parts = {name: folders for name, folders in self.parts.items() if any(word in name for word in words)}
        return replace(self, name=", ".join(parts), parts=parts) if parts else None

    @property
    def arguments(self) -> list[str]:
        """What is started."""
        polite = ["nice", "-n", "5"] if self.gives_way and shutil.which("nice") else []
        return [*polite, *self.command, *(folder for folders in self.parts.values() for folder in folders)]


RINGS = (
    Ring("front end", (sys.executable, "manage.py", "npm", "test")),
    Ring(
        "packages and platform",
        SPREAD,
        {
            "platform": PLATFORM,
            "packages": ("tests/automl", "tests/engine", "tests/exporters", "tests/benchmarks"),
            "contracts": ("tests/contracts",),
            "architecture": ("tests/architecture",),
        },
        {"MODELYARD_TEST_SERVICES": "production"},
    ),
    # Again on SQLite and files: what says other things to one database than to another, or stands on the embedded default;
    # but for what starts servers on both databases by itself.
    Ring(
        "embedded",
        (*SPREAD_ON_CORES, "-m", "both_databases and not both_databases(by_itself=True)"),
        {"embedded platform": modules_marked("both_databases", PLATFORM)},
    ),
    Ring(
        "journeys and browser",
        pytest(),
        {"journeys": ("tests/journeys", "tests/client"), "browser": ("tests/e2e",)},
        gives_way=False,
    ),
)
