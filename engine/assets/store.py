"""Pretrained weights from the store, as safetensors. Training reads nothing but the store.

This is the module of the assets that needs torch, once, to read the source; pickled code is never run.
"""

from __future__ import annotations

import pickle
from pathlib import Path

import torch
from safetensors.torch import save

from engine.assets.card import AssetCard
from engine.assets.fetch import AssetChangedError, Progress
from engine.assets.keep import Convert, kept

_WEIGHTS_FILE = "weights.safetensors"


def weights(card_name: str, assets_dir: Path, on_progress: Progress | None = None) -> Path:
    """The weights of a card as a safetensors file, under the tensors' own names; fetched once.

    Raises:
        AssetUnknownError: there is no such card.
        AssetMissingError: it is not in the store and cannot be had now.
        AssetChangedError: the package holds other bytes than the card promises.
    """
    return kept(card_name, _WEIGHTS_FILE, assets_dir, _converter, on_progress)


def _converter(card: AssetCard) -> Convert:
    if card.converter != "torch_weights":
        raise ValueError(f"{card.title} holds no weights")
    return _convert


def _convert(source: Path, target: Path) -> None:
    try:
        tensors = torch.load(source, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise AssetChangedError(f"{source.name} holds more than tensors.") from error
    target.write_bytes(save({name: tensor.contiguous() for name, tensor in tensors.items()}))
