"""Writes real artefacts that read rows by the contracts, without torch: all four kinds of columns, one linear layer."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from automl.contracts.artefact import (
    EXPECTED_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    SAMPLES_DIR,
    ArtefactManifest,
    GoldenSample,
    GoldenSamples,
    Lineage,
    RowColumn,
    RowDecode,
    TensorSpec,
)
from automl.contracts.dataset import Label, LabelSet
from automl.contracts.job import TrainConfig
from automl.contracts.table import ColumnKind, Row
from automl.contracts.task import OutputKind

LABELS = ("stays", "leaves", "不确定")
DECODE = RowDecode(
    columns=(
        RowColumn(name="age", kind=ColumnKind.NUMBER, typical="41"),
        RowColumn(name="city", kind=ColumnKind.CATEGORY, choices=("Paris", "上海", "Graz"), typical="Paris"),
        RowColumn(name="income", kind=ColumnKind.NUMBER, decimal=",", typical="1.800,50"),
        RowColumn(name="since", kind=ColumnKind.DATETIME, datetime_format="%d.%m.%Y", typical="01.05.2020"),
        RowColumn(name="note", kind=ColumnKind.TEXT, typical="asked for a discount"),
    ),
    target="churn",
)
ROWS: tuple[dict[str, str], ...] = (
    {"age": "34", "city": "上海", "income": "2.400,00", "since": "02.01.2021", "note": "late twice"},
    {"age": "61.5", "city": "Linz", "since": "30.06.2011"},
    {"city": "Graz", "income": "950", "note": "moved"},
)
READ: tuple[tuple[list[float], list[int], list[str], list[str]], ...] = (
    ([34.0, 2400.0], [1609545600], ["上海"], ["late twice"]),
    ([61.5, float("nan")], [1309392000], ["Linz"], [""]),
    ([float("nan"), 950.0], [-(2**63)], ["Graz"], ["moved"]),
)
"""``ROWS`` as the graph takes them, written down by hand: numbers, datetimes, categories, texts."""
FEATURES = {
    "numbers": np.float32,
    "datetimes": np.int64,
    "categories": object,
    "texts": object,
}
DAY_S = 86_400


def row_artefact_write(folder: Path, *, output: OutputKind = OutputKind.CLASS_SCORES, labels: tuple[str, ...] = LABELS) -> Path:
    """Writes an artefact whose golden answers come straight from the graph, past the runtime under test."""
    (folder / SAMPLES_DIR).mkdir(parents=True)
    is_number = output is OutputKind.NUMBER
    names = () if is_number else labels
    onnx.save(row_model(len(labels), is_number=is_number), folder / MODEL_FILE)
    session = onnxruntime.InferenceSession(folder / MODEL_FILE, providers=["CPUExecutionProvider"])
    samples = []
    for number, (cells, read) in enumerate(zip(ROWS, READ, strict=True)):
        feeds = {name: np.array([part], dtype=dtype) for (name, dtype), part in zip(FEATURES.items(), read, strict=True)}
        (answers,) = session.run(None, feeds)
        (folder / SAMPLES_DIR / f"{number}.json").write_text(Row(cells=cells).model_dump_json(), encoding="utf-8")
        samples.append(GoldenSample(file=f"{number}.json", scores=tuple(answers[0].tolist())))
    GoldenSamples(labels=names, samples=tuple(samples)).write(folder / SAMPLES_DIR / EXPECTED_FILE)
    unit = "that of the target" if is_number else "probability 0..1"
    ArtefactManifest(
        task="tabular_prediction",
        output=output,
        decode=DECODE,
        inputs=(
            TensorSpec(name="numbers", dtype="float32", axes=("batch", 2), unit="as in the table, NaN is missing"),
            TensorSpec(name="datetimes", dtype="int64", axes=("batch", 1), unit="seconds since 1970"),
            TensorSpec(name="categories", dtype="string", axes=("batch", 1), unit="values, empty is missing"),
            TensorSpec(name="texts", dtype="string", axes=("batch", 1), unit="texts, empty is missing"),
        ),
        outputs=(TensorSpec(name="answers", dtype="float32", axes=("batch", len(names) or 1), unit=unit),),
        label_set=LabelSet(labels=tuple(Label(name=name) for name in names)),
        thresholds={},
        metrics={},
        tolerance=1e-3 if is_number else 1e-4,
        train=TrainConfig(family="tiny", size="0", params={}),
        lineage=Lineage(job="job_test", dataset_version="dsv_test", code="0.1.0", seed=0),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    ).write(folder / MANIFEST_FILE)
    return folder


def row_model(num_labels: int, *, is_number: bool) -> onnx.ModelProto:
    """Age and income, years since a day, a code for the city, whether the note speaks of lateness; then one linear layer."""
    generator = np.random.default_rng(9)
    weight = generator.normal(0, 0.6, (5, num_labels))
    constants: dict[str, np.ndarray] = {
        "zero": np.array(0, np.float32),
        "scale": np.array([1 / 40, 1 / 2000], np.float32),
        "least": np.array(np.iinfo(np.int64).min, np.int64),
        "today": np.array(20_000 * DAY_S, np.int64),
        "year": np.array(365 * DAY_S, np.float32),
        "weight": (np.abs(weight[:, :1]) * 100 if is_number else weight).astype(np.float32),
    }
    nodes = [
        helper.make_node("IsNaN", ["numbers"], ["no_number"]),
        helper.make_node("Where", ["no_number", "zero", "numbers"], ["filled"]),
        helper.make_node("Mul", ["filled", "scale"], ["scaled"]),
        helper.make_node("Equal", ["datetimes", "least"], ["no_time"]),
        helper.make_node("Where", ["no_time", "today", "datetimes"], ["moments"]),
        helper.make_node("Sub", ["today", "moments"], ["seconds"]),
        helper.make_node("Cast", ["seconds"], ["seconds_f"], to=TensorProto.FLOAT),
        helper.make_node("Div", ["seconds_f", "year"], ["years"]),
        helper.make_node(
            "LabelEncoder",
            ["categories"],
            ["cities"],
            domain="ai.onnx.ml",
            keys_strings=["Paris", "上海", "Graz"],
            values_floats=[1.0, -1.0, 0.5],
            default_float=0.0,
        ),
        helper.make_node("RegexFullMatch", ["texts"], ["is_late"], pattern=".*late.*"),
        helper.make_node("Cast", ["is_late"], ["late"], to=TensorProto.FLOAT),
        helper.make_node("Concat", ["scaled", "years", "cities", "late"], ["features"], axis=1),
        helper.make_node("MatMul", ["features", "weight"], ["answers" if is_number else "logits"]),
    ]
    if not is_number:
        nodes.append(helper.make_node("Softmax", ["logits"], ["answers"], axis=1))
    kinds: dict[str, Any] = {
        "numbers": (TensorProto.FLOAT, 2),
        "datetimes": (TensorProto.INT64, 1),
        "categories": (TensorProto.STRING, 1),
        "texts": (TensorProto.STRING, 1),
    }
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, dtype, ["batch", width]) for name, (dtype, width) in kinds.items()],
        [helper.make_tensor_value_info("answers", TensorProto.FLOAT, ["batch", 1 if is_number else num_labels])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("ai.onnx.ml", 4)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    onnx.checker.check_model(model)
    return model
