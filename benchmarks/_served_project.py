"""A web process of the platform over a dataset of any size, on SQLite or PostgreSQL, for rows that measure requests.

No worker runs: what is measured is the request itself. Time is the web process's CPU and the caller's wall clock. Where a
platform is shared (``_platform.py``), each served project has a workspace of its own there.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import httpx
import psutil
import psycopg

from benchmarks._fill import LABELS, item_id
from benchmarks._platform import shared_platform
from benchmarks.harness import Options
from studio.config.processes import web_command
from tests.support.platform_process import ROOT, free_ports
from tests.support.services import postgres


def vendors(options: Options) -> tuple[str, ...]:
    """The databases to measure."""
    return options.pick(("sqlite", "postgresql"), smoke=("sqlite",))


@dataclass
class ServedProject:
    """A signed-in person, a project and its dataset."""

    http: httpx.Client
    web: psutil.Process
    project: str
    dataset: str
    workspace: str
    environment: dict[str, str]
    first: int = 0
    """Number of the first item in its id: others may stand in the same database."""
    _used_s: dict[int, float] = field(default_factory=dict)
    """Processor time of each process that has worked for this project, by its id; those that ended keep their last."""

    @property
    def home(self) -> Path:
        """Folder of the platform."""
        return Path(self.environment["MODELYARD_HOME"])

    def item(self, number: int) -> str:
        """Id of one of the items that it was filled with."""
        return item_id(self.first + number)

    def call(self, method: str, path: str, **arguments: Any) -> Any:
        """One request that must not be refused."""
        reply = self.http.request(method, path, **arguments)
        assert reply.is_success, f"{method} {path} -> {reply.status_code} {reply.text[:500]}"
        self.http.headers["X-CSRFToken"] = self.http.cookies.get("csrftoken", "")
        return reply.json() if reply.content and "json" in reply.headers.get("content-type", "") else reply.content

    def cpu_s(self) -> float:
        """Processor time of the web process, its children, and the database's processes that serve it."""
        processes = [self.web, *self.web.children(recursive=True)]
        if url := self.environment.get("MODELYARD_DATABASE_URL"):
            with psycopg.connect(url) as connection:
                query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                processes += [psutil.Process(pid) for (pid,) in connection.execute(query)]
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                self._used_s[process.pid] = sum(process.cpu_times()[:2])
        return sum(self._used_s.values())

    @staticmethod
    def wait_ms(call: Callable[[], object]) -> float:
        """Wall milliseconds of one request."""
        start = time.perf_counter()
        call()
        return (time.perf_counter() - start) * 1000

    def run(self, *command: str) -> str:
        """A Python command in the platform's environment."""
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout


class Serving(Protocol):
    """Whoever answers requests."""

    def cpu_s(self) -> float:
        """Processor time of its processes."""
        ...


def in_turns(contestants: Sequence[tuple[Serving, Callable[[], object]]], rounds: int) -> list[tuple[float, float]]:
    """Median wall and mean processor milliseconds of each contestant's call, in turns of ten; the first turn does not count."""
    in_a_turn = min(10, rounds)
    waits: list[list[float]] = [[] for _ in contestants]
    cpu = [0.0 for _ in contestants]
    for turn in range(1 + rounds // in_a_turn):
        for side, (where, call) in enumerate(contestants):
            before = where.cpu_s()
            times = [ServedProject.wait_ms(call) for _ in range(in_a_turn)]
            if turn > 0:
                waits[side] += times
                cpu[side] += 1000 * (where.cpu_s() - before)
    return [(statistics.median(times), used / len(times)) for times, used in zip(waits, cpu, strict=True)]


@contextmanager
def served_project(vendor: str, num_items: int) -> Iterator[ServedProject]:
    """Starts, fills and ends one."""
    if vendor == "sqlite" and (shared := shared_platform()) is not None:
        assert shared.process is not None
        environment = _environment(shared.home, shared.url)
        with httpx.Client(base_url=f"{shared.url}/api", timeout=120) as http:
            yield _entered(http, psutil.Process(shared.process.pid), environment, num_items, first=_unused())
        return
    with tempfile.TemporaryDirectory(prefix="modelyard-bench-") as home, _database(vendor) as url:
        (port,) = free_ports(1)
        environment = _environment(Path(home), f"http://127.0.0.1:{port}")
        if url:
            environment["MODELYARD_DATABASE_URL"] = url
        subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], cwd=ROOT, env=environment, check=True)
        log = (Path(home) / "web.log").open("wb")
        web = subprocess.Popen(web_command("127.0.0.1", port), cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}/api", timeout=120) as http:
                _wait(http)
                yield _entered(http, psutil.Process(web.pid), environment, num_items)
        finally:
            web.terminate()
            web.wait(20)
            log.close()


def _environment(home: Path, url: str) -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith(("MODELYARD_", "DJANGO_"))}
    return known | {
        "MODELYARD_HOME": str(home),
        "MODELYARD_BROKER_URL": "memory://",
        "MODELYARD_PUBLIC_URL": url,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'platform'}",
    }


def _unused() -> int:
    """A number from which on a hundred million items have no namesake in a database that is shared."""
    return time.time_ns() // 10**7 * 10**8 % 10**18


def _entered(
    http: httpx.Client, web: psutil.Process, environment: dict[str, str], num_items: int, *, first: int = 0
) -> ServedProject:
    made = ServedProject(http, web, "", "", "", environment, first)
    person = {"email": f"{uuid.uuid4().hex}@example.org", "password": "a long pass phrase", "name": "Ada"}
    me = made.call("POST", "/auth/sign-up", json=person)
    made.workspace = me["workspaces"][0]["id"]
    fields = {"workspace": made.workspace, "name": "Many", "task": "image_classification"}
    project = made.call("POST", "/projects", json=fields)
    made.project, made.dataset = project["id"], project["dataset"]
    labels = [{"name": name, "color": "#336699"} for name in LABELS]
    made.call("PUT", f"/projects/{made.project}/labels", json={"labels": labels})
    if num_items:
        made.run("-m", "benchmarks._fill", made.dataset, str(num_items), str(first))
    return made


def _wait(http: httpx.Client) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(httpx.TransportError):
            if http.get("/health").status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the web process did not come up")


@contextmanager
def _database(vendor: str) -> Iterator[str]:
    """Address of a fresh database; empty for SQLite, which lies in the home."""
    if vendor == "sqlite":
        yield ""
        return
    with postgres(is_durable=True) as server:
        name = f"bench_{os.getpid()}_{time.monotonic_ns()}"
        with psycopg.connect(server, autocommit=True) as admin:
            admin.execute(f'CREATE DATABASE "{name}"')
        try:
            yield server.rsplit("/", 1)[0] + f"/{name}"
        finally:
            with psycopg.connect(server, autocommit=True) as admin:
                admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
