"""Reads Darknet's weight files: a short header, then the numbers of all convolutions in the order of the network.

With batch norm: bias, weight, running mean and variance of the norm, then the kernel; without: bias, then the kernel.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from engine.assets.fetch import AssetChangedError

_HEADER_BYTES = 20
"""Three int32 of the version and one int64 of the pictures seen."""
_OUTPUTS = 255
"""Of the convolutions without a norm: three anchors of 80 classes and 5 numbers."""
_YOLOV3_TINY = (
    (3, 16, 3),
    (16, 32, 3),
    (32, 64, 3),
    (64, 128, 3),
    (128, 256, 3),
    (256, 512, 3),
    (512, 1024, 3),
    (1024, 256, 1),
    (256, 512, 3),
    (512, _OUTPUTS, 1),
    (256, 128, 1),
    (384, 256, 3),
    (256, _OUTPUTS, 1),
)
"""Channels in, channels out, kernel."""


def yolov3_tiny(path: Path) -> dict[str, Tensor]:
    """The tensors of YOLOv3-tiny by place: ``0.conv.weight``, ``0.norm.weight``, ... and ``9.weight``, ``9.bias``.

    Raises:
        AssetChangedError: the file holds fewer or more numbers than the network.
    """
    values = np.fromfile(path, dtype="<f4", offset=_HEADER_BYTES)
    found: dict[str, Tensor] = {}
    at = 0

    def next_tensor(*shape: int) -> Tensor:
        nonlocal at
        number = int(np.prod(shape))
        part = values[at : at + number]
        if len(part) != number:
            raise AssetChangedError(f"{path.name} ends too early for YOLOv3-tiny.")
        at += number
        return torch.from_numpy(part.reshape(shape).copy())

    for place, (inputs, outputs, kernel) in enumerate(_YOLOV3_TINY):
        if outputs == _OUTPUTS:
            found[f"{place}.bias"] = next_tensor(outputs)
            found[f"{place}.weight"] = next_tensor(outputs, inputs, kernel, kernel)
            continue
        for name in ("bias", "weight", "running_mean", "running_var"):
            found[f"{place}.norm.{name}"] = next_tensor(outputs)
        found[f"{place}.norm.num_batches_tracked"] = torch.tensor(0)
        found[f"{place}.conv.weight"] = next_tensor(outputs, inputs, kernel, kernel)
    if at != len(values):
        raise AssetChangedError(f"{path.name} holds {len(values)} numbers; YOLOv3-tiny has {at}.")
    return found
