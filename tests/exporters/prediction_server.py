"""A prediction server as a real process over a real serving folder, and what the platform would write into it."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

REPOSITORY = Path(__file__).parents[2]
SECRET = "my_secret"
WAIT_S = 30.0


def wait_for(condition: Callable[[], Any], what: str) -> Any:
    """Polls until the condition gives something true."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError(f"waited {WAIT_S} s in vain for {what}")


def write_json(path: Path, value: Any) -> None:
    """Writes atomically, as the file protocol asks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    partial.write_text(json.dumps(value), encoding="utf-8")
    partial.replace(path)


class Serving:
    """The folder, from the platform's side."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keys(self, *rows: dict[str, Any]) -> None:
        write_json(self.folder / "keys.json", rows)

    def deploy(self, name: str, artefact_dir: Path, **fields: Any) -> None:
        defaults = {
            "id": name,
            "slug": f"{name}-slug",
            "workspace": "wsp_own",
            "artefact_dir": str(artefact_dir),
            "artefact": "art_1",
            "thresholds": {},
            "state": "running",
            "keep_inputs": "none",
            "max_body_bytes": 1 << 20,
        }
        write_json(self.folder / "deployments" / f"{name}.json", {**defaults, **fields})

    def status(self, name: str) -> dict[str, Any]:
        path = self.folder / "status" / f"{name}.json"
        return json.loads(path.read_bytes()) if path.exists() else {}

    def wait_for_status(self, name: str, **expected: Any) -> dict[str, Any]:
        return wait_for(
            lambda: expected.items() <= self.status(name).items() and self.status(name), f"status {expected} of {name}"
        )

    def log(self, name: str) -> list[dict[str, Any]]:
        files = sorted((self.folder / "log" / name).glob("*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_bytes().splitlines()]


def key_row(secret: str = SECRET, **fields: Any) -> dict[str, Any]:
    """One row of keys.json."""
    digest = hashlib.sha256(secret.encode()).hexdigest()
    return {"sha256": digest, "id": f"key_{secret}", "workspace": "wsp_own", "expires_at": None, "can_predict": True, **fields}


class Server:
    """The process, from the caller's side."""

    def __init__(self, serving: Serving, *arguments: str, **environment: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", "runtime.server", "--serving", str(serving.folder), "--port", str(port)]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
        self.process = subprocess.Popen([*command, *arguments], cwd=REPOSITORY, env=environment)
        self.address = f"http://127.0.0.1:{port}"
        self.http = httpx.Client(base_url=self.address, timeout=WAIT_S, verify=False)

    def is_ready(self) -> bool:
        try:
            return self.http.get("/health").status_code == 200
        except httpx.TransportError:
            return False

    def predict(self, name: str, *, secret: str | None = SECRET, **request: Any) -> httpx.Response:
        headers = dict(request.pop("headers", {}))
        if secret is not None:
            headers["Authorization"] = f"Bearer {secret}"
        return self.http.post(f"/v1/deployments/{name}/predict", headers=headers, **request)

    def stop(self) -> int:
        self.http.close()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(WAIT_S)


@contextmanager
def running(serving: Serving, *arguments: str, **environment: str) -> Iterator[Server]:
    """A ready server, ended at the end whatever happened."""
    server = Server(serving, *arguments, **environment)
    try:
        wait_for(server.is_ready, "the server")
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()
