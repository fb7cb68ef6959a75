"""The architecture page and the glossary, held against the tree and the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from django.apps import apps

from studio.jobs.handlers import job_kinds

DOCS = Path(__file__).resolve().parents[2] / "docs"
MADE_ELSEWHERE = {"dsv", "prd"}
"""A version is named by its content, a prediction by the server that answers."""


def tree_paths() -> Iterator[str]:
    """Paths of the page's tree, braces written out; patterns and what is left open are passed over."""
    block = DOCS.joinpath("architecture.md").read_text(encoding="utf-8").split("## 4. The tree")[1].split("```")[1]
    for line in block.splitlines():
        for word in re.split(r"\s+", re.split(r"\s{3,}", line)[0]) if line[:1].strip() else ():
            if not re.search(r"<|NNNN", word):
                yield from expanded(word.replace(",...", ""))


def expanded(word: str) -> Iterator[str]:
    parts = [part.strip("{}").split(",") for part in re.split(r"(\{[^}]*\})", word)]
    yield from ("".join(chosen) for chosen in product(*parts))


def test_what_the_page_names_is_there():
    paths = list(tree_paths())
    assert len(paths) > 60
    missing = [path for path in paths if not (DOCS.parent / path).exists() and not (DOCS.parent / f"{path}.py").exists()]
    assert not missing


def test_the_glossary_knows_every_kind_of_id_and_no_other():
    page = DOCS.joinpath("glossary.md").read_text(encoding="utf-8")
    prefixes = {model.ID_PREFIX for model in apps.get_models() if hasattr(model, "ID_PREFIX")}
    assert set(re.findall(r"\| `([a-z]+)_` \|", page)) == prefixes | MADE_ELSEWHERE


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_kind_of_job_has_a_word(language):
    words = (DOCS.parent / f"frontend/src/i18n/{language}/jobs.ts").read_text(encoding="utf-8")
    kinds = words.split("  kind: {")[1].split("\n  },")[0]
    ours = {kind for kind, path in job_kinds().items() if not path.startswith("tests.")}
    assert ours <= set(re.findall(r"^    (\w+):", kinds, re.MULTILINE))
