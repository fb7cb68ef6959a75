"""Fonts from the store, to draw texts with that Pillow's own font has no characters for."""

from __future__ import annotations

import shutil
from pathlib import Path

from engine.assets.card import AssetCard
from engine.assets.fetch import Progress
from engine.assets.keep import Convert, stored_file

_FONT_FILE = "font.ttc"


def font(card_name: str, assets_dir: Path, on_progress: Progress | None = None) -> Path:
    """The font of a card, as Pillow reads it; fetched once.

    Raises:
        AssetUnknownError: there is no such card.
        AssetMissingError: it is not in the store and cannot be had now.
        AssetChangedError: the package holds other bytes than the card promises.
    """
    return stored_file(card_name, _FONT_FILE, assets_dir, _converter, on_progress)


def holds_font(card: AssetCard) -> bool:
    """Whether a card is one of a font."""
    return card.converter == "font_file"


def _converter(card: AssetCard) -> Convert:
    if not holds_font(card):
        raise ValueError(f"{card.title} holds no font")
    return _copy


def _copy(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)
