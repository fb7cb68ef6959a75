"""What a Core ML program says, computed by torch: it stands in for Core ML, which is on Apple's systems alone.

It reads the file that an app ships: operations, numbers and weights. Each function below is an operation of Core ML's
intermediate language (https://apple.github.io/coremltools/source/coremltools.converters.mil.mil.ops.defs.html).
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name that everybody knows
from torch import Tensor

Values = dict[str, Any]
MARK = 0xDEADBEEF
"""Begins the description of each block of weights."""
TYPES: dict[int, str] = {1: "<f2", 2: "<f4"}
"""By the number in that description."""


class Program:
    """A program with one input."""

    def __init__(self, model: Path) -> None:
        """Reads it.

        Args:
            model: ``model.mlmodel``; ``weights`` lies beside it.

        Raises:
            ValueError: an operation is not known here.
        """
        from coremltools.proto import Model_pb2  # noqa: PLC0415 - it takes seconds to import

        read = Model_pb2.Model()
        read.ParseFromString(model.read_bytes())
        function = read.mlProgram.functions["main"]
        block = function.block_specializations[function.opset]
        self._input, self.outputs = function.inputs[0].name, list(block.outputs)
        self._weights = model.parent
        self._constants: Values = {}
        self._steps = []
        for each in block.operations:
            if each.type == "const":
                self._constants[each.outputs[0].name] = self._value(each.attributes["val"])
            elif each.type in OPERATIONS:
                self._steps.append((OPERATIONS[each.type], each, [one.name for one in each.outputs]))
            else:
                raise ValueError(f"{each.type} is not known here")

    def run(self, picture_1CSS: Tensor) -> list[Tensor]:  # noqa: N803 - the suffix is the shape
        """The outputs in the order of the file."""
        values: Values = {**self._constants, self._input: picture_1CSS}
        with torch.inference_mode():
            for operation, step, names in self._steps:
                answer = operation({key: self._argument(given, values) for key, given in step.inputs.items()})
                values.update(zip(names, answer if isinstance(answer, tuple | list) else (answer,), strict=True))
        return [values[name] for name in self.outputs]

    def _argument(self, given: Any, values: Values) -> Any:  # noqa: ANN401 - messages of the file
        found = [values[one.name] if one.WhichOneof("binding") == "name" else self._value(one.value) for one in given.arguments]
        return found[0] if len(found) == 1 else found

    def _value(self, value: Any) -> Any:  # noqa: ANN401 - messages of the file
        """A tensor of floats, or numbers, words and lists of them."""
        kind = value.type.tensorType
        shape = [each.constant.size for each in kind.dimensions]
        if value.WhichOneof("value") == "blobFileValue":
            return self._block(value.blobFileValue.fileName, value.blobFileValue.offset, shape)
        tensor = value.immediateValue.tensor
        held = tensor.WhichOneof("value")
        numbers = getattr(tensor, held).values
        if held == "floats":
            return torch.tensor(list(numbers), dtype=torch.float32).reshape(shape)
        if held == "bytes":
            return torch.from_numpy(np.frombuffer(numbers, "<f2").astype(np.float32)).reshape(shape)
        return list(numbers) if shape else numbers[0]

    def _block(self, name: str, offset: int, shape: Sequence[int]) -> Tensor:
        """Weights of the file beside the program."""
        with (self._weights / name.removeprefix("@model_path/")).open("rb") as file:
            file.seek(offset)
            mark, kind, num_bytes, place = struct.unpack("<IIQQ", file.read(24))
            if mark != MARK or kind not in TYPES:
                raise ValueError(f"no weights at {offset}")
            file.seek(place)
            numbers = np.frombuffer(file.read(num_bytes), TYPES[kind])
        return torch.from_numpy(numbers.astype(np.float32)).reshape(list(shape))


def _whole(value: Any) -> Any:  # noqa: ANN401 - a number or a list of them
    """Whole numbers, also where a program computes them."""
    return value.tolist() if isinstance(value, Tensor) else value


def _pair(operation: Callable[[Any, Any], Any]) -> Callable[[Values], Any]:
    return lambda given: operation(given["x"], given["y"])


def _single(operation: Callable[[Tensor], Tensor]) -> Callable[[Values], Tensor]:
    return lambda given: operation(given["x"])


def _pads(given: Values, value: float) -> Tensor:
    """The picture with its edges, as ``pad_type`` says."""
    sides = {"valid": [0, 0, 0, 0], "custom": given.get("pad", [0, 0, 0, 0])}[given.get("pad_type", "valid")]
    top, bottom, left, right = sides
    return F.pad(given["x"], (left, right, top, bottom), value=value) if any(sides) else given["x"]


def _conv(given: Values) -> Tensor:
    form = (given.get("strides", [1, 1]), 0, given.get("dilations", [1, 1]), given.get("groups", 1))
    return F.conv2d(_pads(given, 0.0), given["weight"], given.get("bias"), *form)


def _max_pool(given: Values) -> Tensor:
    picture = _pads(given, float("-inf"))
    return F.max_pool2d(picture, given["kernel_sizes"], given.get("strides", [1, 1]), ceil_mode=given.get("ceil_mode", False))


def _avg_pool(given: Values) -> Tensor:
    top, bottom, left, right = given.get("pad", [0, 0, 0, 0]) if given.get("pad_type") == "custom" else [0, 0, 0, 0]
    if (top, left) != (bottom, right):
        raise ValueError("avg_pool with edges that differ is not known here")
    form = (given.get("ceil_mode", False), not given.get("exclude_padding_from_average", False))
    return F.avg_pool2d(given["x"], given["kernel_sizes"], given.get("strides", [1, 1]), [top, left], *form)


def _pad(given: Values) -> Tensor:
    sides, mode = list(given["pad"]), given.get("mode", "constant")
    pairs = [tuple(sides[place : place + 2]) for place in range(0, len(sides), 2)]
    ends = [end for pair in reversed(pairs) for end in pair]
    if mode == "constant":
        return F.pad(given["x"], ends, value=float(given.get("constant_val", 0.0)))
    return F.pad(given["x"], ends[:4], mode={"reflect": "reflect", "replicate": "replicate"}[mode])


def _reduced(operation: Callable[..., Tensor]) -> Callable[[Values], Tensor]:
    def run(given: Values) -> Tensor:
        axes = given.get("axes") or range(given["x"].ndim)
        return operation(given["x"], dim=tuple(axes), keepdim=given.get("keep_dims", False))

    return run


def _slice(given: Values) -> Tensor:
    tensor: Tensor = given["x"]
    begin, end = _whole(given["begin"]), _whole(given["end"])
    nothing = [False] * tensor.ndim
    begin_open, end_open = (given.get(name, nothing) for name in ("begin_mask", "end_mask"))
    strides, dropped = given.get("stride", [1] * tensor.ndim), given.get("squeeze_mask", nothing)
    taken = tuple(
        begin[axis]
        if dropped[axis]
        else slice(None if begin_open[axis] else begin[axis], None if end_open[axis] else end[axis], strides[axis])
        for axis in range(tensor.ndim)
    )
    return tensor[taken]


def _layer_norm(given: Values) -> Tensor:
    sides = [given["x"].shape[axis] for axis in given["axes"]]
    return F.layer_norm(given["x"], sides, given.get("gamma"), given.get("beta"), float(given.get("epsilon", 1e-5)))


def _instance_norm(given: Values) -> Tensor:
    return F.instance_norm(given["x"], weight=given.get("gamma"), bias=given.get("beta"), eps=float(given.get("epsilon", 1e-5)))


def _enlarged(given: Values) -> Tensor:
    factors = (float(given["scale_factor_height"]), float(given["scale_factor_width"]))
    if "align_corners" not in given:
        return F.interpolate(given["x"], scale_factor=factors, mode="nearest")
    return F.interpolate(given["x"], scale_factor=factors, mode="bilinear", align_corners=bool(given["align_corners"]))


def _top_k(given: Values) -> tuple[Tensor, Tensor]:
    found = torch.topk(given["x"], int(given["k"]), dim=given.get("axis", -1), largest=not given.get("ascending", False))
    return found.values, found.indices


def _places(given: Values) -> Tensor:
    return torch.as_tensor(given["indices"]).long()


def _gather(given: Values) -> Tensor:
    axis, places = given.get("axis", 0), _places(given)
    tensor = torch.as_tensor(given["x"])
    taken = torch.index_select(tensor, axis, places.reshape(-1))
    return taken.reshape(*tensor.shape[:axis], *places.shape, *tensor.shape[axis + 1 :])


def _concat(given: Values) -> Tensor:
    parts, axis = [torch.as_tensor(each) for each in given["values"]], given["axis"]
    if given.get("interleave", False):  # the first of each part, then the second of each
        return torch.stack(parts, dim=axis % parts[0].ndim + 1).flatten(axis % parts[0].ndim, axis % parts[0].ndim + 1)
    return torch.cat(parts, dim=axis)


def _split(given: Values) -> tuple[Tensor, ...]:
    axis = given["axis"]
    if "split_sizes" in given:
        return torch.split(given["x"], _whole(given["split_sizes"]), dim=axis)
    return torch.tensor_split(given["x"], given["num_splits"], dim=axis)


def _matmul(given: Values) -> Tensor:
    one: Tensor = given["x"]
    other: Tensor = given["y"]
    return (one.mT if given.get("transpose_x") else one) @ (other.mT if given.get("transpose_y") else other)


def _cast(given: Values) -> Tensor:
    types = {"fp32": torch.float32, "fp16": torch.float32, "int32": torch.int64, "int16": torch.int64, "bool": torch.bool}
    return torch.as_tensor(given["x"]).to(types[given["dtype"]])


def _reshaped(given: Values) -> Tensor:
    tensor: Tensor = given["x"]
    shape = [tensor.shape[axis] if length == 0 else length for axis, length in enumerate(_whole(given["shape"]))]
    return tensor.reshape(shape)


def _unsqueezed(given: Values) -> Tensor:
    tensor = torch.as_tensor(given["x"])
    for axis in sorted(given["axes"]):
        tensor = tensor.unsqueeze(axis)
    return tensor


OPERATIONS: dict[str, Callable[[Values], Any]] = {
    "abs": _single(torch.abs),
    "add": _pair(operator.add),
    "avg_pool": _avg_pool,
    "cast": _cast,
    "clip": lambda given: given["x"].clamp(float(given["alpha"]), float(given["beta"])),
    "concat": _concat,
    "conv": _conv,
    "exp": _single(torch.exp),
    "expand_dims": _unsqueezed,
    "gather": _gather,
    "gather_along_axis": lambda given: torch.gather(given["x"], given.get("axis", 0), _places(given)),
    "gelu": lambda given: F.gelu(given["x"], approximate="none" if given.get("mode", "EXACT") == "EXACT" else "tanh"),
    "identity": lambda given: given["x"],
    "instance_norm": _instance_norm,
    "layer_norm": _layer_norm,
    "leaky_relu": lambda given: F.leaky_relu(given["x"], float(given["alpha"])),
    "linear": lambda given: F.linear(given["x"], given["weight"], given.get("bias")),
    "log": lambda given: torch.log(given["x"] + float(given.get("epsilon", 0.0))),
    "matmul": _matmul,
    "max_pool": _max_pool,
    "maximum": _pair(torch.maximum),
    "minimum": _pair(torch.minimum),
    "mul": _pair(operator.mul),
    "pad": _pad,
    "pow": _pair(operator.pow),
    "real_div": _pair(operator.truediv),
    "reduce_argmax": lambda given: given["x"].argmax(dim=given["axis"], keepdim=given.get("keep_dims", False)),
    "reduce_argmin": lambda given: given["x"].argmin(dim=given["axis"], keepdim=given.get("keep_dims", False)),
    "reduce_l2_norm": _reduced(torch.linalg.vector_norm),
    "reduce_max": _reduced(torch.amax),
    "reduce_mean": _reduced(torch.mean),
    "reduce_min": _reduced(torch.amin),
    "reduce_sum": _reduced(torch.sum),
    "relu": _single(torch.relu),
    "reshape": _reshaped,
    "sigmoid": _single(torch.sigmoid),
    "sigmoid_hard": lambda given: (float(given["alpha"]) * given["x"] + float(given["beta"])).clamp(0, 1),
    "slice_by_index": _slice,
    "softmax": lambda given: torch.softmax(given["x"], dim=given.get("axis", -1)),
    "split": _split,
    "sqrt": _single(torch.sqrt),
    "squeeze": lambda given: given["x"].squeeze(tuple(given["axes"])),
    "sub": _pair(operator.sub),
    "tile": lambda given: given["x"].repeat(_whole(given["reps"])),
    "topk": _top_k,
    "transpose": lambda given: given["x"].permute(given["perm"]),
    "upsample_bilinear": _enlarged,
    "upsample_nearest_neighbor": _enlarged,
}
