"""The tokenizer that the pretrained weights were trained with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.assets.tokenizers import tokenizer
from engine.data.text import limited
from engine.models.text_encoder.family import FAMILY
from engine.models.text_encoder.network import SHAPES

_PAD_TOKENS = {"multilingual": "<pad>", "english": "[PAD]"}


def build(size: str, texts: Sequence[str], *, max_tokens: int, assets_dir: Path) -> str:
    """The ``tokenizer.json`` to read with.

    Args:
        size: name of one of the sizes.
        texts: not used; nothing is learned.
        max_tokens: most ids of a text.
        assets_dir: the store.

    Raises:
        AssetMissingError: the tokenizer is not in the store and cannot be had.
    """
    asset = FAMILY.size(size).asset
    assert asset is not None
    definition = tokenizer(asset, assets_dir).read_text(encoding="utf-8")
    return limited(definition, max_tokens=max_tokens, pad_id=SHAPES[size].pad_id, pad_token=_PAD_TOKENS[size])
