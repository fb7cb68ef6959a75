"""What a model looked at in a text: how far the score of its answer falls when a part of the text is taken out.

Li et al. 2016, "Understanding Neural Networks through Representation Erasure". Each part is taken out alone: words that only
count together are not found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...explaining import LEAST_FALL

MAX_PARTS = 48

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana and Han."""
_MARKS = "\u3000-\u3003\u3008-\u301f\uff00-\uff0f\uff1a-\uff20"
"""Punctuation of these, which belongs to no word."""
_OPENING = "(\\[{<\u201c\u2018\u00ab\u00bf\u00a1\u3008\u300a\u300c\u300e\u3010\u3014\u3016\uff08\uff3b\uff5b"
_CLOSING = (
    ",.;:!?)\\]}>\u201d\u2019\u2026\u00bb\u2014\u3001\u3002\u3009\u300b\u300d\u300f\u3011\u3015\u3017"
    "\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff3d\uff5d\uff5e"
)
_PART = re.compile(rf"[{_OPENING}]*(?:[{_UNSPACED}]{{1,2}}|[^\s{_UNSPACED}{_MARKS}]+)[\s{_CLOSING}]*")


@dataclass(frozen=True)
class Part:
    """A piece of a text: characters ``start`` to ``end``, end exclusive."""

    start: int
    end: int


@dataclass(frozen=True)
class WeightedPart:
    """A part and what it counts."""

    start: int
    end: int
    fall: float
    """By how much the score falls without it, -1..1; negative where it rises."""
    weight: float
    """``fall`` in shares of the greatest one, -1..1."""


def text_parts(text: str, *, max_parts: int = MAX_PARTS) -> list[Part]:
    """Cuts a text into parts that join back to it: words, pairs of characters in scripts without spaces, or runs of these.

    Punctuation and white space stay with what they follow, an opening bracket with what it opens.

    Args:
        text: to cut; one without words is one part, an empty one has none.
        max_parts: at most so many; more words are put together evenly.
    """
    if not text:
        return []
    starts = [match.start() for match in _PART.finditer(text)][1:]
    bounds = [0, *starts, len(text)]
    num_pieces = len(bounds) - 1
    num_parts = min(num_pieces, max_parts)
    bounds = [bounds[round(index * num_pieces / num_parts)] for index in range(num_parts + 1)]
    return [Part(start, end) for start, end in pairwise(bounds)]


def text_without(text: str, part: Part) -> str:
    """The text with a part taken out."""
    return text[: part.start] + text[part.end :]


def erasures(text: str, parts: Sequence[Part]) -> list[str]:
    """What a model is asked: the text itself, then the text without each part, except where nothing would be left."""
    return [text, *(rest for part in parts if (rest := text_without(text, part)).strip())]


def weighted_parts(text: str, parts: Sequence[Part], scores: Sequence[float]) -> list[WeightedPart]:
    """Weighs the parts of a text.

    Args:
        text: as it was cut.
        parts: of it.
        scores: of the label that was answered, for each of ``erasures``.

    Raises:
        ValueError: there are more or fewer scores than texts.
    """
    left = iter(scores)
    whole = next(left)
    # Without its only words a text says nothing at all: the whole score hangs on them.
    falls = [whole - next(left) if text_without(text, part).strip() else whole for part in parts]
    if next(left, None) is not None:
        raise ValueError(f"{len(scores)} scores for {len(parts)} parts")
    greatest = max(map(abs, falls), default=0.0)
    scale = 1 / greatest if greatest >= LEAST_FALL else 0.0
    return [WeightedPart(part.start, part.end, fall, fall * scale) for part, fall in zip(parts, falls, strict=True)]
