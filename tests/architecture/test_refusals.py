"""What the server refuses has a sentence for each code in every language of the app, with the values that the server sends."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from importlib import import_module

import pytest

from studio.common.errors import StudioError
from tests.support.platform_process import ROOT

PACKAGES = {"studio": ROOT / "platform" / "studio", "labeling": ROOT / "labeling"}
DICTIONARIES = {path.parent.name: json.loads(path.read_text()) for path in (ROOT / "frontend/src/i18n").glob("*/refusals.json")}
OF_PROGRAMS = frozenset(
    {
        "bulk_target_invalid",
        "features_unsupported",
        "no_columns",
        "part_too_large",
        "quality_unsupported",
        "search_unfit",
        "upload_offset_mismatch",
    }
)
"""Refusals that no page can bring about: they tell programs."""
TITLE_SAYS_IT = frozenset(
    {
        "annotation_stale",
        "batch_invalid",
        "blob_damaged",
        "blob_missing",
        "blob_store_unavailable",
        "bulk_not_undoable",
        "campaign_person",
        "examples_missing",
        "invalid_input",
        "job_finished",
        "not_found",
        "permission_denied",
        "quality_action",
        "study_ended",
        "study_objective_unknown",
        "upload_ended",
    }
)
"""Refusals whose English message alone has a value, such as an id or a state: elsewhere the title and the hint stand for it."""


def _modules() -> Iterator[str]:
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            if re.search(r"^class \w+\(\w+Error\):", path.read_text(encoding="utf-8"), re.M):
                yield ".".join([package, *path.relative_to(folder).with_suffix("").parts])


def _kinds() -> dict[str, list[type[StudioError]]]:
    """Kinds of errors by their code, as the modules of errors define them."""
    kinds: dict[str, list[type[StudioError]]] = {}
    for name in _modules():
        for kind in vars(import_module(name)).values():
            if isinstance(kind, type) and issubclass(kind, StudioError) and kind.__module__ == name:
                kinds.setdefault(kind.code, []).append(kind)
    return kinds


KINDS = _kinds()


def _params(code: str) -> set[str]:
    return {name for kind in KINDS.get(code, []) for name in kind.param_names}


def _placeholders(entry: dict[str, str]) -> set[str]:
    return {name for sentence in entry.values() for name in re.findall(r"{{(\w+)", sentence)}


def test_refusals_of_data_and_labelling_have_words():
    of_data = {code for code, kinds in KINDS.items() if any(_is_of_data(kind.__module__) for kind in kinds)}
    assert len(of_data) > 40
    assert of_data - DICTIONARIES["zh"].keys() - OF_PROGRAMS == set()


def _is_of_data(module: str) -> bool:
    return module.startswith(("labeling.", "studio.datasets."))


def test_every_refusal_with_values_says_them():
    english = DICTIONARIES["en"]
    silent = {code for code in KINDS if _params(code) and not any(part.startswith("detail") for part in english.get(code, {}))}
    assert silent == set()


def test_no_value_stands_in_an_english_message_alone():
    codes = {kind.__name__: kind.code for kinds in KINDS.values() for kind in kinds if not kind.param_names}
    alone = {codes[name] for name in _with_values() if name in codes and codes[name] in DICTIONARIES["en"]}
    assert alone == TITLE_SAYS_IT


def _with_values() -> Iterator[str]:
    """Names of the kinds of errors that are given a message with values in it, by themselves or by whoever raises them."""
    for path in (path for folder in PACKAGES.values() for path in sorted(folder.rglob("*.py"))):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for kind in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            yield from (kind.name for call in _calls_with_values(kind) if ast.unparse(call.func) == "super().__init__")
        yield from (ast.unparse(call.func) for call in _calls_with_values(tree))


def _calls_with_values(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.JoinedStr):
            yield node


@pytest.mark.parametrize("language", DICTIONARIES)
def test_sentences_name_only_what_the_server_sends(language):
    wrong = {code: found for code, entry in DICTIONARIES[language].items() if (found := _placeholders(entry) - _params(code))}
    assert wrong == {}


@pytest.mark.parametrize("language", DICTIONARIES)
def test_every_language_has_the_same_sentences(language):
    here, english = DICTIONARIES[language], DICTIONARIES["en"]
    assert {code: set(entry) for code, entry in here.items()} == {code: set(entry) for code, entry in english.items()}
    assert {part.partition("_")[0] for entry in here.values() for part in entry} == {"title", "detail", "hint"}


def test_values_that_no_sentence_may_name_are_refused():
    with pytest.raises(TypeError, match="has no params"):
        StudioError("x", params={"unknown": 1})


def test_languages_are_found():
    assert set(DICTIONARIES) >= {"en", "zh"}
