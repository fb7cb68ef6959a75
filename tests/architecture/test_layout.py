"""The layout of the repository: tree, packages and file names."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tracked(*patterns: str) -> list[Path]:
    """Files that git knows or would take up."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / line for line in listing.stdout.splitlines() if (ROOT / line).is_file()]


def test_platform_folder_does_not_shadow_the_standard_library():
    assert not (ROOT / "platform" / "__init__.py").exists()
    assert platform.python_version().startswith("3.")
    output = subprocess.run(
        [sys.executable, "-c", "import platform; print(platform.__file__)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(ROOT) not in output.stdout


def test_no_tests_live_below_the_source_root():
    assert not [path for path in tracked("platform") if path.name.startswith("test_")]


def test_init_files_stay_short():
    """Empty, the package's short public list, or discovery: never a package of its own."""
    for path in tracked("*/__init__.py"):
        if not {"node_modules", "template"} & set(path.parts):
            assert len(path.read_text().splitlines()) <= 60, path.relative_to(ROOT)


@pytest.mark.parametrize(
    "pattern", [r"(?<![\w.])/(?:root|work)/\w", r"https?://[\w.-]*(?:npmjs|pypi|pythonhosted|deb\.debian)[\w.-]*/"]
)
def test_no_machine_paths_and_no_registry_hosts(pattern):
    suffixes = {".py", ".ts", ".tsx", ".md", ".toml", ".json", ".yml", ".sh", ""}
    for path in tracked():
        if path.suffix in suffixes and path != Path(__file__).resolve():
            found = re.search(pattern, path.read_text(errors="ignore"))
            assert not found, f"{path.relative_to(ROOT)}: {found and found[0]}"


def test_every_folder_of_an_extensible_kind_exports_its_name():
    for kind, module, constant in (
        ("engine/tasks", "spec", "TASK"),
        ("engine/models", "family", "FAMILY"),
        ("exporters", "target", "TARGET"),
    ):
        folders = [path.parent for path in (ROOT / kind).glob(f"*/{module}.py")]
        assert folders, f"nothing found below {kind}"
        for folder in folders:
            text = (folder / f"{module}.py").read_text()
            assert re.search(rf"^{constant}\b", text, flags=re.MULTILINE), folder
            assert f'name="{folder.name}"' in text, f"{folder} exports another name than its folder's"
