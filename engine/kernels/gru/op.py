"""The operator as torch knows it.

torch's exporter takes ``nn.GRU`` apart, step by step of the example, unless a patch of its own holds; the second export in one
process gave a graph of fixed length. An operator of ours is not taken apart.

Shapes: B batch, T steps, C channels in, H channels out, G = 3H.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

_NAME = "modelyard::gru"


def forward(layer: nn.GRU, x_BTC: Tensor) -> Tensor:
    """What a layer of one direction says at every step ``_BTH``, starting from nothing.

    Args:
        layer: batch first, with biases, one direction, one layer.
        x_BTC: fp32.

    Raises:
        ValueError: the layer is of another kind.
    """
    if layer.num_layers != 1 or layer.bidirectional or not layer.batch_first or not layer.bias:
        raise ValueError("this operator knows one layer of one direction, batch first, with biases")
    if not torch.compiler.is_exporting():
        states_BTH: Tensor = layer(x_BTC)[0]
        return states_BTH
    return gru(x_BTC, layer.weight_ih_l0, layer.weight_hh_l0, layer.bias_ih_l0, layer.bias_hh_l0)


@torch.library.custom_op(_NAME, mutates_args=())
def gru(x_BTC: Tensor, weight_GC: Tensor, weight_GH: Tensor, bias_G: Tensor, bias_hidden_G: Tensor) -> Tensor:
    """Gated recurrent units (Cho et al. 2014, https://arxiv.org/abs/1406.1078); torch's gates are reset, update, new."""
    start_1BH = x_BTC.new_zeros((1, x_BTC.shape[0], weight_GH.shape[1]))
    weights = [weight_GC, weight_GH, bias_G, bias_hidden_G]
    states_BTH: Tensor = torch.gru(x_BTC, start_1BH, weights, True, 1, 0.0, False, False, True)[0]
    return states_BTH.contiguous()


@gru.register_fake
def _(x_BTC: Tensor, weight_GC: Tensor, weight_GH: Tensor, bias_G: Tensor, bias_hidden_G: Tensor) -> Tensor:
    return x_BTC.new_empty((x_BTC.shape[0], x_BTC.shape[1], weight_GH.shape[1]))


def onnx_translations() -> Mapping[Callable[..., Any], Callable[..., Any]]:
    """How ``torch.onnx.export`` writes the operator."""
    from engine.kernels.gru import onnx  # noqa: PLC0415 - onnxscript is needed only where something is exported

    return {torch.ops.modelyard.gru.default: onnx.gru}
