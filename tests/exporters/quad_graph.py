"""A model of two graphs, without torch: what is dark is a line, and what it says follows from how dark it is."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from PIL import Image, ImageDraw

from automl.contracts.artefact import MODEL_FILE, PIPELINE_FILE, GoldenLine, GoldenSample
from runtime.answers.quads import CORNERS, text_of
from runtime.backends.onnxruntime_cpu import OnnxRuntimeCpu
from runtime.pipelines import pipeline_open

RECOGNISER_FILE = "recogniser.onnx"
FILES = (PIPELINE_FILE, RECOGNISER_FILE)
SYMBOLS = ("A", "文", "C", "4")
_SIDE_PX = 320


def quad_picture(index: int, *, width: int = 200, height: int = 120) -> Image.Image:
    """White, with two dark bars that have a lighter half."""
    rng = np.random.default_rng(index)
    picture = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(picture)
    for row in range(2):
        left, upper = int(rng.integers(10, 30)), 15 + row * 50
        wide = int(rng.integers(80, 150))
        draw.rectangle((left, upper, left + wide, upper + 24), fill=(10, 10, 10))
        draw.rectangle((left + wide // 2, upper, left + wide, upper + 24), fill=(80, 80, 80))
    return picture


def quad_picture_bytes(index: int, **size: int) -> bytes:
    """The same as a file."""
    file = io.BytesIO()
    quad_picture(index, **size).save(file, "PNG")
    return file.getvalue()


def quad_model() -> onnx.ModelProto:
    """uint8 pictures to how dark each pixel is."""
    constants: dict[str, np.ndarray] = {
        "last": np.array([3], np.int64),
        "scale": np.array(-1 / 255, np.float32),
        "one": np.array(1, np.float32),
    }
    nodes = [
        helper.make_node("Cast", ["picture"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMean", ["floats", "last"], ["grey"], keepdims=0),
        helper.make_node("Mul", ["grey", "scale"], ["light"]),
        helper.make_node("Add", ["light", "one"], ["map"]),
    ]
    return _model(nodes, ("picture", ["batch", "height", "width", 3]), ("map", ["batch", "height", "width"]), constants)


def recogniser_model() -> onnx.ModelProto:
    """uint8 lines to a symbol each eight columns: the lighter, the later."""
    constants: dict[str, np.ndarray] = {
        "colours": np.array([3], np.int64),
        "rows": np.array([1], np.int64),
        "steps": np.array([0, -1, 8], np.int64),
        "last": np.array([2], np.int64),
        "scale": np.array(1 / 64, np.float32),
        "one": np.array(1, np.float32),
        "nothing": np.array(0, np.float32),
        "sure": np.array(0.9, np.float32),
    }
    nodes = [
        helper.make_node("Cast", ["line"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMean", ["floats", "colours"], ["grey"], keepdims=0),
        helper.make_node("ReduceMean", ["grey", "rows"], ["columns"], keepdims=0),
        helper.make_node("Reshape", ["columns", "steps"], ["by_step"]),
        helper.make_node("ReduceMean", ["by_step", "last"], ["mean"], keepdims=1),
        helper.make_node("Mul", ["mean", "scale"], ["scaled"]),
        helper.make_node("Floor", ["scaled"], ["level"]),
        helper.make_node("Add", ["level", "one"], ["symbol"]),
        helper.make_node("Mul", ["symbol", "nothing"], ["zeros"]),
        helper.make_node("Add", ["zeros", "sure"], ["probability"]),
        helper.make_node("Concat", ["symbol", "probability"], ["symbols"], axis=2),
    ]
    return _model(nodes, ("line", ["batch", 48, "width", 3]), ("symbols", ["batch", "steps", 2]), constants)


def quad_files_write(folder: Path) -> None:
    """Writes both graphs and what joins them."""
    onnx.save(quad_model(), folder / MODEL_FILE)
    onnx.save(recogniser_model(), folder / RECOGNISER_FILE)
    spec = {"kind": "text_lines", "recogniser": RECOGNISER_FILE, "symbols": SYMBOLS, "side_px": _SIDE_PX}
    spec |= {"threshold": 0.5, "least_score": 0.5, "unclip": 0.0}
    (folder / PIPELINE_FILE).write_text(json.dumps(spec), encoding="utf-8")


def quad_sample(folder: Path, name: str, index: int, **size: int) -> GoldenSample:
    """What the pipeline answers; that this is what the picture shows, ``tests/runtime/test_text_lines.py`` says."""
    pipeline = pipeline_open(folder, OnnxRuntimeCpu)
    rows = pipeline.run({"picture": np.asarray(quad_picture(index, **size))[None]})[0]
    lines = [
        GoldenLine(corners=row[:CORNERS].tolist(), score=float(row[CORNERS]), text=text_of(row)) for row in rows if row[CORNERS]
    ]
    return GoldenSample(file=name, scores=(), quads=tuple(lines))


def _model(
    nodes: list[onnx.NodeProto],
    given: tuple[str, list[str | int]],
    answered: tuple[str, list[str | int]],
    constants: dict[str, np.ndarray],
) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(given[0], TensorProto.UINT8, given[1])],
        [helper.make_tensor_value_info(answered[0], TensorProto.FLOAT, answered[1])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    onnx.checker.check_model(model)
    return model
