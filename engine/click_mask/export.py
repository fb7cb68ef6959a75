"""Writes the network as two ONNX graphs for a browser, small: weights lie as int8 with a scale for each output channel.

The scales are applied by ordinary nodes on constants, which every onnxruntime folds when it loads the graph. So the arithmetic
stays in floats: a browser's int8 kernels are slower than its float ones for convolutions of one channel.
"""

from __future__ import annotations

import logging
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from engine.click_mask.network import GRID, SIDE_PX, Features
from engine.click_mask.train import ClickMask

ENCODER_FILE = "encoder.onnx"
DECODER_FILE = "decoder.onnx"
OPSET = 17
_STEPS = ("x2", "x4", "x8", "x16")
_SMALLEST_PACKED = 256
"""Values; smaller constants stay as they are."""


class _PictureIn(nn.Module):
    """The encoder behind what a browser's canvas holds: RGBA bytes."""

    def __init__(self, encoder: nn.Module):
        super().__init__()
        self.encoder = encoder

    def forward(self, picture_BHW4: Tensor) -> tuple[Tensor, ...]:
        return tuple(self.encoder(picture_BHW4[..., :3].permute(0, 3, 1, 2).float()))


class _FeaturesIn(nn.Module):
    """The decoder with its features one by one."""

    def __init__(self, decoder: nn.Module):
        super().__init__()
        self.decoder = decoder

    def forward(self, x2: Tensor, x4: Tensor, x8: Tensor, x16: Tensor, clicks: Tensor, mask: Tensor) -> Tensor:  # noqa: PLR0917 (the exporter names inputs by place)
        return self.decoder(Features(x2, x4, x8, x16), clicks, mask)


def export(network: ClickMask, folder: Path) -> None:
    """Writes ``encoder.onnx`` and ``decoder.onnx``.

    The encoder takes ``picture`` (1, 256, 256, 4) uint8 and gives ``x2 x4 x8 x16``; the decoder takes those, ``clicks``
    (1, 2, 128, 128) and ``mask`` (1, 1, 128, 128), floats, and gives ``logits`` (1, 1, 128, 128).
    """
    network.eval()
    picture = torch.zeros(1, SIDE_PX, SIDE_PX, 4, dtype=torch.uint8)
    with torch.no_grad():
        features = tuple(_PictureIn(network.encoder)(picture))
    inputs = (*features, torch.zeros(1, 2, GRID, GRID), torch.zeros(1, 1, GRID, GRID))
    _write(_PictureIn(network.encoder), (picture,), ["picture"], list(_STEPS), folder / ENCODER_FILE)
    _write(_FeaturesIn(network.decoder), inputs, [*_STEPS, "clicks", "mask"], ["logits"], folder / DECODER_FILE)


def _write(module: nn.Module, inputs: tuple[Tensor, ...], names: list[str], outputs: list[str], path: Path) -> None:
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # of the exporter's own use of what torch deprecates
        torch.onnx.export(
            module.eval(), inputs, str(path), input_names=names, output_names=outputs, opset_version=OPSET, dynamo=False
        )
    model = onnx.load(path)
    _pack(model.graph)
    for node in model.graph.node:
        node.ClearField("doc_string")
    path.write_bytes(model.SerializeToString(deterministic=True))


def _pack(graph: onnx.GraphProto) -> None:
    """Puts large weights as int8, scaled by their first axis."""
    before: list[onnx.NodeProto] = []
    for constant in list(graph.initializer):
        values = numpy_helper.to_array(constant)
        if constant.data_type != TensorProto.FLOAT or values.size < _SMALLEST_PACKED or values.ndim < 2:
            continue
        scale = np.abs(values).max(axis=tuple(range(1, values.ndim)), keepdims=True) / 127
        packed = np.round(values / np.maximum(scale, 1e-12)).astype(np.int8)
        name = constant.name
        graph.initializer.remove(constant)
        graph.initializer.append(numpy_helper.from_array(packed, f"{name}_int8"))
        graph.initializer.append(numpy_helper.from_array(scale.astype(np.float32), f"{name}_scale"))
        before.append(helper.make_node("Cast", [f"{name}_int8"], [f"{name}_float"], to=TensorProto.FLOAT))
        before.append(helper.make_node("Mul", [f"{name}_float", f"{name}_scale"], [name]))
    after = list(graph.node)
    del graph.node[:]
    graph.node.extend(before + after)
