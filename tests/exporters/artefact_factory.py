"""Writes real artefacts by the contracts, without torch: a tiny ONNX graph with random weights and golden samples."""

from __future__ import annotations

import io
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

LABELS = ("cat", "dog", "鸟")
SIDE_PX = 32
NUM_FEATURES = 8


def tiny_model(
    *, num_labels: int = len(LABELS), output: OutputKind = OutputKind.CLASS_SCORES, seed: int = 12
) -> onnx.ModelProto:
    """uint8 pictures of any size in, scores out: resize, one convolution, mean, one layer."""
    rng = np.random.default_rng(seed)
    constants = {
        "sizes": np.array([SIDE_PX, SIDE_PX], np.int64),
        "scale": np.array(1 / 255, np.float32),
        "kernel": rng.normal(0, 0.5, (NUM_FEATURES, 3, 3, 3)).astype(np.float32),
        "weight": rng.normal(0, 9.0, (NUM_FEATURES, num_labels)).astype(np.float32),
        "bias": rng.normal(0, 0.3, num_labels).astype(np.float32),
    }
    squash = helper.make_node("Softmax", ["logits"], ["scores"], axis=1)
    if output is OutputKind.LABEL_SCORES:
        squash = helper.make_node("Sigmoid", ["logits"], ["scores"])
    nodes = [
        helper.make_node("Cast", ["picture"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Transpose", ["floats"], ["planes"], perm=[0, 3, 1, 2]),
        helper.make_node("Resize", ["planes", "", "", "sizes"], ["small"], mode="linear", antialias=1, axes=[2, 3]),
        helper.make_node("Mul", ["small", "scale"], ["unit"]),
        helper.make_node("Conv", ["unit", "kernel"], ["edges"], strides=[2, 2]),
        helper.make_node("Relu", ["edges"], ["active"]),
        helper.make_node("GlobalAveragePool", ["active"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["features"]),
        helper.make_node("MatMul", ["features", "weight"], ["products"]),
        helper.make_node("Add", ["products", "bias"], ["logits"]),
        squash,
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("picture", TensorProto.UINT8, ["batch", "height", "width", 3])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", num_labels])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
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
    """Writes an artefact whose golden scores come straight from the graph, past the runtime under test."""
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
        (scores,) = session.run(None, {"picture": np.asarray(picture(index, **size))[None]})
        samples.append(GoldenSample(file=name, scores=tuple(scores[0].tolist())))
    GoldenSamples(labels=labels, samples=tuple(samples)).write(samples_dir / EXPECTED_FILE)
    _manifest(labels, output, min_side_px).write(folder / MANIFEST_FILE)
    return folder


def _manifest(labels: tuple[str, ...], output: OutputKind, min_side_px: int) -> ArtefactManifest:
    return ArtefactManifest(
        task="image_classification",
        output=output,
        decode=ImageDecode(min_side_px=min_side_px),
        inputs=(TensorSpec(name="picture", dtype="uint8", axes=("batch", "height", "width", 3), unit="sRGB 0..255"),),
        outputs=(TensorSpec(name="scores", dtype="float32", axes=("batch", len(labels)), unit="probability 0..1"),),
        label_set=LabelSet(labels=tuple(Label(name=name) for name in labels)),
        thresholds=dict.fromkeys(labels, 0.5) if output is OutputKind.LABEL_SCORES else {},
        metrics={},
        tolerance=1e-4,
        train=TrainConfig(family="tiny", size="0", params={}),
        lineage=Lineage(job="job_test", dataset_version="dsv_test", code="0.1.0", seed=0),
        licences=(Licence(part="weights", spdx="Apache-2.0", source="made by the test"),),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
