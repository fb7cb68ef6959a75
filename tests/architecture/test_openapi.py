"""The API's description that the front end's client is made from is the one that the code gives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def export(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "manage.py", "export_openapi", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env={**environment, "MODELYARD_HOME": str(home)}, capture_output=True, text=True, check=False
    )


def test_committed_description_is_up_to_date(tmp_path: Path):
    done = export(tmp_path, "--check")
    assert done.returncode == 0, done.stderr


def test_outdated_description_is_noticed(tmp_path: Path):
    (tmp_path / "openapi.json").write_text("{}")
    done = export(tmp_path, "--check", "--output", str(tmp_path / "openapi.json"))
    assert done.returncode != 0
    assert "not up to date" in done.stderr


def test_description_is_the_same_in_every_process(tmp_path: Path):
    for name in ("a.json", "b.json"):
        assert export(tmp_path, "--output", str(tmp_path / name)).returncode == 0
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
