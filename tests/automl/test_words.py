"""Sentences beside the code: their values, their numbers, a third language, and what is shown where one is missing."""

from __future__ import annotations

import json

import pytest

from automl.contracts.base import Text
from automl.contracts.words import Words, WordsError


def folder_of(tmp_path, **languages):
    (tmp_path / "words").mkdir()
    for language, sentences in languages.items():
        (tmp_path / "words" / f"{language}.json").write_text(json.dumps(sentences), encoding="utf-8")
    return Words(str(tmp_path / "spec.py"))


def test_values_stand_in_each_language(tmp_path):
    words = folder_of(tmp_path, en={"size": "{name}: {number:,} rows"}, zh={"size": "{name}：{number:,} 行"})
    assert words("size", name="x", number=1_000) == Text(en="x: 1,000 rows", zh="x：1,000 行")


def test_a_text_is_given_in_the_language_of_its_sentence(tmp_path):
    words = folder_of(tmp_path, en={"none": "No {noun}."}, zh={"none": "没有{noun}。"})
    assert words("none", noun=Text(en="row", zh="行")) == Text(en="No row.", zh="没有行。")


def test_one_has_a_form_of_its_own_where_the_language_has_one(tmp_path):
    words = folder_of(tmp_path, en={"n_one": "{count} row", "n_other": "{count} rows"}, zh={"n_other": "{count} 行"})
    assert words("n", count=1) == Text(en="1 row", zh="1 行")
    assert words("n", count=2) == Text(en="2 rows", zh="2 行")


def test_a_third_language_is_a_third_file(tmp_path):
    words = folder_of(tmp_path, en={"a": "{b} day"}, fr={"a": "{b} jour"}, zh={"a": "{b} 天"})
    text = words("a", b=Text(en="one", zh="一"))
    assert (text.in_language("fr"), text.in_language("de")) == ("one jour", "one day")
    assert Text.model_validate_json(text.model_dump_json()) == text


def test_a_missing_sentence_names_folder_language_and_key(tmp_path):
    words = folder_of(tmp_path, en={"a": "x"}, zh={})
    with pytest.raises(WordsError, match=r"words.zh\.json has no 'a'"):
        words("a")


def test_a_missing_value_names_folder_language_and_key(tmp_path):
    words = folder_of(tmp_path, en={"a": "x {n}"}, zh={"a": "x {n}"})
    with pytest.raises(WordsError, match=r"words.en\.json: 'a' names 'n', which is not given"):
        words("a")


def test_a_folder_without_words_is_named(tmp_path):
    with pytest.raises(WordsError, match=str(tmp_path)):
        Words(str(tmp_path / "spec.py"))("a")


def test_keys_below_a_prefix_and_the_values_of_a_sentence(tmp_path):
    words = folder_of(tmp_path, en={"role.owner": "{name}, owner", "roles": "x"}, zh={"role.owner": "{name}", "roles": "x"})
    assert list(words.below("role")) == ["owner"]
    assert words.names("role.owner") == {"name"}
