"""Starts a freshly unpacked server and calls it: every product that people download has answered over HTTP."""

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
from exporters.answers import answer_kind
from exporters.bundle import manifest_read
from exporters.check import isolated_command
from exporters.errors import ExportCheckFailedError
from exporters.items import item_kind

START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 40.0
CALL_TIMEOUT_S = 30.0
POLL_EVERY_S = 0.05
MOST = 1_000_000
"""Annotations that are asked for: more than any answer has."""
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Without the environment's proxy, which cannot reach ports of this machine."""


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
        _compare(f"{address}/v1/deployments/{name}/predict", folder / "artefact", tolerance)
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
            with _DIRECT.open(f"{address}/health", timeout=CALL_TIMEOUT_S):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(POLL_EVERY_S)
    raise ExportCheckFailedError("the unpacked server did not start")


def _compare(address: str, artefact_dir: Path, tolerance: float) -> None:
    manifest, samples_dir = manifest_read(artefact_dir), artefact_dir / SAMPLES_DIR
    items, answers = item_kind(manifest), answer_kind(manifest)
    golden = GoldenSamples.read(samples_dir / EXPECTED_FILE)
    for sample in golden.samples:
        body, content_type = items.request((samples_dir / sample.file).read_bytes(), manifest.decode)
        answer = _call(f"{address}?threshold={answers.safe_threshold(sample)}&top={MOST}", body, content_type)
        actual, expected = answers.actual(_annotations(answer)), answers.expected(golden, sample)
        is_same = [label for label, _ in actual] == [label for label, _ in expected]
        if not is_same or any(abs(one[1] - other[1]) > tolerance for one, other in zip(actual, expected, strict=True)):
            raise ExportCheckFailedError(f"the unpacked server answers {sample.file} otherwise than the trained model")


def _annotations(answer: dict[str, Any]) -> list[dict[str, Any]]:
    (prediction,) = answer["predictions"]
    found: list[dict[str, Any]] = prediction["annotations"]
    return found


def _call(address: str, body: bytes, content_type: str) -> dict[str, Any]:
    request = urllib.request.Request(address, data=body, headers={"Content-Type": content_type})  # noqa: S310 - our own address
    try:
        with _DIRECT.open(request, timeout=CALL_TIMEOUT_S) as response:
            answer: dict[str, Any] = json.load(response)
            return answer
    except (urllib.error.URLError, ConnectionError, ValueError) as error:
        raise ExportCheckFailedError(f"the unpacked server does not answer: {error}") from error
