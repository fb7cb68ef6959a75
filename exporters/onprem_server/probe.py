"""Starts a freshly unpacked server and calls it: what is handed out has answered HTTP at least once."""

from __future__ import annotations

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from automl.contracts.artefact import EXPECTED_FILE, SAMPLES_DIR, GoldenSamples
from exporters.check import isolated_command
from exporters.errors import ExportCheckFailedError

START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 40.0
CALL_TIMEOUT_S = 30.0
POLL_EVERY_S = 0.05


def served_check(folder: Path, packages: Sequence[str], *, name: str, tolerance: float) -> None:
    """Serves the golden samples over HTTP from the folder.

    Args:
        folder: the unpacked archive.
        packages: importable beside it.
        name: of the deployment that the server holds.
        tolerance: largest difference of a score that passes.

    Raises:
        ExportCheckFailedError: the server does not start, or answers otherwise than the trained model.
    """
    port = _free_port()
    command = isolated_command(folder, "server", ["--port", str(port)], packages)
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_until_ready(process, address)
        _compare(f"{address}/v1/deployments/{name}/predict", folder / "artefact" / SAMPLES_DIR, tolerance)
    finally:
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_ready(process: subprocess.Popen[bytes], address: str) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=CALL_TIMEOUT_S):  # noqa: S310 - our own address
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(POLL_EVERY_S)
    raise ExportCheckFailedError("the unpacked server did not start")


def _compare(address: str, samples_dir: Path, tolerance: float) -> None:
    golden = GoldenSamples.read(samples_dir / EXPECTED_FILE)
    for sample in golden.samples:
        expected = dict(zip(golden.labels, sample.scores, strict=True))
        answer = _call(f"{address}?threshold=0&top={len(expected)}", (samples_dir / sample.file).read_bytes())
        given = {a["label"]: a["score"] for a in answer["predictions"][0]["annotations"]}
        if given.keys() != expected.keys() or any(abs(given[label] - expected[label]) > tolerance for label in expected):
            raise ExportCheckFailedError(f"the unpacked server answers {sample.file} otherwise than the trained model")


def _call(address: str, body: bytes) -> dict[str, Any]:
    request = urllib.request.Request(address, data=body, headers={"Content-Type": "application/octet-stream"})  # noqa: S310 - our own address
    try:
        with urllib.request.urlopen(request, timeout=CALL_TIMEOUT_S) as response:  # noqa: S310 - our own address
            answer: dict[str, Any] = json.load(response)
            return answer
    except (urllib.error.URLError, ConnectionError, ValueError) as error:
        raise ExportCheckFailedError(f"the unpacked server does not answer: {error}") from error
