"""The import contracts bite: a planted sin against each one is found, and the tree as it stands has none."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("automl", "engine", "exporters", "labeling", "runtime")

SINS = {
    "automl/contracts imports nobody": ("automl/contracts/sin.py", "import automl.search"),
    "automl sits at the bottom": ("automl/planning/sin.py", "import torch"),
    "engine knows neither Django": ("engine/data/sin.py", "import django"),
    "exporters know neither torch": ("exporters/sin.py", "import engine"),
    "the shipped runtime imports nothing": ("runtime/sin.py", "import automl"),
    "the platform never imports the labelling": ("studio/studies/sin.py", "import labeling"),
    "the web process never loads torch": ("studio/datasets/sin.py", "import torch"),
    "packages of the platform": ("studio/jobs/sin.py", "import studio.datasets"),
    "packages of the data sets": ("studio/datasets/items/sin.py", "import studio.datasets.versions"),
    "packages of the engine": ("engine/data/sin.py", "import engine.training"),
}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    command = [str(program), "--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": str(folder), "PATH": ""})


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tree")
    ignore = shutil.ignore_patterns("__pycache__", "migrations", "template")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=ignore)
    shutil.copytree(ROOT / "platform" / "studio", folder / "studio", ignore=ignore)
    return folder


def test_the_tree_keeps_its_arrows(copy):
    output = lint(copy)
    assert output.returncode == 0, output.stdout


@pytest.mark.parametrize("contract", SINS)
def test_a_planted_sin_is_found(copy, contract):
    name, line = SINS[contract]
    sin = copy / name
    sin.write_text(line + "\n")
    try:
        output = lint(copy)
    finally:
        sin.unlink()
    assert output.returncode != 0
    broken = [text for text in output.stdout.splitlines() if " BROKEN" in text]  # the number of ignored imports may follow
    assert any(text.startswith(contract) for text in broken), output.stdout
