"""Characters, or words, of the texts to train on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.data.text_vocabulary import characters, words
from engine.models.tfidf_linear.family import FAMILY, SHORT_PARTS
from engine.models.tfidf_linear.network import NUM_IDS


def build(size: str, texts: Sequence[str], *, max_tokens: int, assets_dir: Path) -> str:
    """The ``tokenizer.json`` to read with.

    Args:
        size: name of one of the sizes.
        texts: to train on.
        max_tokens: most ids of a text. Where a quarter of the size's own holds all characters of the longest text, it cuts
            there: a longer one that comes later is read to that place.
        assets_dir: not used; nothing is pretrained.
    """
    learn = words if size == "words" else characters
    short = FAMILY.size(size).max_tokens // SHORT_PARTS
    is_short = max(map(len, texts), default=0) <= short
    return learn(texts, num_ids=NUM_IDS[size], max_tokens=min(max_tokens, short) if is_short else max_tokens)
