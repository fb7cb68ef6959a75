"""What the four serving rows share: servers as processes of their own, their CPU time and memory, and load from outside."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.harness import SkippedError

REPOSITORY = Path(__file__).parents[1]
SECRET = "my_benchmark"
PREDICT = "/v1/deployments/dep_bench/predict"
PEER_PYTHON = "PEER_PYTHON"
START_TIMEOUT_S = 60

WRK_SCRIPT = """
wrk.method = "POST"
local file = io.open("{body}", "rb"); wrk.body = file:read("*a"); file:close()
wrk.headers["Authorization"] = "Bearer {secret}"
wrk.headers["Content-Type"] = "{content_type}"
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('{{"num_requests":%d,"num_errors":%d,"seconds":%f,"p50_ms":%f,"p99_ms":%f}}\\n', summary.requests,
    e.connect + e.read + e.write + e.status + e.timeout, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3))
end
"""


@dataclass(frozen=True)
class Body:
    """What every request sends."""

    content: bytes
    content_type: str


@dataclass(frozen=True)
class LoadResult:
    """What a stretch of load showed."""

    num_requests: int
    num_errors: int
    seconds: float
    p50_ms: float
    p99_ms: float

    @property
    def per_second(self) -> float:
        """Answers a second."""
        return self.num_requests / self.seconds


class Server:
    """A running server and how to load it."""

    def __init__(self, command: list[str], path: str, body: Body, port: int, scratch: Path) -> None:
        self.began_at = time.perf_counter()
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(REPOSITORY)}
        self.process = psutil.Popen(command, cwd=scratch, env=environment, stdout=subprocess.DEVNULL)
        self.port = port
        self._path = path
        self._body = body
        self._scratch = scratch
        self.start_s = 0.0

    @property
    def address(self) -> str:
        """Where it predicts."""
        return f"http://127.0.0.1:{self.port}{self._path}"

    def cpu_seconds(self) -> float:
        """CPU time of the process and its children so far."""
        family = [self.process, *self.process.children(recursive=True)]
        return sum(times.user + times.system for times in (member.cpu_times() for member in family))

    def memory_bytes(self) -> int:
        """Proportional share of memory of the process and its children."""
        family = [self.process, *self.process.children(recursive=True)]
        return sum(member.memory_full_info().pss for member in family)

    def wait_until_answering(self) -> float:
        """Waits for the first 200 to a picture; returns the seconds since the start."""
        headers = {"Authorization": f"Bearer {SECRET}", "Content-Type": self._body.content_type}
        while time.perf_counter() - self.began_at < START_TIMEOUT_S:
            try:
                with urllib.request.urlopen(urllib.request.Request(self.address, self._body.content, headers)):
                    return time.perf_counter() - self.began_at
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.005)
        raise AssertionError(f"{self.process.cmdline()} does not answer")

    def load(self, *, num_connections: int, seconds: float) -> LoadResult:
        """Loads the server, by wrk when there is one, and refuses to count errors."""
        command = self._wrk(num_connections, seconds) if shutil.which("wrk") else self._own_client(num_connections, seconds)
        output = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
        shown = LoadResult(**json.loads(output.strip().splitlines()[-1]))
        assert shown.num_errors == 0, f"{shown.num_errors} errors of {shown.num_requests}"
        return shown

    def cpu_ms(self, *, num_connections: int, seconds: float) -> float:
        """CPU time of an answer under load."""
        before = self.cpu_seconds()
        shown = self.load(num_connections=num_connections, seconds=seconds)
        return (self.cpu_seconds() - before) / shown.num_requests * 1000

    def _wrk(self, num_connections: int, seconds: float) -> list[str]:
        body, script = self._scratch / "body", self._scratch / "load.lua"
        body.write_bytes(self._body.content)
        script.write_text(WRK_SCRIPT.format(body=body, secret=SECRET, content_type=self._body.content_type))
        # wrk takes whole seconds.
        return [
            "wrk",
            "-t1",
            "--timeout",
            "60s",
            f"-c{num_connections}",
            f"-d{max(1, round(seconds))}s",
            "-s",
            str(script),
            self.address,
        ]

    def request(self) -> bytes:
        """A whole request as it goes over the wire."""
        lines = [f"POST {self._path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {SECRET}"]
        lines += [f"Content-Type: {self._body.content_type}", f"Content-Length: {len(self._body.content)}", "", ""]
        return "\r\n".join(lines).encode() + self._body.content

    def _own_client(self, num_connections: int, seconds: float) -> list[str]:
        file = self._scratch / "request"
        file.write_bytes(self.request())
        arguments = ["127.0.0.1", str(self.port), str(num_connections), str(seconds), str(file)]
        return [sys.executable, "-m", "benchmarks._client", *arguments]


@contextmanager
def ours(artefact_dir: Path, picture: bytes, **fields: object) -> Iterator[Server]:
    """The platform's prediction server with key check, metrics and log; ``fields`` are of the deployment's file."""
    with tempfile.TemporaryDirectory() as scratch:
        serving = Path(scratch) / "serving"
        deployment = {"id": "dep_bench", "slug": "bench", "workspace": "wsp_bench", "artefact": "art_bench"}
        deployment |= {"artefact_dir": str(artefact_dir), "state": "running", "keep_inputs": "none"} | fields
        (serving / "deployments").mkdir(parents=True)
        (serving / "deployments" / "dep_bench.json").write_text(json.dumps(deployment))
        key = {"sha256": hashlib.sha256(SECRET.encode()).hexdigest(), "id": "key_bench", "workspace": "wsp_bench"}
        (serving / "keys.json").write_text(json.dumps([key | {"expires_at": None, "can_predict": True}]))
        port = _free_port()
        command = [sys.executable, "-m", "runtime.server", "--serving", str(serving), "--port", str(port)]
        with _running(Server(command, PREDICT, Body(picture, "image/jpeg"), port, Path(scratch))) as server:
            yield server


@contextmanager
def bare(artefact_dir: Path, picture: bytes) -> Iterator[Server]:
    """The bare ASGI application."""
    with tempfile.TemporaryDirectory() as scratch:
        port = _free_port()
        command = [sys.executable, "-m", "benchmarks._bare_app", str(artefact_dir), str(port), SECRET]
        with _running(Server(command, PREDICT, Body(picture, "image/jpeg"), port, Path(scratch))) as server:
            yield server


@contextmanager
def litserve(artefact_dir: Path, picture: bytes, *, num_workers: int = 1) -> Iterator[Server]:
    """LitServe in the peer's own environment.

    Raises:
        SkippedError: no environment was named.
    """
    python = os.environ.get(PEER_PYTHON)
    if not python:
        raise SkippedError(f"{PEER_PYTHON} names no Python with litserve, numpy, onnxruntime and Pillow")
    with tempfile.TemporaryDirectory() as scratch:
        port = _free_port()
        body = Body(json.dumps({"image": base64.b64encode(picture).decode()}).encode(), "application/json")
        command = [python, "-m", "benchmarks._litserve_app", str(artefact_dir), str(port), str(num_workers)]
        with _running(Server(command, "/predict", body, port, Path(scratch))) as server:
            yield server


def has_peer() -> bool:
    """Whether LitServe can be measured."""
    return bool(os.environ.get(PEER_PYTHON))


@contextmanager
def _running(server: Server) -> Iterator[Server]:
    try:
        server.start_s = server.wait_until_answering()
        yield server
    finally:
        family = [*server.process.children(recursive=True), server.process]
        server.process.terminate()
        _, alive = psutil.wait_procs(family, timeout=10)
        for member in alive:
            member.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
