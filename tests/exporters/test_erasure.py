"""What a model looked at in a text, by erasure: models of known weights are explained by exactly these."""

import re

import pytest

from runtime.items.text.erasure import LEAST_FALL, MAX_PARTS, erasures, text_parts, weighted_parts

WORDS = {"great": 0.3, "lovely": 0.15, "awful": -0.2}


def pieces(text, **options):
    return [text[part.start : part.end] for part in text_parts(text, **options)]


def bag_of_words(text):
    """A linear model."""
    return 0.5 + sum(WORDS.get(word, 0.0) for word in re.findall(r"\w+", text.lower()))


def explain(text, model):
    parts = text_parts(text)
    return {
        text[one.start : one.end].strip(): one for one in weighted_parts(text, parts, list(map(model, erasures(text, parts))))
    }


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("A good, (very) bad film. It's 3.5!", ["A ", "good, ", "(very) ", "bad ", "film. ", "It's ", "3.5!"]),
        ("这部电影不好看，但是（演员）还行。", ["这部", "电影", "不好", "看，", "但是", "（演员）", "还行。"]),
        ("用iPhone15拍的，3.5分", ["用", "iPhone15", "拍的，", "3.5", "分"]),
        ("  one\n\ntwo  ", ["  one\n\n", "two  "]),
        ("…!", ["…!"]),
        (" 好", [" 好"]),
        ("😀 привет", ["😀 ", "привет"]),
        ("", []),
    ],
)
def test_a_text_is_cut_at_words_or_pairs_of_characters(text, cut):
    assert pieces(text) == cut


@pytest.mark.parametrize("text", ["word " * 500, "好" * 1001, "a " * 49, " ，" * 70 + "x", "x" * 9999])
def test_the_parts_of_a_long_text_are_few_and_even_and_join_back(text):
    cut = pieces(text)
    assert "".join(cut) == text
    assert len(cut) <= MAX_PARTS
    assert all(cut)
    assert len(pieces(text, max_parts=3)) <= 3
    lengths = [len(piece.split()) for piece in pieces("word " * 500)]
    assert len(lengths) == MAX_PARTS
    assert max(lengths) - min(lengths) <= 1


def test_a_linear_model_is_explained_by_its_words_and_no_others():
    found = explain("A great film, lovely music; an awful end.", bag_of_words)
    falls = {piece: round(one.fall, 6) for piece, one in found.items() if one.fall != pytest.approx(0)}
    assert falls == {"great": 0.3, "lovely": 0.15, "awful": -0.2}
    assert found["great"].weight == 1.0
    assert found["lovely"].weight == pytest.approx(0.5)
    assert found["awful"].weight == pytest.approx(-2 / 3)
    assert found["film,"].weight == pytest.approx(0)


def test_chinese_is_explained_by_the_pair_that_carries_the_weight():
    found = explain("这部电影很好看，但是演员失望", lambda text: 0.2 + 0.6 * ("失望" in text))
    assert {piece for piece, one in found.items() if one.weight > 0.01} == {"失望"}


def test_noise_is_not_blown_up_to_a_reason():
    found = explain("one two three", lambda text: 0.9 + LEAST_FALL / 2 * ("two" in text))
    assert {one.weight for one in found.values()} == {0.0}


def test_no_model_is_asked_about_a_blank_text():
    parts = text_parts(" good ")
    assert erasures(" good ", parts) == [" good "]
    (only,) = weighted_parts(" good ", parts, [0.7])
    assert (only.fall, only.weight) == (0.7, 1.0)


def test_scores_of_other_texts_are_refused():
    parts = text_parts("one two")
    with pytest.raises(ValueError, match="4 scores for 2 parts"):
        weighted_parts("one two", parts, [0.1] * 4)
