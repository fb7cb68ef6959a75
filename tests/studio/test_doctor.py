"""The doctor names each planted fault with a cure, and finds nothing wrong with a healthy home."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

FAULTS = {
    "database": {"MODELYARD_DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"},
    "broker": {"MODELYARD_BROKER_URL": "redis://127.0.0.1:1/0"},
    "storage": {
        "MODELYARD_BLOBS": "s3://pictures",
        "MODELYARD_S3_ENDPOINT": "http://127.0.0.1:1",
        "MODELYARD_S3_ACCESS_KEY": "key",
        "MODELYARD_S3_SECRET_KEY": "secret-secret",
    },
}


def doctor(home: Path, faults: dict[str, str]) -> subprocess.CompletedProcess[str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith(("MODELYARD_", "DJANGO_"))}
    command = [sys.executable, "manage.py", "doctor", "--json"]
    environment = {**known, "MODELYARD_HOME": str(home), **faults}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)


def test_a_healthy_home_has_nothing_wrong(tmp_path):
    output = doctor(tmp_path, {})
    wrong = [finding for finding in json.loads(output.stdout) if finding["level"] == "wrong" and finding["name"] != "web app"]
    assert not wrong


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_named_with_a_cure(tmp_path, name):
    output = doctor(tmp_path, FAULTS[name])
    assert output.returncode == 1, output.stderr
    wrong = {finding["name"]: finding for finding in json.loads(output.stdout) if finding["level"] == "wrong"}
    assert name in wrong
    assert wrong[name]["cure"]


def test_a_wrong_environment_is_named_whole_and_without_a_traceback(tmp_path):
    output = doctor(tmp_path, {"MODELYARD_DATABASE_URL": "mysql://x", "MODELYARD_DEBUG": "maybe"})
    assert output.returncode != 0
    assert "MODELYARD_DATABASE_URL" in output.stderr
    assert "MODELYARD_DEBUG" in output.stderr
    assert "Traceback" not in output.stderr


def test_the_cache_is_shown_with_its_limit(tmp_path):
    graph = tmp_path / "cache" / "graphs" / "a.onnx"
    graph.parent.mkdir(parents=True)
    with graph.open("wb") as file:
        file.truncate(3 * 2**30)  # takes no room on the disk

    def finding(limit: str) -> tuple[str, str]:
        found = {each["name"]: each for each in json.loads(doctor(tmp_path, {"MODELYARD_CACHE_GB": limit}).stdout)}
        return found["cache"]["level"], found["cache"]["detail"]

    assert finding("2") == ("note", "3.0 GiB that jobs can make again, at most 2 GiB")
    assert finding("0") == ("ok", "3.0 GiB that jobs can make again, without a limit")
