"""What a run of tests tells the run of all rings: how long each test took, and which passed only at a second try.

``tests/conftest.py`` takes it up when ``MODELYARD_TEST_TALLY`` names a file to write.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

TOO_LATE = "the time of a check is over: `make test` runs it"
"""Why a test is skipped that could not begin in time."""


@dataclass
class Tally:
    """Tests of one ring; a test is named as pytest names it."""

    seconds: dict[str, float] = field(default_factory=dict)
    """Setup, call and teardown together, of all tries."""
    first_failures: dict[str, str] = field(default_factory=dict)
    """Of a test that was tried again: the last line of what failed first."""
    failed: dict[str, str] = field(default_factory=dict)
    """Tests that failed in the end, each with the first line of its error, of both tries where they differ."""
    late: list[str] = field(default_factory=list)
    """Tests that ``make check`` had no time for."""

    @classmethod
    def read(cls, path: Path) -> Tally:
        """What was written; an empty tally where the run died before."""
        return cls(**json.loads(path.read_text())) if path.exists() and path.stat().st_size else cls()

    @property
    def unsteady(self) -> dict[str, str]:
        """Tests that passed at a second try, with the reason of the first failure."""
        return {name: reason for name, reason in self.first_failures.items() if name not in self.failed}


class TallyPlugin:
    """Listens to the reports of a run, those of its workers included, and writes the tally at its end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tally = Tally()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        seconds = self._tally.seconds
        seconds[report.nodeid] = seconds.get(report.nodeid, 0.0) + report.duration
        if report.outcome == "rerun":  # type: ignore[comparison-overlap]  # the outcome that pytest-rerunfailures adds
            self._tally.first_failures.setdefault(report.nodeid, reason_of(report))
        elif report.failed:
            last = reason_of(report)
            first = self._tally.first_failures.get(report.nodeid, last)
            self._tally.failed[report.nodeid] = first if first == last else f"{first}; at the second try: {last}"
        elif report.skipped and TOO_LATE in report.longreprtext:
            self._tally.late.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self._path.write_text(json.dumps(asdict(self._tally)))


def reason_of(report: pytest.TestReport) -> str:
    """The first line of the error that ended a test, and of a page's the one that says what was waited for."""
    crash: Any = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else report.longreprtext
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["no reason was given"]
    waited = [line.removeprefix("- ") for line in lines if line.startswith("- waiting for ")]
    return ": ".join([lines[0], *waited[:1]])[:300]
