"""Names are words that a stranger guesses: a few that this project once used in meanings of its own do not come back."""

from __future__ import annotations

import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("automl", "benchmarks", "client", "engine", "exporters", "labeling", "platform", "runtime")
VAGUE = frozenset(("said", "says", "told", "wanted", "wish", "wishes"))
"""Say what it is instead: annotations, predicted, message, expected, requested, criteria."""
STORED = {
    "said": "engine/models/shared/two_stage.py",  # names weights in files
    "keeps_said": "platform/studio/datasets/tables/api.py",  # a field of the API, as the next
    "WantedState": "platform/studio/deployments/",
    "wanted": "platform/studio/deployments/",  # a column of the database, as the next
    "is_expiry_told": "platform/studio/accounts/",
}
"""Names that files, callers or databases know, and where they may be used."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def vague_names(path: Path) -> set[str]:
    """Identifiers of a file of which a word is vague."""
    with tokenize.open(path) as file:
        names = {token.string for token in tokenize.generate_tokens(file.readline) if token.type == tokenize.NAME}
    return {name for name in names if not VAGUE.isdisjoint(word.lower() for word in WORD.findall(name))}


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_name_is_vague(folder):
    paths = [path for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts]
    assert paths
    found = [
        f"{place}: {name}"
        for path in paths
        for place in [path.relative_to(ROOT).as_posix()]
        for name in sorted(vague_names(path))
        if not place.startswith(STORED.get(name, "/"))
    ]
    assert not found


def test_a_vague_name_is_found_whatever_its_form(tmp_path):
    path = tmp_path / "some.py"
    path.write_text("def _told(is_said_N, WantedState):\n    return 'told'  # said\n")
    assert vague_names(path) == {"_told", "is_said_N", "WantedState"}
