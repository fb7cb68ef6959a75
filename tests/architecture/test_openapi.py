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


def test_committed_descriptions_are_up_to_date_and_an_outdated_one_is_noticed(tmp_path: Path):
    """What another process writes is compared; what is checked has one file that is up to date before one that is not."""
    folder = tmp_path / "written"
    folder.mkdir()
    done = export(tmp_path, "--output", str(folder))
    assert done.returncode == 0, done.stderr
    for name in ("openapi.json", "prediction-openapi.json"):
        assert (folder / name).read_bytes() == (ROOT / "frontend" / name).read_bytes(), f"run manage.py export_openapi: {name}"
    (folder / "prediction-openapi.json").write_text("{}")
    done = export(tmp_path, "--check", "--output", str(folder))
    assert done.returncode != 0
    assert "prediction-openapi.json is not up to date" in done.stderr
