"""The runtime goes into every bundle: it may know the standard library, numpy, onnxruntime, Pillow and itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import runtime
from exporters.bundle import runtime_copy
from exporters.check import RUNTIME_PACKAGES, isolated_command

RUNTIME = Path(runtime.__file__).parent
MODULES = sorted(RUNTIME.rglob("*.py"))
KNOWS = {"server.py": {"uvicorn"}, "tokens.py": {"tokenizers"}, "_openvino.py": {"openvino"}}
ALLOWED = sys.stdlib_module_names | set(RUNTIME_PACKAGES)


def imported(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("module", MODULES, ids=lambda path: "/".join(path.relative_to(RUNTIME).parts))
def test_module_imports_only_what_every_bundle_has(module: Path) -> None:
    # uvicorn is what serves; only the module that starts the server may know it. Tokenizers are for texts alone. OpenVINO is
    # taken where it is installed.
    allowed = ALLOWED | KNOWS.get(module.name, set())
    assert imported(module.read_text(encoding="utf-8")) - allowed == set()


def test_runtime_works_under_any_name_with_nothing_else_at_hand(tmp_path: Path, artefact_dir: Path) -> None:
    runtime_copy(tmp_path / "other" / "deep")
    (tmp_path / "other" / "__init__.py").touch()
    command = isolated_command(tmp_path, "other.deep.selftest", [str(artefact_dir)], list(RUNTIME_PACKAGES))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '"is_passed":true' in done.stdout


def test_a_server_starts_without_what_few_calls_need() -> None:
    names = ["runtime.openapi", "runtime.templates.fields", "uvicorn"]
    program = f"import runtime.server, sys; print([name for name in {names} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["torch", "django", "pydantic", "automl", "engine", "exporters", "studio", "uvicorn"])
def test_isolation_hides_everything_else(tmp_path: Path, name: str) -> None:
    (tmp_path / "probe.py").write_text(f"import numpy, onnxruntime, PIL\nimport {name}\n")
    command = isolated_command(tmp_path, "probe", [], list(RUNTIME_PACKAGES))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"No module named '{name}'" in done.stderr
