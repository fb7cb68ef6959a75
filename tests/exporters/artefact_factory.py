"""Writes real artefacts by the contracts, without torch: a tiny ONNX graph with random weights and golden samples."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from PIL import Image

from automl.contracts.artefact import (
    EXPECTED_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    SAMPLES_DIR,
    ArtefactManifest,
    GoldenInstances,
    GoldenSample,
    GoldenSamples,
    ImageDecode,
    Licence,
    Lineage,
    TensorSpec,
)
from automl.contracts.dataset import Label, LabelSet
from automl.contracts.job import TrainConfig
from automl.contracts.task import OutputKind
from runtime.answers.quads import MAX_LINES, ROW_LENGTH
from runtime.coverage import NAMES as COVERED
from runtime.run_lengths import counts_of
from tests.exporters.detector_graph import detector_tail, tiny_boxes
from tests.exporters.heat_map_graph import AXES as HEAT_MAP_AXES
from tests.exporters.heat_map_graph import heat_map_model, heat_map_sample
from tests.exporters.mask_graph import AXES, mask_model, mask_sample
from tests.exporters.quad_graph import FILES as QUAD_FILES
from tests.exporters.quad_graph import quad_files_write, quad_picture_bytes, quad_sample
from tests.exporters.resize_nodes import PREFIX, resize_nodes
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.vector_graph import NUM_DIMENSIONS, vector_model

LABELS = ("cat", "dog", "鸟")
SIDE_PX = 32
NUM_FEATURES = 8
OUTPUT_NAMES = {
    OutputKind.CLASS_SCORES: "scores",
    OutputKind.LABEL_SCORES: "scores",
    OutputKind.BOXES: "detections",
    OutputKind.INSTANCES: "instances",
}
MASK_SIDE = 6
"""Cells of the masks of single objects."""

TASKS = {
    OutputKind.BOXES: "object_detection",
    OutputKind.INSTANCES: "instance_segmentation",
    OutputKind.MASK: "semantic_segmentation",
    OutputKind.QUADS: "ocr",
}


def tiny_model(
    *,
    num_labels: int = len(LABELS),
    output: OutputKind = OutputKind.CLASS_SCORES,
    seed: int = 12,
    num_features: int = NUM_FEATURES,
) -> onnx.ModelProto:
    """uint8 pictures of any size in, scores out: resize, one convolution, mean, one layer.

    A detector of this kind sees one box of each label, always at the same place, and an empty row.
    """
    rng = np.random.default_rng(seed)
    constants = {
        "scale": np.array(1 / 255, np.float32),
        "kernel": rng.normal(0, 0.5, (num_features, 3, 3, 3)).astype(np.float32),
        "weight": rng.normal(0, 9.0, (num_features, num_labels)).astype(np.float32),
        "bias": rng.normal(0, 0.3, num_labels).astype(np.float32),
    }
    squash = helper.make_node("Softmax", ["logits"], ["scores"], axis=1)
    if output is not OutputKind.CLASS_SCORES:
        squash = helper.make_node("Sigmoid", ["logits"], ["scores"])
    shape: list[str | int] = ["batch", num_labels]
    tail = []
    outlines = output is OutputKind.INSTANCES
    if output is OutputKind.BOXES:
        shape = ["batch", num_labels + 1, 6]
        tail, more = detector_tail(num_labels, OUTPUT_NAMES[output])
        constants |= more
    if outlines:
        shape = ["batch", num_labels + 1, 6 + MASK_SIDE**2]
        constants["boxes"] = tiny_boxes(num_labels)
        constants |= {"most": np.array([num_labels], np.int64), "last": np.array([2], np.int64)}
        constants["pads"] = np.array([0, 0, 0, 0, 1, 0], np.int64)
        tail = [
            helper.make_node("TopK", ["scores", "most"], ["best", "places"], axis=1),
            helper.make_node("Gather", ["boxes", "places"], ["where"], axis=0),
            helper.make_node("Cast", ["places"], ["indices"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["best", "last"], ["best_column"]),
            helper.make_node("Unsqueeze", ["indices", "last"], ["index_column"]),
            helper.make_node("Concat", ["where", "best_column", "index_column"], ["boxes_with_scores"], axis=2),
            helper.make_node("Gather", ["masks", "places"], ["cells"], axis=0),
            helper.make_node("Concat", ["boxes_with_scores", "cells"], ["rows"], axis=2),
            helper.make_node("Pad", ["rows", "pads"], [OUTPUT_NAMES[output]]),
        ]
        constants["masks"] = _masks(num_labels, rng)
    resizing, sizes = resize_nodes("picture", "planes", "small", side_px=SIDE_PX)
    constants |= sizes
    nodes = [
        helper.make_node("Cast", ["picture"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Transpose", ["floats"], ["planes"], perm=[0, 3, 1, 2]),
        *resizing,
        helper.make_node("Mul", ["small", "scale"], ["unit"]),
        helper.make_node("Conv", ["unit", "kernel"], ["edges"], strides=[2, 2]),
        helper.make_node("Relu", ["edges"], ["active"]),
        helper.make_node("GlobalAveragePool", ["active"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["features"]),
        helper.make_node("MatMul", ["features", "weight"], ["products"]),
        helper.make_node("Add", ["products", "bias"], ["logits"]),
        squash,
        *tail,
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("picture", TensorProto.UINT8, ["batch", "height", "width", 3])],
        [helper.make_tensor_value_info(OUTPUT_NAMES[output], TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    onnx.checker.check_model(model)
    return model


def _masks(num_labels: int, rng: np.random.Generator) -> np.ndarray:
    """A mask for each label: a ring with a hole, and noise that leaves each cell on its side of one half."""
    far = np.abs(np.arange(MASK_SIDE) - (MASK_SIDE - 1) / 2)
    far = np.maximum(far[:, None], far)
    ring = np.where((far > 0.6) & (far < 2), 0.9, 0.1).ravel()
    return (ring + rng.uniform(-0.1, 0.1, (num_labels, MASK_SIDE**2))).astype(np.float32)


def plain_model(model: onnx.ModelProto | None = None) -> onnx.ModelProto:
    """A model without its resize, which not every runtime computes alike (docs/decisions/0004); by default the tiny one."""
    model = tiny_model() if model is None else model
    others = [node for node in model.graph.node if not {*node.output} & {"small"} and not node.output[0].startswith(PREFIX)]
    for node in others:
        node.input[:] = ["planes" if name == "small" else name for name in node.input]
    del model.graph.node[:]
    model.graph.node.extend(others)
    onnx.checker.check_model(model)
    return model


def picture(index: int, *, width: int = 48, height: int = 40) -> Image.Image:
    """A colourful picture; another index, another picture."""
    rng = np.random.default_rng(index)
    colour = rng.integers(0, 256, 3)
    coarse = np.clip(colour + rng.normal(0, 40, (4, 5, 3)), 0, 255).astype(np.uint8)
    return Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)


def picture_bytes(index: int, suffix: str = "PNG", **size: int) -> bytes:
    """The same as a file."""
    file = io.BytesIO()
    picture(index, **size).save(file, suffix)
    return file.getvalue()


def artefact_write(
    folder: Path,
    *,
    model: onnx.ModelProto | None = None,
    labels: tuple[str, ...] = LABELS,
    output: OutputKind = OutputKind.CLASS_SCORES,
    seed: int = 12,
    min_side_px: int = SIDE_PX,
    num_samples: int = 3,
) -> Path:
    """Writes an artefact whose golden scores come straight from the graph, past the runtime under test.

    Of pictures, but where a number is predicted, of rows.
    """
    if output is OutputKind.NUMBER:
        return row_artefact_write(folder, output=output)
    if output is OutputKind.QUADS:
        return _quads_write(folder, labels[:1], min_side_px, num_samples)
    if model is None and output is OutputKind.MASK:
        model = mask_model(num_labels=len(labels), seed=seed)
    if model is None and output is OutputKind.HEAT_MAP:
        model = heat_map_model(seed=seed)
    if model is None and output is OutputKind.VECTOR:
        model = vector_model(seed=seed)
    model = model or tiny_model(num_labels=len(labels), output=output, seed=seed)
    samples_dir = folder / SAMPLES_DIR
    samples_dir.mkdir(parents=True)
    onnx.save(model, folder / MODEL_FILE)
    session = onnxruntime.InferenceSession(str(folder / MODEL_FILE), providers=["CPUExecutionProvider"])
    samples = []
    for index in range(num_samples):
        name = f"{index}.png"
        size = {"width": min_side_px + 16, "height": min_side_px + 8}
        (samples_dir / name).write_bytes(picture_bytes(index, **size))
        (answers,) = session.run(None, {"picture": np.asarray(picture(index, **size))[None]})
        samples.append(_sample(name, answers[0], output))
    GoldenSamples(labels=labels, samples=tuple(samples)).write(samples_dir / EXPECTED_FILE)
    _manifest(labels, output, min_side_px).write(folder / MANIFEST_FILE)
    return folder


def _quads_write(folder: Path, labels: tuple[str, ...], min_side_px: int, num_samples: int) -> Path:
    samples_dir = folder / SAMPLES_DIR
    samples_dir.mkdir(parents=True)
    quad_files_write(folder)
    samples = []
    for index in range(num_samples):
        (samples_dir / f"{index}.png").write_bytes(quad_picture_bytes(index))
        samples.append(quad_sample(folder, f"{index}.png", index))
    GoldenSamples(labels=labels, samples=tuple(samples)).write(samples_dir / EXPECTED_FILE)
    manifest = _manifest(labels, OutputKind.QUADS, max(min_side_px, 200))
    manifest.model_copy(update={"files": QUAD_FILES}).write(folder / MANIFEST_FILE)
    return folder


def _sample(name: str, answer: np.ndarray, output: OutputKind) -> GoldenSample:
    if output is OutputKind.BOXES:
        return GoldenSample(file=name, scores=(), detections=[(*row[:5], int(row[5])) for row in answer.tolist() if row[4] > 0])
    if output is OutputKind.INSTANCES:
        rows = [row for row in answer if row[4] > 0]
        masks = [row[6:].reshape(MASK_SIDE, MASK_SIDE) for row in rows]
        return GoldenSample(
            file=name,
            scores=(),
            detections=[(*row[:5].tolist(), int(row[5])) for row in rows],
            instances=GoldenInstances(
                side=MASK_SIDE, masks=tuple((counts_of(mask >= 0.5), float(mask.mean(dtype=np.float64))) for mask in masks)
            ),
        )
    if output is OutputKind.MASK:
        return mask_sample(name, answer)
    if output is OutputKind.HEAT_MAP:
        return heat_map_sample(name, answer)
    if output is OutputKind.VECTOR:
        return GoldenSample(file=name, scores=(), vector=tuple(answer.tolist()))
    return GoldenSample(file=name, scores=tuple(answer.tolist()))


def _manifest(labels: tuple[str, ...], output: OutputKind, min_side_px: int) -> ArtefactManifest:
    return ArtefactManifest(
        task=TASKS.get(output, "image_classification"),
        output=output,
        decode=ImageDecode(min_side_px=min_side_px),
        inputs=(TensorSpec(name="picture", dtype="uint8", axes=("batch", "height", "width", 3), unit="sRGB 0..255"),),
        outputs=(_output_spec(output, len(labels)),),
        label_set=LabelSet(labels=tuple(Label(name=name) for name in labels)),
        thresholds={} if output in {OutputKind.CLASS_SCORES, OutputKind.VECTOR} else dict.fromkeys(labels, 0.5),
        metrics={},
        tolerance=1e-4,
        train=TrainConfig(family="tiny", size="0", params={}),
        lineage=Lineage(job="job_test", dataset_version="dsv_test", code="0.1.0", seed=0),
        licences=(Licence(part="weights", spdx="Apache-2.0", source="made by the test"),),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def _output_spec(output: OutputKind, num_labels: int) -> TensorSpec:
    forms: dict[OutputKind, tuple[str, tuple[str | int, ...]]] = {
        OutputKind.BOXES: ("detections", ("batch", num_labels + 1, 6)),
        OutputKind.INSTANCES: ("instances", ("batch", num_labels + 1, 6 + MASK_SIDE**2)),
        OutputKind.MASK: ("mask", AXES),
        OutputKind.HEAT_MAP: ("heat_map", HEAT_MAP_AXES),
        OutputKind.QUADS: ("lines", ("batch", MAX_LINES, ROW_LENGTH)),
        OutputKind.VECTOR: ("vector", ("batch", NUM_DIMENSIONS)),
    }
    name, axes = forms.get(output, ("scores", ("batch", num_labels)))
    return TensorSpec(name=name, dtype="float32", axes=axes, unit="see output" if output in forms else "probability 0..1")


def cover(artefact: Path) -> None:
    """Chooses an error rate, where the kind of answers knows one: the first label is always possible, the others never are."""
    path = artefact / MANIFEST_FILE
    manifest = json.loads(path.read_text(encoding="utf-8"))
    if manifest["output"] in COVERED:
        limits = {label["name"]: float(place > 0) for place, label in enumerate(manifest["label_set"]["labels"])}
        manifest["coverage"] = {"error_rate": 0.1, "limits": limits, "reach": 2.5}
        path.write_text(json.dumps(manifest), encoding="utf-8")
