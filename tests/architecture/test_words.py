"""Each folder of words has the same sentences in every language, and the code beside it says them all with their values."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from automl.contracts.words import ONE, OTHER
from tests.architecture.test_counts import LAYERS, ROOT, files_of

WORDS = {
    folder.relative_to(ROOT).as_posix(): {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
    for layer in LAYERS.values()
    for folder in sorted((ROOT / layer).rglob("words"))
    if folder.is_dir()
}
REASON = re.compile(r"(?:reason|note)\.(.+)")
"""Why a file was refused, or what is noted of it: the code stands in a module beside the words (``datasets.files.reasons``)."""
LANGUAGES = set().union(*WORDS.values())


def plain(key: str) -> str:
    """Without the form of its number."""
    return re.sub(f"({ONE}|{OTHER})$", "", key)


def values_in(sentence: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name is not None)


@cache
def calls(folder: Path) -> tuple[ast.Call, ...]:
    """Where the modules of a folder say a sentence: ``words(...)``, ``words.below(...)``, and ``self.words(...)``."""
    return tuple(
        node
        for path in sorted(folder.glob("*.py"))
        if "import Words" in (source := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and re.fullmatch(r"(self\.)?words(\.below)?", ast.unparse(node.func))
    )


def pattern(call: ast.Call) -> str:
    """The keys that a call may mean, as a regular expression."""
    return key_pattern(call.args[0]) + (r"\..+" if ast.unparse(call.func).endswith(".below") else "")


def key_pattern(key: ast.expr) -> str:
    if isinstance(key, ast.IfExp):
        return f"({key_pattern(key.body)}|{key_pattern(key.orelse)})"
    assert isinstance(key, ast.Constant | ast.JoinedStr), f"a key is written where it is said: {ast.unparse(key)}"
    parts = key.values if isinstance(key, ast.JoinedStr) else [key]
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in parts)


def is_own(call: ast.Call) -> bool:
    return not ast.unparse(call.func).startswith("self.")


FOLDERS = [
    folder
    for folder in sorted({Path(path).parent.as_posix() for layer in LAYERS for path in files_of(layer)})
    if calls(ROOT / folder)
]
HANDED_ON = {pattern(call) for folder in FOLDERS for call in calls(ROOT / folder) if not is_own(call)}
"""Keys of words that another folder was given."""


def test_words_are_found():
    assert set(LANGUAGES) >= {"en", "zh"}
    assert {"engine/tasks/shared/words", "engine/models/yolo/words", "exporters/python_sdk/words"} <= WORDS.keys()


@pytest.mark.parametrize("folder", WORDS)
def test_every_language_says_the_same(folder):
    languages = WORDS[folder]
    assert set(languages) == LANGUAGES
    keys = {language: {plain(key) for key in sentences} for language, sentences in languages.items()}
    assert {language: keys["en"] ^ here for language, here in keys.items() if here != keys["en"]} == {}
    for language, sentences in languages.items():
        assert [key for key, sentence in sentences.items() if not sentence.strip()] == [], language
        assert [key for key in sentences if key.endswith(ONE) and plain(key) + OTHER not in sentences] == [], language


@pytest.mark.parametrize("folder", WORDS)
def test_every_language_names_the_same_values(folder):
    named = {(plain(key), values_in(text)) for sentences in WORDS[folder].values() for key, text in sentences.items()}
    keys = [key for key, _ in named]
    assert sorted(key for key in set(keys) if keys.count(key) > 1) == []


@pytest.mark.parametrize("folder", WORDS)
def test_every_sentence_is_used(folder):
    patterns = HANDED_ON | {pattern(call) for call in calls((ROOT / folder).parent)}
    modules = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).parent.glob("*.py")))
    patterns |= {re.escape(key) for key in WORDS[folder]["en"] if (code := REASON.match(key)) and f'"{code[1]}"' in modules}
    silent = {key for key in map(plain, WORDS[folder]["en"]) if not any(re.fullmatch(each, key) for each in patterns)}
    assert silent == set()


def test_every_reason_stands_in_one_folder():
    codes = [code[1] for sentences in WORDS.values() for key in sentences["en"] if (code := REASON.match(key))]
    assert len(codes) > 50
    assert sorted({code for code in codes if codes.count(code) > 1}) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_key_in_use_is_there_with_its_values(folder):
    sentences = WORDS.get(f"{folder}/words", {}).get("en", {})
    values = {plain(key): values_in(sentence) for key, sentence in sentences.items()}
    for call in filter(is_own, calls(ROOT / folder)):
        found = [key for key in values if re.fullmatch(pattern(call), key)]
        assert found, f"{folder}/words has no {ast.unparse(call.args[0])}"
        given = {keyword.arg for keyword in call.keywords}
        if isinstance(call.func, ast.Name) and None not in given:
            assert [key for key in found if values[key] != given] == [], ast.unparse(call)
