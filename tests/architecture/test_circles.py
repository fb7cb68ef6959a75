"""No file imports, over however many others, what imports it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = tuple(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["root_packages"])


def circles(*packages: str) -> list[list[str]]:
    """Groups of files that reach one another by imports, those inside functions included, those for type checkers alone not.

    Tarjan's algorithm for strongly connected components ("Depth-First Search and Linear Graph Algorithms", 1972).
    """
    graph = grimp.build_graph(*packages, exclude_type_checking_imports=True, cache_dir=None)
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        numbers[module] = lowest[module] = len(numbers)
        path.append(module)
        for other in sorted(graph.find_modules_directly_imported_by(module)):
            if other not in numbers:
                visit(other)
            if other in path:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == numbers[module]:
            group = path[path.index(module) :]
            del path[path.index(module) :]
            if len(group) > 1:
                found.append(sorted(group))

    for module in sorted(graph.modules):
        if module not in numbers:
            visit(module)
    return found


def test_no_files_import_one_another():
    found = circles(*PACKAGES, "tests", "benchmarks")
    assert not found, "give what both need to a file below them: " + "; ".join(" <-> ".join(group) for group in found)


def test_a_circle_is_found_also_where_a_function_closes_it(tmp_path, monkeypatch):
    package = tmp_path / "planted_circle"
    package.mkdir()
    files = {
        "__init__": "",
        "first": "from planted_circle import second\n",
        "second": "from planted_circle import third\n",
        "third": "def call():\n    from planted_circle.first import call\n",
        "apart": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from planted_circle import over\n",
        "over": "from planted_circle import apart, first\n",
    }
    for name, text in files.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert circles("planted_circle") == [["planted_circle.first", "planted_circle.second", "planted_circle.third"]]
