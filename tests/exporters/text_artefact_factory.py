"""Writes real artefacts that read texts by the contracts, without torch: characters to ids, their mean vector to scores."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from automl.contracts.artefact import (
    EXPECTED_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    SAMPLES_DIR,
    TOKENIZER_FILE,
    ArtefactManifest,
    GoldenSample,
    GoldenSamples,
    Lineage,
    TensorSpec,
    TextDecode,
)
from automl.contracts.dataset import Label, LabelSet
from automl.contracts.job import TrainConfig
from automl.contracts.task import OutputKind

LABELS = ("good", "bad", "差")
ALPHABET = " abcdefghijklmnopqrstuvwxyz好差快慢!"
MAX_TOKENS = 12
TEXTS = ("Good!", "{bad", "很快 好好好", "a text that is longer than twelve characters")


def text_artefact_write(
    folder: Path, *, labels: tuple[str, ...] = LABELS, definition: str = "", texts: Sequence[str] = TEXTS
) -> Path:
    """Writes an artefact whose golden scores come straight from the graph, past the runtime under test.

    Args:
        folder: to write.
        labels: of the answers.
        definition: the content of a ``tokenizer.json``; empty: one of characters.
        texts: golden ones, without white space at their ends.
    """
    (folder / SAMPLES_DIR).mkdir(parents=True)
    tokenizer: Any = Tokenizer.from_str(definition or _characters())
    (folder / TOKENIZER_FILE).write_text(tokenizer.to_str(), encoding="utf-8")
    max_tokens = tokenizer.truncation["max_length"]
    onnx.save(_model(max(tokenizer.get_vocab().values()) + 1, len(labels)), folder / MODEL_FILE)
    session = onnxruntime.InferenceSession(folder / MODEL_FILE, providers=["CPUExecutionProvider"])
    samples = []
    for number, text in enumerate(texts):
        ids = tokenizer.encode(text).ids or [0]
        (answers,) = session.run(None, {"tokens": np.array([ids], dtype=np.int64)})
        (folder / SAMPLES_DIR / f"{number}.txt").write_bytes(text.encode())
        samples.append(GoldenSample(file=f"{number}.txt", scores=tuple(answers[0].tolist())))
    GoldenSamples(labels=labels, samples=tuple(samples)).write(folder / SAMPLES_DIR / EXPECTED_FILE)
    ArtefactManifest(
        task="text_classification",
        output=OutputKind.CLASS_SCORES,
        decode=TextDecode(max_tokens=max_tokens, pad_id=0),
        inputs=(TensorSpec(name="tokens", dtype="int64", axes=("batch", "length"), unit="ids"),),
        outputs=(TensorSpec(name="scores", dtype="float32", axes=("batch", len(labels)), unit="probability 0..1"),),
        label_set=LabelSet(labels=tuple(Label(name=label) for label in labels)),
        thresholds={},
        metrics={},
        tolerance=1e-4,
        train=TrainConfig(family="tiny", size="0", params={}),
        lineage=Lineage(job="job_test", dataset_version="dsv_test", code="0.1.0", seed=0),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    ).write(folder / MANIFEST_FILE)
    return folder


def _characters() -> str:
    vocabulary = {"[PAD]": 0, "[UNK]": 1} | {c: 2 + i for i, c in enumerate(ALPHABET)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))  # of a character each; JavaScript knows no WordLevel
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
    definition: str = tokenizer.to_str()
    return definition


def _model(num_ids: int, num_labels: int) -> onnx.ModelProto:
    generator = np.random.default_rng(5)
    constants = {
        "vectors": generator.normal(0, 2, (num_ids, 8)).astype(np.float32),
        "weight": generator.normal(0, 2, (8, num_labels)).astype(np.float32),
    }
    nodes = [
        helper.make_node("Gather", ["vectors", "tokens"], ["words"]),
        helper.make_node("ReduceMean", ["words", "along"], ["mean"], keepdims=0),
        helper.make_node("MatMul", ["mean", "weight"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["scores"], axis=1),
    ]
    constants["along"] = np.array([1], dtype=np.int64)
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("tokens", TensorProto.INT64, ["batch", "length"])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", num_labels])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
