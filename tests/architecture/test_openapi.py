"""The descriptions that the web app's client and the documentation are made from are those that the code gives."""

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
    folder = tmp_path / "written"
    folder.mkdir()
    (folder / "openapi.json").write_text("{}")
    done = export(tmp_path, "--check", "--output", str(folder))
    assert done.returncode != 0
    assert "not up to date" in done.stderr
    assert export(tmp_path, "--output", str(folder)).returncode == 0
    for name in ("openapi.json", "prediction-openapi.json"):
        assert (folder / name).read_bytes() == (ROOT / "frontend" / name).read_bytes()
