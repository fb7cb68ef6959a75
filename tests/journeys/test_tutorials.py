"""The programs in the tutorials run as they are printed, in both languages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.walk import Walk, digits

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pictures in folders named like their labels, and a file that is none."""
    for name, data in digits(num_classes=2, per_class=6).items():
        path = tmp_path / "parts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "parts" / "broken.png").write_bytes(b"no picture")
    return tmp_path / "parts"


@pytest.mark.parametrize("page", ["guide/pictures.md", "zh/guide/pictures.md"])
def test_program_of_a_tutorial_runs(page: str, platform, folder: Path, capsys: pytest.CaptureFixture[str]):
    programs = PROGRAM.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))
    assert programs
    with Walk(platform) as walk:
        for program in programs:
            given: dict[str, Any] = {"url": platform.url, "key": walk.key(), "workspace": walk.workspace, "folder": folder}
            exec(compile(program, page, "exec"), given)
            assert given["uploaded"].num_new == 12
            assert [one.name for one in given["uploaded"].refused] == ["broken.png"]
            assert given["version"].number == 1
            made = walk.call("GET", f"/projects/{given['project'].id}")
            assert made["name"] == "Parts"
    assert "12 pictures, 1 refused" in capsys.readouterr().out
