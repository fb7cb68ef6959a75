"""Texts as people and programs spoil them: typing errors, lost, swapped and full-width characters, capitals, lost words.

The kinds of alteration follow Belinkov and Bisk (2018), "Synthetic and natural noise both break neural machine translation".
A typing error is a key beside the right one on a keyboard of the layout QWERTY. Scripts without capitals, or without spaces
between words, are left as they are by what concerns these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from automl.contracts.base import Text
from automl.contracts.words import Words
from engine.robustness.alteration import Alteration, Step

words = Words(__file__)

_FEW = (0.02, 0.05, 0.1)
"""Share of characters."""
_MANY = (0.25, 0.5, 1.0)
"""Share of words or characters, for what leaves a text readable."""
_LOST_WORDS = (0.05, 0.15, 0.3)
_KEY_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEIGHBOURS = {
    key: "".join(
        _KEY_ROWS[other][at]
        for other in (row - 1, row, row + 1)
        if 0 <= other < len(_KEY_ROWS)
        for at in (place - 1, place, place + 1)
        if 0 <= at < len(_KEY_ROWS[other]) and (other, at) != (row, place)
    )
    for row, keys in enumerate(_KEY_ROWS)
    for place, key in enumerate(keys)
}
_FULL_WIDTH = {**{code: code + 0xFEE0 for code in range(0x21, 0x7F)}, 0x20: 0x3000}
_WORD = re.compile(r"\S+\s*")


def alterations() -> Sequence[Alteration]:
    """All that there are."""
    return (
        _of("typos", words("typos"), _FEW, lambda share: _by_character(share, str.isalpha, _mistyped)),
        _of(
            "dropped",
            words("dropped"),
            _FEW,
            lambda share: _by_character(share, str.isalnum, lambda _character, _generator: ""),
        ),
        _of("swapped", words("swapped"), _FEW, _swapped),
        _of("capitals", words("capitals"), _MANY, lambda share: _by_word(share, str.upper)),
        _of(
            "full_width",
            words("full_width"),
            _MANY,
            lambda share: _by_character(share, str.isascii, lambda each, _: each.translate(_FULL_WIDTH)),
        ),
        _of("lost_words", words("lost_words"), _LOST_WORDS, lambda share: _by_word(share, lambda _word: "")),
    )


def _of(
    name: str, title: Text, shares: Sequence[float], alter: Callable[[float], Callable[[str, np.random.Generator], str]]
) -> Alteration:
    return Alteration(name, title, [Step(words(f"{name}.strength", amount=f"{share:.0%}"), alter(share)) for share in shares])


def _by_character(
    share: float, is_meant: Callable[[str], bool], change: Callable[[str, np.random.Generator], str]
) -> Callable[[str, np.random.Generator], str]:
    """Changes a share of those characters that are meant; a text that would be empty stays."""

    def alter(text: str, generator: np.random.Generator) -> str:
        is_hit = generator.random(len(text)) < share
        pairs = zip(text, is_hit, strict=True)
        return "".join(change(each, generator) if hit and is_meant(each) else each for each, hit in pairs).strip() or text

    return alter


def _by_word(share: float, change: Callable[[str], str]) -> Callable[[str, np.random.Generator], str]:
    """Changes a share of the words, which stand between spaces; a text that would be empty stays."""

    def alter(text: str, generator: np.random.Generator) -> str:
        found = _WORD.findall(text)
        is_hit = generator.random(len(found)) < share
        return "".join(change(word) if hit else word for word, hit in zip(found, is_hit, strict=True)).strip() or text

    return alter


def _swapped(share: float) -> Callable[[str, np.random.Generator], str]:
    """Swaps a share of the characters with the next one."""

    def alter(text: str, generator: np.random.Generator) -> str:
        characters = list(text)
        for place in np.flatnonzero(generator.random(max(0, len(text) - 1)) < share).tolist():
            characters[place], characters[place + 1] = characters[place + 1], characters[place]
        return "".join(characters)

    return alter


def _mistyped(character: str, generator: np.random.Generator) -> str:
    keys = _NEIGHBOURS.get(character.lower())
    if keys is None:
        return character
    key = keys[int(generator.integers(len(keys)))]
    return key.upper() if character.isupper() else key
