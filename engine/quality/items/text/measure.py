"""What one look at a text gives: how long it is, how much of it is letters, in which script, and whether it is garbled."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

LEAST_LETTERS = 12
"""With fewer, a text is in no script: names and exclamations stand in any language."""
_KANA_FRACTION = 0.1
"""From so much kana among Chinese characters on, a text is Japanese."""
_NO_LETTERS = re.compile(r"[\W_]+")
_SCRIPTS = {
    name: re.compile(f"[{ranges}]")
    for name, ranges in {
        "latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
        "han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f",
        "kana": "\u3040-\u30ff",
        "hangul": "\u1100-\u11ff\uac00-\ud7af",
        "cyrillic": "\u0400-\u052f",
        "greek": "\u0370-\u03ff",
        "arabic": "\u0600-\u06ff\u0750-\u077f",
        "hebrew": "\u0590-\u05ff",
        "devanagari": "\u0900-\u097f",
        "thai": "\u0e00-\u0e7f",
    }.items()
}
# Control characters, the replacement character, private use, and what is never a character.
_BROKEN = re.compile("[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff]")
# UTF-8 read as Western European: a lead byte as a letter with an accent, then a byte that is no letter there.
_DOUBLY = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2018-\u203a\u20ac]"
)
_ACCENTED = re.compile("[\u00a1-\u00ff]")
_MOST_BROKEN = 0.02
_MOST_DOUBLY = 0.1
_MOST_ACCENTED = 0.5
"""No language writes so many of its letters with accents; Chinese in GBK read as Western European has nothing else."""
_LEAST_DECODED, _DECODED_FRACTION = 4, 0.8
_SCRIPT_FRACTION = 0.8
"""Of the letters: names of products and addresses of pages make no other language."""
_PLACEHOLDERS = ("锟斤拷", "烫烫烫", "屯屯屯")
"""What lost characters, and memory that nobody filled, look like in Chinese encodings."""


class Garbling(StrEnum):
    """Why a text cannot be read as it was written: characters that stand for none, or the wrong encoding."""

    BROKEN = "broken_characters"
    ENCODING = "wrong_encoding"


@dataclass(frozen=True)
class TextMeasures:
    """Numbers of one text; white space at its ends does not count."""

    num_characters: int
    num_letters: int
    """Letters and digits of any script."""
    letters_fraction: float
    """Share of the characters that are no white space."""
    most_common_fraction: float
    """Share of the letters that the most common one makes up."""
    script: str | None
    """That nearly all letters belong to; None where there are few letters, or several scripts."""
    garbling: Garbling | None
    garbled_fraction: float
    """Share of characters that stand for others, as far as that was looked for."""


def measure(text: str) -> TextMeasures:
    """Measures one text."""
    text = text.strip()
    letters = _NO_LETTERS.sub("", text)
    num_solid = sum(map(len, text.split()))
    garbling, garbled_fraction = _garbling(text)
    return TextMeasures(
        num_characters=len(text),
        num_letters=len(letters),
        letters_fraction=len(letters) / max(num_solid, 1),
        most_common_fraction=max(Counter(letters.casefold()).values(), default=0) / max(len(letters), 1),
        script=_script(letters),
        garbling=garbling,
        garbled_fraction=garbled_fraction,
    )


def normalised(text: str) -> str:
    """A text without case, white space and punctuation; what is nothing but punctuation stays as it is.

    Wide and narrow forms of a character are one (NFKC).
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _NO_LETTERS.sub("", folded) or "".join(folded.split())


def _script(letters: str) -> str | None:
    if len(letters) < LEAST_LETTERS:
        return None
    counts = {name: len(pattern.findall(letters)) for name, pattern in _SCRIPTS.items()}
    if counts["kana"] > _KANA_FRACTION * (counts["kana"] + counts["han"]):
        counts["kana"] += counts.pop("han")
    script = max(counts, key=lambda name: counts[name])
    return script if counts[script] > _SCRIPT_FRACTION * sum(counts.values()) else None


def _garbling(text: str) -> tuple[Garbling | None, float]:
    num = max(len(text), 1)
    broken = len(_BROKEN.findall(text)) + sum(len(one) * text.count(one) for one in _PLACEHOLDERS)
    if text.isascii():
        return (Garbling.BROKEN, broken / num) if broken > _MOST_BROKEN * num else (None, broken / num)
    doubly = len(_DOUBLY.findall(text))
    accented = len(_ACCENTED.findall(text))
    decoded = _decoded_fraction(text)
    if (doubly > 1 and 2 * doubly > _MOST_DOUBLY * num) or (accented > 5 and accented > _MOST_ACCENTED * num):
        return Garbling.ENCODING, max(2 * doubly, accented) / num
    if decoded >= _DECODED_FRACTION:
        return Garbling.ENCODING, decoded
    return (Garbling.BROKEN, broken / num) if broken > _MOST_BROKEN * num else (None, broken / num)


def _decoded_fraction(text: str) -> float:
    """How much of a text is UTF-8 when it is written down in Chinese's own encoding: next to nothing of a sound one."""
    data = text.encode("gb18030", errors="ignore")
    num_wide = sum(byte >= 0x80 for byte in data)
    wide = [character for character in data.decode("utf-8", errors="ignore") if character >= "\u0800"]
    return 3 * len(wide) / num_wide if len(set(wide)) >= _LEAST_DECODED else 0.0
