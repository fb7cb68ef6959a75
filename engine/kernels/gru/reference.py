"""Gated recurrent units as the paper describes them, one step after the other. Nothing runs it but tests.

Shapes: B batch, T steps, C channels in, H channels out, G = 3H.
"""

from __future__ import annotations

import torch
from torch import Tensor


def gru(x_BTC: Tensor, weight_GC: Tensor, weight_GH: Tensor, bias_G: Tensor, bias_hidden_G: Tensor) -> Tensor:
    """See ``engine.kernels.gru.op.gru``."""
    h_BH = x_BTC.new_zeros((len(x_BTC), weight_GH.shape[1]))
    states = []
    for x_BC in x_BTC.unbind(dim=1):
        seen_reset_BH, seen_update_BH, seen_new_BH = (x_BC @ weight_GC.T + bias_G).chunk(3, dim=1)
        hidden_reset_BH, hidden_update_BH, hidden_new_BH = (h_BH @ weight_GH.T + bias_hidden_G).chunk(3, dim=1)
        reset_BH, update_BH = torch.sigmoid(seen_reset_BH + hidden_reset_BH), torch.sigmoid(seen_update_BH + hidden_update_BH)
        new_BH = torch.tanh(seen_new_BH + reset_BH * hidden_new_BH)
        h_BH = (1 - update_BH) * new_BH + update_BH * h_BH
        states.append(h_BH)
    return torch.stack(states, dim=1)
