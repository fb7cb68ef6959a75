"""What ends a job has words in both languages of the pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
BASES = {"EngineError", "ExportError"}
ABSTRACT = {"engine_error"}
"""Of a base that nobody raises."""


def failure_codes() -> Iterator[str]:
    """Codes of all classes that derive from the bases, wherever they are written."""
    classes = [
        node
        for folder in ("engine", "exporters", "runtime")
        for path in sorted((REPOSITORY / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    names = set(BASES)
    while more := {one.name for one in classes if names & {ast.unparse(base) for base in one.bases}} - names:
        names |= more
    for one in classes:
        for line in one.body if one.name in names else ():
            if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "code":
                yield ast.literal_eval(line.value)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_failures_of_jobs_have_words(language):
    source = (REPOSITORY / "frontend" / "src" / "i18n" / language / "jobs.ts").read_text(encoding="utf-8")
    worded = set(re.findall(r"^    (\w+): \{$", source.split("  failure: {")[1], re.MULTILINE))
    codes = set(failure_codes()) - ABSTRACT
    assert "parity_failed" in codes
    assert codes <= worded
