"""A device graph as a torch module, for converters that begin with torch; only these import it, in processes of their own.

Each function below is an operation of ONNX as the standard has it; fixed shapes make most of their cases go away.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import torch
import torch.nn.functional as F  # noqa: N812 - the name that everybody knows
from onnx import helper, numpy_helper
from torch import Tensor, nn

from exporters._device_graph.errors import GraphNotCutError

Attributes = dict[str, Any]
_TO_THE_END = 2**31 - 1


class TorchGraph(nn.Module):
    """Runs the graph's nodes one after the other; weights are buffers, so that an exporter keeps them as they are."""

    def __init__(self, model: onnx.ModelProto) -> None:
        """Takes a graph with one input.

        Raises:
            GraphNotCutError: an operation has no translation here.
        """
        super().__init__()
        graph = model.graph
        lacking = sorted({node.op_type for node in graph.node} - set(OPERATIONS))
        if lacking:
            raise GraphNotCutError(f"the format lacks {', '.join(lacking)}")
        self._input, self._outputs = graph.input[0].name, [each.name for each in graph.output]
        scales = {name for node in graph.node if node.op_type == "Resize" for name in node.input[1:]}
        self._constants: dict[str, Any] = {}
        """Numbers, axes, shapes by name; of weights the name of the buffer."""
        for place, each in enumerate(graph.initializer):
            values = numpy_helper.to_array(each)
            if values.dtype == np.float32 and values.ndim and each.name not in scales:
                self.register_buffer(f"weight_{place}", torch.from_numpy(values.copy()))
                self._constants[each.name] = f"weight_{place}"
            else:
                self._constants[each.name] = values.tolist()
        self._steps = [
            (
                OPERATIONS[node.op_type],
                list(node.input),
                list(node.output),
                {each.name: helper.get_attribute_value(each) for each in node.attribute},
            )
            for node in graph.node
        ]

    def forward(self, picture: Tensor) -> tuple[Tensor, ...]:
        """The outputs in the graph's order."""
        values: dict[str, Any] = {self._input: picture, "": None}
        for name, constant in self._constants.items():
            values[name] = getattr(self, constant) if isinstance(constant, str) else constant
        for run, inputs, outputs, attributes in self._steps:
            answer = run([values[name] for name in inputs], attributes)
            values.update(zip(outputs, answer if isinstance(answer, tuple) else (answer,), strict=False))
        return tuple(values[name] for name in self._outputs)


def _tensor(value: Any) -> Tensor:  # noqa: ANN401 - a tensor or whole numbers
    return value if isinstance(value, Tensor) else torch.tensor(value)


def _shape(tensor: Tensor) -> list[int]:
    """Whole numbers, also while torch traces."""
    return [int(length) for length in tensor.shape]


def _pair(operation: Callable[[Any, Any], Any]) -> Callable[[list[Any], Attributes], Any]:
    return lambda given, _: operation(*given)


def _single(operation: Callable[[Tensor], Tensor]) -> Callable[[list[Any], Attributes], Tensor]:
    return lambda given, _: operation(given[0])


def _padded(tensor: Tensor, pads: list[int], *, value: float) -> tuple[Tensor, list[int]]:
    """Pads on both sides, as torch takes them; what differs between the sides is added here."""
    half = len(pads) // 2
    if pads[:half] == pads[half:]:
        return tensor, pads[:half]
    ends = [edge for axis in reversed(range(half)) for edge in (pads[axis], pads[half + axis])]
    return F.pad(tensor, ends, value=value), [0] * half


def _conv(given: list[Any], form: Attributes) -> Tensor:
    picture, pads = _padded(given[0], list(form.get("pads", [0, 0, 0, 0])), value=0.0)
    bias = given[2] if len(given) > 2 else None
    return F.conv2d(
        picture, given[1], bias, form.get("strides", [1, 1]), pads, form.get("dilations", [1, 1]), form.get("group", 1)
    )


def _max_pool(given: list[Any], form: Attributes) -> Tensor:
    picture, pads = _padded(given[0], list(form.get("pads", [0, 0, 0, 0])), value=float("-inf"))
    return F.max_pool2d(
        picture,
        form["kernel_shape"],
        form.get("strides", [1, 1]),
        pads,
        form.get("dilations", [1, 1]),
        bool(form.get("ceil_mode", 0)),
    )


def _average_pool(given: list[Any], form: Attributes) -> Tensor:
    picture, pads = _padded(given[0], list(form.get("pads", [0, 0, 0, 0])), value=0.0)
    counted = bool(form.get("count_include_pad", 0))
    return F.avg_pool2d(
        picture, form["kernel_shape"], form.get("strides", [1, 1]), pads, bool(form.get("ceil_mode", 0)), counted
    )


def _clip(given: list[Any], _: Attributes) -> Tensor:
    lowest, highest = [*given[1:], None, None][:2]
    return torch.clamp(given[0], min=lowest, max=highest)


def _gemm(given: list[Any], form: Attributes) -> Tensor:
    left = given[0].t() if form.get("transA") else given[0]
    if form.get("alpha", 1.0) == form.get("beta", 1.0) == 1.0 and form.get("transB"):
        return F.linear(left, given[1], given[2] if len(given) > 2 else None)
    product = form.get("alpha", 1.0) * (left @ (given[1].t() if form.get("transB") else given[1]))
    return product + form.get("beta", 1.0) * given[2] if len(given) > 2 else product


def _reduced(operation: Callable[..., Tensor]) -> Callable[[list[Any], Attributes], Tensor]:
    def run(given: list[Any], form: Attributes) -> Tensor:
        axes = given[1] if len(given) > 1 and given[1] is not None else list(range(given[0].dim()))
        return operation(given[0], dim=tuple(axes), keepdim=bool(form.get("keepdims", 1)))

    return run


def _reshape(given: list[Any], form: Attributes) -> Tensor:
    shape = [
        _shape(given[0])[axis] if length == 0 and not form.get("allowzero") else length for axis, length in enumerate(given[1])
    ]
    return given[0].reshape(shape)


def _slice(given: list[Any], _: Attributes) -> Tensor:
    tensor, starts, ends = given[:3]
    axes = given[3] if len(given) > 3 and given[3] is not None else list(range(len(starts)))
    steps = given[4] if len(given) > 4 else [1] * len(starts)
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        place = [slice(None)] * tensor.dim()
        place[axis] = slice(start, end if end < _TO_THE_END else None, step)
        tensor = tensor[tuple(place)]
    return tensor


def _unsqueeze(given: list[Any], _: Attributes) -> Tensor:
    tensor = given[0]
    for axis in sorted(given[1]):
        tensor = tensor.unsqueeze(axis)
    return tensor


def _squeeze(given: list[Any], _: Attributes) -> Tensor:
    return given[0].squeeze(tuple(given[1])) if len(given) > 1 else given[0].squeeze()


def _pad(given: list[Any], form: Attributes) -> Tensor:
    pads, rank = given[1], given[0].dim()
    mode = form.get("mode", b"constant").decode()
    ends = [edge for axis in reversed(range(rank)) for edge in (pads[axis], pads[rank + axis])]
    if mode == "constant":
        return F.pad(given[0], ends, value=float(given[2]) if len(given) > 2 and given[2] is not None else 0.0)
    return F.pad(given[0], ends[:4], mode={"edge": "replicate", "reflect": "reflect"}[mode])


def _resize(given: list[Any], form: Attributes) -> Tensor:
    mode = form.get("mode", b"nearest").decode()
    if len(given) > 3:
        sides = given[3][2:]
    else:
        sides = [round(length * scale) for length, scale in zip(_shape(given[0]), given[2], strict=True)][2:]
    if mode == "linear":
        return F.interpolate(given[0], sides, mode="bilinear", align_corners=False)
    return F.interpolate(given[0], sides, mode="nearest")


def _expand(given: list[Any], _: Attributes) -> Tensor:
    return given[0].expand([-1 if length == 1 else length for length in given[1]])


def _gather(given: list[Any], form: Attributes) -> Tensor:
    axis, places = form.get("axis", 0), given[1]
    if isinstance(places, int):
        return given[0].select(axis, places)
    places = _tensor(places)
    if axis == 0:
        return _tensor(given[0])[places]
    if places.dim() != 1:
        raise GraphNotCutError("the format lacks Gather of several axes")
    return torch.index_select(_tensor(given[0]), axis, places)


def _gather_rows(given: list[Any], form: Attributes) -> Tensor:
    if form.get("batch_dims", 0) or _shape(given[1])[-1] != 1:
        raise GraphNotCutError("the format lacks GatherND along several axes")
    return _gather([given[0], given[1].squeeze(-1)], {"axis": 0})


def _instance_norm(given: list[Any], form: Attributes) -> Tensor:
    return F.instance_norm(given[0], weight=given[1], bias=given[2], eps=form.get("epsilon", 1e-5))


def _layer_norm(given: list[Any], form: Attributes) -> Tensor:
    sides = _shape(given[0])[form.get("axis", -1) :]
    return F.layer_norm(given[0], sides, given[1], given[2] if len(given) > 2 else None, form.get("epsilon", 1e-5))


def _split(given: list[Any], form: Attributes) -> tuple[Tensor, ...]:
    axis = form.get("axis", 0)
    if len(given) > 1 and given[1] is not None:
        return torch.split(given[0], given[1], dim=axis)
    return torch.tensor_split(given[0], form["num_outputs"], dim=axis)


def _top_k(given: list[Any], form: Attributes) -> tuple[Tensor, Tensor]:
    found = torch.topk(given[0], int(given[1][0]), dim=form.get("axis", -1), largest=bool(form.get("largest", 1)))
    return found.values, found.indices


OPERATIONS: dict[str, Callable[[list[Any], Attributes], Any]] = {
    "Abs": _single(torch.abs),
    "Add": _pair(operator.add),
    "ArgMax": lambda given, form: given[0].argmax(dim=form.get("axis", 0), keepdim=bool(form.get("keepdims", 1))),
    "ArgMin": lambda given, form: given[0].argmin(dim=form.get("axis", 0), keepdim=bool(form.get("keepdims", 1))),
    "AveragePool": _average_pool,
    "Clip": _clip,
    "Concat": lambda given, form: torch.cat([_tensor(each) for each in given], dim=form["axis"]),
    "Conv": _conv,
    "Div": _pair(operator.truediv),
    "Exp": _single(torch.exp),
    "Expand": _expand,
    "Flatten": lambda given, form: given[0].flatten(form.get("axis", 1)),
    "Gather": _gather,
    "GatherElements": lambda given, form: torch.gather(given[0], form.get("axis", 0), given[1]),
    "GatherND": _gather_rows,
    "Gemm": _gemm,
    "GlobalAveragePool": lambda given, _: given[0].mean(dim=(2, 3), keepdim=True),
    "Gelu": lambda given, form: F.gelu(given[0], approximate=form.get("approximate", b"none").decode()),
    "HardSigmoid": lambda given, form: (form.get("alpha", 0.2) * given[0] + form.get("beta", 0.5)).clamp(0, 1),
    "HardSwish": _single(F.hardswish),
    "InstanceNormalization": _instance_norm,
    "LayerNormalization": _layer_norm,
    "LeakyRelu": lambda given, form: F.leaky_relu(given[0], form.get("alpha", 0.01)),
    "Log": _single(torch.log),
    "MatMul": _pair(operator.matmul),
    "MaxPool": _max_pool,
    "Mul": _pair(operator.mul),
    "Pad": _pad,
    "Pow": lambda given, _: given[0] ** given[1],
    "ReduceL2": _reduced(torch.linalg.vector_norm),
    "ReduceMax": _reduced(torch.amax),
    "ReduceMean": _reduced(torch.mean),
    "ReduceMin": _reduced(torch.amin),
    "ReduceSum": _reduced(torch.sum),
    "Relu": _single(torch.relu),
    "Reshape": _reshape,
    "Resize": _resize,
    "Sigmoid": _single(torch.sigmoid),
    "Slice": _slice,
    "Split": _split,
    "Softmax": lambda given, form: torch.softmax(given[0], dim=form.get("axis", -1)),
    "Sqrt": _single(torch.sqrt),
    "Squeeze": _squeeze,
    "Sub": _pair(operator.sub),
    "TopK": _top_k,
    "Transpose": lambda given, form: given[0].permute(form["perm"]),
    "Unsqueeze": _unsqueeze,
}
