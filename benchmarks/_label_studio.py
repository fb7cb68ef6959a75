"""Label Studio, from a Python of its own, as a contestant of rows that measure a labelling tool.

It runs as ``label-studio start`` does for its users: its own server on SQLite. Nothing of it is shipped or imported.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks._fill import LABELS
from benchmarks.harness import SkippedError
from tests.support.platform_process import free_ports

PEER_PYTHON = "PEER_PYTHON_LABEL_STUDIO"
_TOKEN = "0123456789abcdef0123456789abcdef01234567"
_IN_A_REQUEST = 5_000
_CHOICES = "".join(f'<Choice value="{name}"/>' for name in LABELS)
_VIEW = f'<View><Image name="image" value="$image"/><Choices name="choice" toName="image">{_CHOICES}</Choices></View>'


@dataclass
class LabelStudio:
    """A running one, with a project of pictures by address; none is fetched."""

    http: httpx.Client
    process: psutil.Process
    project: int = 0
    tasks: list[int] = field(default_factory=list)
    """Ids of the project's tasks."""

    def call(self, method: str, path: str, **arguments: Any) -> Any:
        """One request that must not be refused."""
        reply = self.http.request(method, path, **arguments)
        assert reply.is_success, f"{method} {path} -> {reply.status_code} {reply.text[:500]}"
        return reply.json() if reply.content else None

    def cpu_s(self) -> float:
        """Processor time of its processes."""
        return sum(sum(one.cpu_times()[:2]) for one in (self.process, *self.process.children(recursive=True)))

    def filled(self, num_tasks: int) -> float:
        """Makes a project, six of ten tasks labelled, as ``benchmarks._fill`` does; returns the wall seconds of the import."""
        self.project = self.call("POST", "/projects/", json={"title": "Many", "label_config": _VIEW})["id"]
        spent_s = 0.0
        for start in range(0, num_tasks, _IN_A_REQUEST):
            tasks = [self._task(number) for number in range(start, min(start + _IN_A_REQUEST, num_tasks))]
            before = time.perf_counter()
            self.call("POST", f"/projects/{self.project}/import", json=tasks)
            spent_s += time.perf_counter() - before
        first = self.call("GET", "/tasks/", params={"project": self.project, "page": 1, "page_size": 1})["tasks"][0]["id"]
        self.tasks = list(range(first, first + num_tasks))
        return spent_s

    def _task(self, number: int) -> dict[str, Any]:
        result = [choice(LABELS[number % len(LABELS)])] if number % 10 < 6 else None
        return {"data": {"image": f"https://example.org/{number}.jpg"}} | (
            {"annotations": [{"result": result}]} if result else {}
        )


def choice(label: str) -> dict[str, Any]:
    """A picture's label in its words."""
    return {"from_name": "choice", "to_name": "image", "type": "choices", "value": {"choices": [label]}}


@contextmanager
def label_studio() -> Iterator[LabelStudio]:
    """Starts one in a folder of its own and ends it.

    Raises:
        SkippedError: ``PEER_PYTHON_LABEL_STUDIO`` names no Python that has it.
    """
    python = os.environ.get(PEER_PYTHON)
    if not python:
        raise SkippedError(f"{PEER_PYTHON} names no Python with label-studio")
    (port,) = free_ports(1)
    with tempfile.TemporaryDirectory(prefix="label-studio-") as folder:
        ours = ("MODELYARD_", "DJANGO_", "PYTHON")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        environment |= {
            "LABEL_STUDIO_BASE_DATA_DIR": folder,
            "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
            "LABEL_STUDIO_USERNAME": "a@example.org",
            "LABEL_STUDIO_PASSWORD": "a long pass phrase",
            "LABEL_STUDIO_USER_TOKEN": _TOKEN,
            "COLLECT_ANALYTICS": "false",
            "LATEST_VERSION_CHECK": "false",
        }
        command = [str(Path(python).with_name("label-studio")), "start", "--no-browser", "--port", str(port)]
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            headers = {"Authorization": f"Token {_TOKEN}"}
            with httpx.Client(base_url=f"http://127.0.0.1:{port}/api", headers=headers, timeout=600) as http:
                _wait(http, process, Path(folder) / "log")
                yield LabelStudio(http, psutil.Process(process.pid))
        finally:
            process.terminate()
            process.wait(30)


def _wait(http: httpx.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(httpx.TransportError):
            if http.get("/projects/").status_code == 200:
                return
        time.sleep(0.5)
    raise AssertionError(f"Label Studio did not come up:\n{log.read_text(errors='replace')[-3000:]}")
