"""A picture model's graph for one size of picture: without its resize, its loops and its choices.

Called while a format's converter runs. Shapes: C channels, S side of the picture that the network sees.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, ArtefactManifest, TensorSpec
from automl.contracts.listing import kind_in, kind_names
from exporters._device_graph import cuts
from exporters._device_graph.cuts._cut import Cut, constants_of, shape_of
from exporters._device_graph.errors import GraphNotCutError

FACTS_FILE = "device.json"
"""Beside the model: what goes in and comes out, for whoever builds an app with it."""
INPUT = "picture"
_QUIET = 3
_OWN, _NEIGHBOUR = 0.75, 0.25
"""Weights of a bilinear doubling: a new cell lies a quarter of an old one beside its middle."""


@dataclass(frozen=True)
class DeviceGraph:
    """A graph that needs nothing but a network's operations."""

    model: onnx.ModelProto
    """Takes ``picture``, float32 ``_1CSS`` of 0..255 in RGB, and answers with ``outputs``; all shapes are fixed."""
    side_px: int
    manifest: ArtefactManifest
    cut: Cut

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of what it answers."""
        return tuple(each.name for each in self.model.graph.output)

    def facts_write(self, folder: Path, *, input_name: str = INPUT, output_names: Sequence[str] = ()) -> None:
        """Writes ``device.json``.

        Args:
            folder: of the model's files.
            input_name: the format's own name of the input.
            output_names: the format's own names of the outputs.
        """
        axes: tuple[str | int, ...] = (1, 3, self.side_px, self.side_px)
        taken = TensorSpec(name=input_name, dtype="float32", axes=axes, unit="sRGB 0..255")
        given = [
            TensorSpec(name=name, dtype="float32", axes=shape_of(self.model, own), unit=unit)
            for name, own, unit in zip(output_names or self.outputs, self.outputs, self.cut.outputs.values(), strict=True)
        ]
        facts = {
            "task": self.manifest.task,
            "output": self.manifest.output,
            "labels": self.manifest.label_set.names,
            "thresholds": dict(self.manifest.thresholds),
            "side_px": self.side_px,
            "inputs": [taken.model_dump(mode="json")],
            "outputs": [each.model_dump(mode="json") for each in given],
            "settings": dict(self.cut.settings),
        }
        (folder / FACTS_FILE).write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def device_graph(folder: Path) -> DeviceGraph:
    """Cuts an artefact's graph.

    Args:
        folder: of the artefact, or its copy in a product.

    Raises:
        GraphNotCutError: the graph is not built as those of pictures are, or its end cannot be cut off.
    """
    manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
    side_px: int = manifest.decode.min_side_px  # type: ignore[union-attr] # of pictures alone; it is the network's own side
    model = _inferred(_steps_pooled(_doublings_joined(_fixed(onnx.load(folder / MODEL_FILE), side_px))))
    kind = manifest.output.value
    spec = manifest.outputs[0]
    cut = kind_in(cuts.__name__, kind)(model) if kind in kind_names(cuts.__name__) else Cut({spec.name: spec.unit})
    return DeviceGraph(_between(model, _start(model, side_px), tuple(cut.outputs)), side_px, manifest, cut)


def _fixed(model: onnx.ModelProto, side_px: int) -> onnx.ModelProto:
    """The graph for one picture of the network's own size; what follows from sizes is computed."""
    for axis, length in zip(model.graph.input[0].type.tensor_type.shape.dim, (1, side_px, side_px, 3), strict=True):
        axis.dim_value = length
    for given in model.graph.output:
        given.type.tensor_type.shape.dim[0].dim_value = 1
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _QUIET
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    with tempfile.TemporaryDirectory() as scratch:
        options.optimized_model_filepath = str(Path(scratch) / "fixed.onnx")
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return onnx.load(options.optimized_model_filepath)


def _inferred(model: onnx.ModelProto) -> onnx.ModelProto:
    return onnx.shape_inference.infer_shapes(model, data_prop=True)


def _start(model: onnx.ModelProto, side_px: int) -> str:
    """The tensor that is the picture itself, behind the resize, which leaves a picture of its own size as it is.

    Raises:
        GraphNotCutError: there is none.
    """
    given = model.graph.input[0].name
    known = {each.name: each for each in model.graph.value_info}
    chain, tensor = [], given
    while True:
        users = [node for node in model.graph.node if tensor in node.input]
        if len(users) != 1 or users[0].output[0] not in known:
            break
        tensor = users[0].output[0]
        chain.append(tensor)
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    del probe.graph.output[:]
    probe.graph.output.extend(known[each] for each in chain)
    seen = np.random.default_rng(0).integers(0, 256, (1, side_px, side_px, 3), dtype=np.uint8)
    planes = seen.transpose(0, 3, 1, 2).astype(np.float32)
    found = dict(zip(chain, _run(probe, {given: seen}) if chain else [], strict=True))
    same = [name for name, values in found.items() if np.array_equal(values, planes)]
    if not same:
        raise GraphNotCutError(f"the graph does not begin by resizing its picture to {side_px} x {side_px} pixels")
    return str(same[-1])


def _run(model: onnx.ModelProto, feeds: dict[str, Any]) -> list[Any]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _QUIET
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    answers: list[Any] = session.run(None, feeds)
    return answers


def _between(model: onnx.ModelProto, start: str, ends: Sequence[str]) -> onnx.ModelProto:
    """The graph from one tensor to others; the first is called ``picture`` then."""
    known = {each.name: each for each in (*model.graph.value_info, *model.graph.output)}
    nodes: list[onnx.NodeProto] = []
    needed = set(ends)
    for node in reversed(model.graph.node):
        if needed.isdisjoint(node.output) or start in node.output:
            continue
        nodes.insert(0, node)
        needed.update(node.input)
    for node in nodes:
        node.input[:] = [INPUT if name == start else name for name in node.input]
    shape = shape_of(model, start)
    graph = helper.make_graph(
        nodes,
        "model",
        [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, shape)],
        [known[end] for end in ends],
        [each for each in model.graph.initializer if each.name in needed],
        value_info=[each for name, each in known.items() if name in needed and name not in ends and name != start],
    )
    cut = helper.make_model(graph, opset_imports=list(model.opset_import)[:1], ir_version=model.ir_version)
    onnx.checker.check_model(cut)
    return cut


def _steps_pooled(model: onnx.ModelProto) -> onnx.ModelProto:
    """Every n-th row or column of a map as a pooling of single cells, which more runtimes have than slices with steps."""
    constants = constants_of(model)
    for node in model.graph.node:
        if node.op_type != "Slice" or any(name not in constants for name in node.input[1:]):
            continue
        bounds = [constants[name].tolist() for name in node.input[1:]]
        if [len(each) for each in bounds] != [1, 1, 1, 1]:
            continue
        (start,), (end,), (axis,), (step,) = bounds
        if start == 0 and end >= np.iinfo(np.int32).max and axis in {2, 3} and step > 1:
            strides = [step if each == axis else 1 for each in (2, 3)]
            pooled = helper.make_node("MaxPool", [node.input[0]], [node.output[0]], kernel_shape=[1, 1], strides=strides)
            node.CopyFrom(pooled)
    return model


def _doublings_joined(model: onnx.ModelProto) -> onnx.ModelProto:
    """Bilinear doublings written out as slices and sums (``engine.models.shared.enlarge``) as one operation each."""
    made = {output: node for node in model.graph.node for output in node.output}
    constants = constants_of(model)
    scales: dict[str, tuple[str, list[float]]] = {}
    for node in model.graph.node:
        found = _doubled(node, made, constants)
        if found is None:
            continue
        source, axis = found
        factors = [1.0, 1.0, 1.0, 1.0]
        if source in scales:  # along the other axis, of the same map
            source, factors = scales[source][0], list(scales[source][1])
        factors[axis] *= 2
        scales[node.output[0]] = (source, factors)
        name = f"{node.output[0]}_scales"
        model.graph.initializer.append(numpy_helper.from_array(np.array(factors, np.float32), name))
        node.CopyFrom(helper.make_node("Resize", [source, "", name], [node.output[0]], mode="linear"))
    return model


def _doubled(node: onnx.NodeProto, made: dict[str, onnx.NodeProto], constants: dict[str, Any]) -> tuple[str, int] | None:
    """What a node doubles, and along which axis; None where it does something else."""
    pairs = made.get(node.input[0]) if node.op_type == "Reshape" else None
    if pairs is None or pairs.op_type != "Concat" or len(pairs.input) != 2:
        return None
    sides = [made.get(name) for name in pairs.input]
    if any(side is None or side.op_type != "Unsqueeze" for side in sides):
        return None
    sums = [made.get(side.input[0]) for side in sides if side is not None]
    owned = set()
    for total in sums:
        if total is None or total.op_type != "Add":
            return None
        parts = [_scaled(made.get(name), constants) for name in total.input]
        weights = {weight for weight, _ in parts}
        if weights != {_OWN, _NEIGHBOUR}:
            return None
        owned |= {source for weight, source in parts if weight == _OWN}
        (beside,) = (source for weight, source in parts if weight == _NEIGHBOUR)
        if made[beside].op_type != "Concat":
            return None
    (axis,) = (each.i for each in pairs.attribute if each.name == "axis")
    return (owned.pop(), axis - 1) if len(owned) == 1 else None


def _scaled(node: onnx.NodeProto | None, constants: dict[str, Any]) -> tuple[float, str]:
    """The one number that a tensor is multiplied by, and the tensor; (0, "") where a node does something else."""
    if node is None or node.op_type != "Mul":
        return 0.0, ""
    for number, source in (node.input, reversed(node.input)):
        if number in constants and constants[number].size == 1:
            return float(constants[number].ravel()[0]), source
    return 0.0, ""
