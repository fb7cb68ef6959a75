"""Captures a network for the exporter, and spares it a second tracing where the first has said all.

The exporter rewrites what was captured into operators that it knows, by running all of it through torch once more: two fifths
of the time of an export. A network in inference mode consists of operators that it knows anyway and of the few below, each of
which is one operator in ONNX; such a program is written as it was captured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import torch
from onnxscript import opset20
from onnxscript.function_libs.torch_lib.ops.common import cast_to
from onnxscript.function_libs.torch_lib.ops.core import aten_convolution
from torch import Tensor, nn
from torch._subclasses import FakeTensorMode
from torch._subclasses.fake_impls import register_fast_op_impl
from torch.export import ExportedProgram
from torch.fx import Interpreter, Node
from torch.onnx._internal.exporter import _capture_strategies, _decomp, _registration
from torch.onnx._internal.fx.passes import type_promotion

op: Any = opset20
"""Its own types refuse Python's numbers, which it takes."""
aten = torch.ops.aten
_LEFT_OUT = {aten._assert_scalar.default, aten._assert_tensor_metadata.default, aten._assert_async.msg}
"""By the exporter."""


def captured(
    module: nn.Module, example: Tensor, shapes: Mapping[int, Any], registry: _registration.ONNXRegistry
) -> nn.Module | ExportedProgram:
    """What the exporter takes: the program where it can be captured as the exporter itself does at first, else the module.

    Args:
        module: in inference mode, on the CPU.
        example: an input.
        shapes: how the axes of the input may vary, as ``torch.export.export`` takes it.
        registry: the operators that the exporter knows, ``translations`` among them.
    """
    _spare_tracings()
    capture = _capture_strategies.TorchExportNonStrictStrategy(verbose=False, dump=False, artifacts_dir="", timestamp="")
    program = capture(module, (example,), {}, dynamic_shapes=(shapes,)).exported_program
    if program is None:
        return module
    known = {*_decomp.get_onnx_implemented_overloads(registry), *_LEFT_OUT}
    if all(_is_known(node, known) for graph in program.graph_module.modules() for node in graph.graph.nodes):
        program.run_decompositions = lambda _: program  # nothing is left to rewrite
    return program


def translations() -> Mapping[Callable[..., Any], Callable[..., Any]]:
    """How operators are written that the exporter knows in rewritten form only; of batch norm its inference."""
    return {
        aten.__and__.Tensor: _and,
        aten.batch_norm.default: _batch_norm,
        aten.conv_transpose2d.input: _conv_transpose,
        aten.detach_.default: _detach,
        aten.numpy_T.default: _transposed,
        aten.rsub.Scalar: _rsub,
        aten.square.default: _square,
        aten.to.device: _to_device,
        aten.to.dtype: _to_dtype,
    }


@cache
def _spare_tracings() -> None:
    """Once a process, for all who export in it."""
    register_fast_op_impl(aten._native_batch_norm_legit_no_training.default)(_batch_norm_shapes)
    type_promotion._TypePromotionInterpreter = _PromotionByCapturedTypes  # type: ignore[misc]


def _batch_norm_shapes(mode: FakeTensorMode, x: Tensor, *_: object) -> tuple[Tensor, Tensor, Tensor]:
    """What inference of batch norm yields, without a dozen operators with free sizes that torch computes it by."""
    with mode:
        nothing = x.new_empty(0)
        return torch.empty_like(x), nothing, nothing


class _PromotionByCapturedTypes(type_promotion._TypePromotionInterpreter):
    """Makes conversions between types of numbers explicit by the types that capturing noted.

    The exporter runs the whole program again to see them, and changes few nodes; those still run.
    """

    def run_node(self, node: Node) -> Any:
        """Converts what the node is given; returns what it yields."""
        with self._set_current_node(node):
            if rule := type_promotion.get_type_promotion_rule(node, self.type_promotion_table):
                self._maybe_promote_node(node, rule)
        return node.meta["val"] if "val" in node.meta else Interpreter.run_node(self, node)


def _is_known(node: Node, known: set[Any]) -> bool:
    if node.op != "call_function" or not isinstance(node.target, torch._ops.OperatorBase):
        return True
    return node.target in known and not (node.target is aten.batch_norm.default and node.args[5])


def _batch_norm(  # noqa: PLR0917 - as torch calls it
    x: Any,
    weight: Any,
    bias: Any,
    mean: Any,
    variance: Any,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Any:
    del training, momentum, cudnn_enabled
    return op.BatchNormalization(x, weight, bias, mean, variance, epsilon=eps)


def _to_dtype(x: Any, dtype: int, non_blocking: bool = False, copy: bool = False, memory_format: str = "") -> Any:
    del non_blocking, copy, memory_format
    return cast_to(x, dtype=dtype)


def _to_device(  # noqa: PLR0917 - as torch calls it
    x: Any, device: str, dtype: int, non_blocking: bool = False, copy: bool = False, memory_format: str = ""
) -> Any:
    del device, non_blocking, copy, memory_format
    return cast_to(x, dtype=dtype)


def _and(x: Any, other: Any) -> Any:
    return op.And(x, other)


def _conv_transpose(  # noqa: PLR0917 - as torch calls it
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    output_padding: Sequence[int] = (0, 0),
    groups: int = 1,
    dilation: Sequence[int] = (1, 1),
) -> Any:
    return aten_convolution(x, weight, bias, stride, padding, dilation, True, output_padding, groups)


def _transposed(x: Any) -> Any:
    return op.Transpose(x)


def _square(x: Any) -> Any:
    return op.Mul(x, x)


def _detach(x: Any) -> Any:
    return op.Identity(x)


def _rsub(x: Any, other: float, alpha: float = 1.0) -> Any:
    return op.Sub(op.CastLike(other, x), x if alpha == 1.0 else op.Mul(x, op.CastLike(alpha, x)))
