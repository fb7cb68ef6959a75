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


def test_outdated_description_is_noticed_and_another_process_writes_the_same(tmp_path: Path):
    written = tmp_path / "openapi.json"
    written.write_text("{}")
    done = export(tmp_path, "--check", "--output", str(written))
    assert done.returncode != 0
    assert "not up to date" in done.stderr
    assert export(tmp_path, "--output", str(written)).returncode == 0
    assert written.read_bytes() == (ROOT / "frontend" / "openapi.json").read_bytes()
