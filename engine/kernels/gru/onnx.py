"""The operator in ONNX: ``GRU``, whose gates come in another order.

Shapes: B batch, T steps, C channels in, H channels out, G = 3H.
"""

from __future__ import annotations

from typing import Any

from onnxscript import opset20
from onnxscript.onnx_types import FLOAT

op: Any = opset20
"""Its own types refuse Python's numbers, which it takes."""


def gru(x_BTC: FLOAT, weight_GC: FLOAT, weight_GH: FLOAT, bias_G: FLOAT, bias_hidden_G: FLOAT) -> FLOAT:
    """See ``engine.kernels.gru.op.gru``. torch's gates are reset, update, new; ONNX's are update, reset, new."""
    hidden_size = weight_GH.shape[1]  # type: ignore[index] # weights have a shape
    first = op.Constant(value_ints=[0])
    biases = op.Concat(_reordered(bias_G, hidden_size), _reordered(bias_hidden_G, hidden_size), axis=0)
    states_T1BH, _ = op.GRU(
        op.Transpose(x_BTC, perm=[1, 0, 2]),
        op.Unsqueeze(_reordered(weight_GC, hidden_size), first),
        op.Unsqueeze(_reordered(weight_GH, hidden_size), first),
        op.Unsqueeze(biases, first),
        hidden_size=hidden_size,
        linear_before_reset=1,
    )
    return op.Transpose(op.Squeeze(states_T1BH, op.Constant(value_ints=[1])), perm=[1, 0, 2])


def _reordered(gates: FLOAT, hidden_size: int) -> FLOAT:
    reset, update, new = range(3)
    parts = (
        op.Slice(
            gates,
            op.Constant(value_ints=[gate * hidden_size]),
            op.Constant(value_ints=[(gate + 1) * hidden_size]),
            op.Constant(value_ints=[0]),
        )
        for gate in (update, reset, new)
    )
    return op.Concat(*parts, axis=0)
