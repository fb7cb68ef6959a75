"""Real texts from the store, one a line, to measure with."""

from __future__ import annotations

from pathlib import Path

from engine.assets.card import AssetCard
from engine.assets.fetch import AssetChangedError, Progress
from engine.assets.keep import Convert, stored_file

_TEXTS_FILE = "texts.txt"


def texts(card_name: str, assets_dir: Path, on_progress: Progress | None = None) -> Path:
    """The texts of a card as a UTF-8 file with one text a line, each once, in their order; fetched once.

    Raises:
        AssetUnknownError: there is no such card.
        AssetMissingError: it is not in the store and cannot be had now.
        AssetChangedError: the package holds other bytes than the card promises.
    """
    return stored_file(card_name, _TEXTS_FILE, assets_dir, _converter, on_progress)


def holds_texts(card: AssetCard) -> bool:
    """Whether a card is one of texts."""
    return card.converter == "sentiment_lines"


def _converter(card: AssetCard) -> Convert:
    if not holds_texts(card):
        raise ValueError(f"{card.title} holds no texts")
    return _lines


def _lines(source: Path, target: Path) -> None:
    try:
        lines = source.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise AssetChangedError(f"{source.name} is not UTF-8.") from error
    distinct = dict.fromkeys(line.strip() for line in lines if line.strip())
    target.write_text("".join(f"{line}\n" for line in distinct), encoding="utf-8")
