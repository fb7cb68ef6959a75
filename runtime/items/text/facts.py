"""How a text is written: length, words, digits, punctuation, script, and how much of it the model's tokenizer knows."""

from __future__ import annotations

import re

import numpy as np

from ...facts import Fact
from .tokens import TextTokenizer, TextTokens

MAX_CHARACTERS = 2_000
"""Of a text, so many are looked at; its length is that of the whole."""
MAX_PIECED = 100
"""Characters at the beginning whose tokens are counted."""
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024F\u1E00-\u1EFF\uFF21-\uFF5A]")
"""Letters that are not Latin."""
_PUNCTUATION = re.compile(r"[^\w\s]|_")


def text_facts(decoded: TextTokens, encode: TextTokenizer, *, max_tokens: int) -> list[Fact]:
    """Seven numbers about a text; shares are 0..1.

    Args:
        decoded: the text and its tokens.
        encode: the model's tokenizer.
        max_tokens: that it gives of a text.
    """
    text = decoded.text[:MAX_CHARACTERS]
    num_letters = _count(_LETTER, text)
    words = text.split()
    beginning = text[: max(1, min(MAX_PIECED, max_tokens // 2))]
    numbers: dict[str, float | None] = {
        "length": float(len(decoded.text)),
        "word_length": sum(map(len, words)) / len(words),
        "digits": _count(_DIGIT, text) / len(text),
        "punctuation": _count(_PUNCTUATION, text) / len(text),
        "other_script": _count(_OTHER_SCRIPT, text) / num_letters if num_letters else None,
        "token_rate": len(encode(beginning)) / len(beginning),
    }
    if encode.unknown_id is not None:
        numbers["unknown"] = float(np.mean(decoded.tokens_T == encode.unknown_id))
    return [Fact(name, "numeric", value) for name, value in numbers.items()]


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))
