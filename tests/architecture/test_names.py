"""Names are words that a stranger guesses: a few that this project once used in meanings of its own do not come back."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("automl", "benchmarks", "client", "engine", "exporters", "labeling", "platform", "runtime")
OTHER_FOLDERS = ("exporters", "frontend/benchmarks", "frontend/docs", "frontend/sdk", "frontend/src", "tests/exporters")
OTHERS = ("*.ts", "*.tsx", "*.js", "*.mjs", "*.java", "*.swift")
VAGUE = frozenset(("said", "says", "told", "wanted", "wish", "wishes", "room", "rooms", "house", "houses"))
"""Use what it is instead: annotations, predicted, message, expected, requested, criteria, space, package."""
STORED = {
    "keeps_said": "platform/studio/datasets/tables/api.py",  # the earlier name of a field of the API
    "is_expiry_told": "platform/studio/accounts/",  # a column of the database
}
"""Names that files, callers or databases know, and where they may be used."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
OUTSIDE = frozenset(("node_modules", "dist", "third_party", "schema.d.ts"))
"""Written by others or by programs."""
NAME = re.compile(r"[A-Za-z_$][\w$]*")
NOT_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`""", re.DOTALL)
"""Comments and strings of TypeScript, JavaScript, Java and Swift."""
INSERTED = re.compile(r"\$\{([^{}]*)\}")
"""Code within a template string."""


def vague_names(path: Path) -> set[str]:
    """Identifiers of a file of which a word is vague."""
    with tokenize.open(path) as file:
        return vague(token.string for token in tokenize.generate_tokens(file.readline) if token.type == tokenize.NAME)


def vague_names_of_others(path: Path) -> set[str]:
    """The same of a file in TypeScript, JavaScript, Java or Swift."""
    code = NOT_CODE.sub(inserted_code, path.read_text(encoding="utf-8"))
    return vague(NAME.findall(code))


def inserted_code(string: re.Match[str]) -> str:
    """What of a comment or a string is code."""
    text = string.group()
    return " ".join(["", *INSERTED.findall(text), ""]) if text.startswith("`") else " "


def vague(names: Iterable[str]) -> set[str]:
    """Names of which a word is vague."""
    return {name for name in names if not VAGUE.isdisjoint(word.lower() for word in WORD.findall(name))}


def complaints(paths: Iterable[Path], names_of: Callable[[Path], set[str]]) -> list[str]:
    """Vague names that nothing stored knows, with their files."""
    return [
        f"{place}: {name}"
        for path in paths
        for place in [path.relative_to(ROOT).as_posix()]
        for name in sorted(names_of(path))
        if not place.startswith(STORED.get(name, "/"))
    ]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_name_is_vague(folder):
    paths = [path for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts]
    assert paths
    assert not complaints(paths, vague_names)


@pytest.mark.parametrize("folder", OTHER_FOLDERS)
def test_no_name_in_typescript_javascript_java_or_swift_is_vague(folder):
    paths = [path for ending in OTHERS for path in sorted((ROOT / folder).rglob(ending)) if OUTSIDE.isdisjoint(path.parts)]
    assert paths
    assert not complaints(paths, vague_names_of_others)


def test_a_vague_name_is_found_whatever_its_form(tmp_path):
    path = tmp_path / "some.py"
    path.write_text("def _told(is_said_N, WantedState):\n    return 'told'  # said\n")
    assert vague_names(path) == {"_told", "is_said_N", "WantedState"}


def test_a_vague_name_is_found_in_code_alone_whatever_the_language(tmp_path):
    path = tmp_path / "some.tsx"
    path.write_text(
        "const isTold = `said ${wantedOf(room)}` /* wish */ + 'told' // house\n/* a\nwish */ type SaidRow = \"room\"\n"
    )
    assert vague_names_of_others(path) == {"isTold", "wantedOf", "room", "SaidRow"}
