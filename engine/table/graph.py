"""Builds an ONNX graph by hand, node by node: what makes numbers of rows is no torch module."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

OPSET, ML_OPSET = 20, 4
ML = "ai.onnx.ml"
CONTRIB = "com.microsoft"
"""Operators of onnxruntime's own; asked for only where one is used."""
_TYPES = {
    "float32": TensorProto.FLOAT,
    "int64": TensorProto.INT64,
    "string": TensorProto.STRING,
}


class GraphWriter:
    """A graph in the making. Names are given by it, in order, so that the same calls give the same bytes.

    Equal nodes and equal constants are kept once: models of one graph often prepare columns alike.
    """

    def __init__(self, inputs: Mapping[str, tuple[str, int]]):
        """Begins a graph.

        Args:
            inputs: by name the dtype (``float32``, ``int64``, ``string``) and the number of columns; the batch comes first.
        """
        self.inputs = dict(inputs)
        self._nodes: list[onnx.NodeProto] = []
        self._outputs: dict[bytes, list[str]] = {}
        self._constants: dict[tuple[str, tuple[int, ...], bytes], str] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}
        self._initializers: list[onnx.TensorProto] = []

    def add(self, operator: str, inputs: Sequence[str], *, domain: str = "", **attributes: Any) -> str:
        """Adds a node with one output, and gives the output's name."""
        return self.add_many(operator, inputs, 1, domain=domain, **attributes)[0]

    def add_many(
        self, operator: str, inputs: Sequence[str], num_outputs: int, *, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Adds a node with several outputs. A node that is there already is not added again: its outputs are given."""
        node = helper.make_node(operator, list(inputs), [], domain=domain, **attributes)
        key = hashlib.sha256(node.SerializeToString(deterministic=True)).digest() + num_outputs.to_bytes(4)
        if key not in self._outputs:
            node.name = f"{operator.lower()}_{len(self._nodes)}"
            node.output.extend([node.name] if num_outputs == 1 else [f"{node.name}_{number}" for number in range(num_outputs)])
            self._nodes.append(node)
            self._outputs[key] = list(node.output)
        return list(self._outputs[key])

    @property
    def nodes(self) -> tuple[onnx.NodeProto, ...]:
        """What there is, in order."""
        return tuple(self._nodes)

    def constant_shape(self, name: str) -> tuple[int, ...] | None:
        """The shape of a constant; None when the name is of none."""
        return self._shapes.get(name)

    def constant(self, value: NDArray[Any]) -> str:
        """A constant tensor; equal ones are kept once."""
        array = np.asarray(value, order="C")  # unlike ascontiguousarray, it leaves a scalar one
        key = (array.dtype.str, array.shape, repr(array.tolist()).encode() if array.dtype == object else array.tobytes())
        if key not in self._constants:
            name = f"constant_{len(self._constants)}"
            self._constants[key] = name
            self._shapes[name] = array.shape
            self._initializers.append(numpy_helper.from_array(array, name))
        return self._constants[key]

    def floats(self, *values: float) -> str:
        """A constant of float32 ``_K``; one value is a scalar."""
        array = np.array(values, dtype=np.float32)
        return self.constant(array.reshape(()) if len(values) == 1 else array)

    def ints(self, *values: int) -> str:
        """A constant of int64 ``_K``, as shapes and axes want it."""
        return self.constant(np.array(values, dtype=np.int64))

    def finish(self, answers: str, *, name: str, num_columns: int) -> onnx.ModelProto:
        """The model with one output.

        Args:
            answers: name of the tensor ``[batch, num_columns]``, float32.
            name: what the output is called.
            num_columns: of the answers.

        Raises:
            onnx.checker.ValidationError: the graph is none.
        """
        last = helper.make_node("Identity", [answers], [name], name="answers")
        graph = helper.make_graph(
            [*self._nodes, last],
            "model",
            [
                helper.make_tensor_value_info(each, _TYPES[dtype], ["batch", width])
                for each, (dtype, width) in self.inputs.items()
            ],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", num_columns])],
            self._initializers,
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(ML, ML_OPSET)]
        if any(node.domain == CONTRIB for node in self._nodes):
            opsets.append(helper.make_opsetid(CONTRIB, 1))
        model = helper.make_model(graph, opset_imports=opsets, producer_name="modelyard", ir_version=10)
        onnx.checker.check_model(model)
        return model
