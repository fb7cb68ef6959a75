"""Models that read texts: from a file or a request to labels, and through every target."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
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
from exporters.build import build, target_names
from exporters.errors import ArtefactInvalidError, ExportCheckFailedError
from exporters.runtime.bodies import MAX_ITEMS, request_parse
from exporters.runtime.errors import (
    ArgumentInvalidError,
    ArtefactUnreadableError,
    JsonInvalidError,
    TextMissingError,
    TextsTooManyError,
    TextUnreadableError,
)
from exporters.runtime.predictor import Predictor
from exporters.runtime.text import TextTokens

LABELS = ("good", "bad", "差")
ALPHABET = " abcdefghijklmnopqrstuvwxyz好差快慢!"
MAX_TOKENS = 12
TEXTS = ("Good!", "{bad", "很快 好好好", "a text that is longer than twelve characters")


def text_artefact(folder: Path) -> Path:
    """A real artefact without torch: characters to ids, their mean vector to scores; golden scores come past the runtime."""
    (folder / SAMPLES_DIR).mkdir(parents=True)
    tokenizer = Tokenizer(models.WordLevel({"[PAD]": 0, "[UNK]": 1} | {c: 2 + i for i, c in enumerate(ALPHABET)}, "[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
    (folder / TOKENIZER_FILE).write_text(tokenizer.to_str(), encoding="utf-8")
    onnx.save(_model(2 + len(ALPHABET)), folder / MODEL_FILE)
    session = onnxruntime.InferenceSession(folder / MODEL_FILE, providers=["CPUExecutionProvider"])
    samples = []
    for number, text in enumerate(TEXTS):
        ids = [2 + ALPHABET.index(c) if c in ALPHABET else 1 for c in text.lower()][:MAX_TOKENS]
        (answers,) = session.run(None, {"tokens": np.array([ids], dtype=np.int64)})
        (folder / SAMPLES_DIR / f"{number}.txt").write_text(text, encoding="utf-8")
        samples.append(GoldenSample(file=f"{number}.txt", scores=tuple(answers[0].tolist())))
    GoldenSamples(labels=LABELS, samples=tuple(samples)).write(folder / SAMPLES_DIR / EXPECTED_FILE)
    ArtefactManifest(
        task="text_classification",
        output=OutputKind.CLASS_SCORES,
        decode=TextDecode(max_tokens=MAX_TOKENS, pad_id=0),
        inputs=(TensorSpec(name="tokens", dtype="int64", axes=("batch", "length"), unit="ids"),),
        outputs=(TensorSpec(name="scores", dtype="float32", axes=("batch", len(LABELS)), unit="probability 0..1"),),
        label_set=LabelSet(labels=tuple(Label(name=label) for label in LABELS)),
        thresholds={},
        metrics={},
        tolerance=1e-4,
        train=TrainConfig(family="tiny", size="0", params={}),
        lineage=Lineage(job="job_test", dataset_version="dsv_test", code="0.1.0", seed=0),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    ).write(folder / MANIFEST_FILE)
    return folder


def _model(num_ids: int) -> onnx.ModelProto:
    generator = np.random.default_rng(5)
    constants = {
        "vectors": generator.normal(0, 2, (num_ids, 8)).astype(np.float32),
        "weight": generator.normal(0, 2, (8, len(LABELS))).astype(np.float32),
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
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", len(LABELS)])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


@pytest.fixture(scope="module")
def artefact(tmp_path_factory) -> Path:
    return text_artefact(tmp_path_factory.mktemp("text") / "artefact")


@pytest.fixture(scope="module")
def predictor(artefact) -> Predictor:
    ready = Predictor()
    ready.setup(artefact)
    return ready


def test_answers_as_the_golden_samples_say(artefact, predictor):
    for sample in GoldenSamples.read(artefact / SAMPLES_DIR / EXPECTED_FILE).samples:
        item = predictor.decode((artefact / SAMPLES_DIR / sample.file).read_bytes())
        scores = predictor.predict(item)
        assert np.allclose(scores, sample.scores, atol=1e-6)
        best = LABELS[int(np.argmax(sample.scores))]
        assert predictor.encode(scores, item, top=1)[0]["label"] == best
        assert predictor.hold(scores, item)[0]["label"] == best


def test_byte_order_mark_and_white_space_around_do_not_count(predictor):
    plain, dressed = predictor.decode("好 快".encode()), predictor.decode("\ufeff \n好 快\r\n".encode())
    assert isinstance(plain, TextTokens)
    assert plain.text == dressed.text == "好 快"
    assert plain.tokens_T.tolist() == dressed.tokens_T.tolist()


def test_what_is_no_text_is_refused_by_name(predictor):
    with pytest.raises(TextUnreadableError, match="byte 1"):
        predictor.decode(b"a\xff")
    with pytest.raises(TextMissingError):
        predictor.decode(b" \n\t ")


def test_artefact_without_its_tokenizer_is_refused(tmp_path):
    broken = text_artefact(tmp_path / "artefact")
    (broken / TOKENIZER_FILE).write_text("{}", encoding="utf-8")
    with pytest.raises(ArtefactUnreadableError, match="tokenizer"):
        Predictor().setup(broken)
    (broken / TOKENIZER_FILE).unlink()
    with pytest.raises(ArtefactUnreadableError):
        Predictor().setup(broken)


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        ("好".encode(), "text/plain; charset=utf-8", ["好"]),
        (b"{not json", "text/plain", ["{not json"]),
        (b"plain", "", ["plain"]),
        (b'{"text": "one", "top_num": 2}', "", ["one"]),
        (b'{"texts": ["one", "two"]}', "application/json", ["one", "two"]),
    ],
)
def test_request_is_understood(body, content_type, expected):
    request = request_parse(body, content_type, {}, is_text=True)
    assert [item.decode() for item in request.pictures] == expected
    assert request.top == (2 if b"top_num" in body else None)


@pytest.mark.parametrize(
    ("body", "content_type", "error"),
    [
        (b"", "text/plain", TextMissingError),
        (b'{"image": "aGk="}', "application/json", TextMissingError),
        (b'{"texts": []}', "application/json", TextMissingError),
        (b'{"text": 3}', "application/json", ArgumentInvalidError),
        (b'{"texts": "one"}', "application/json", ArgumentInvalidError),
        (b'{"text": "\\ud800"}', "application/json", ArgumentInvalidError),
        (b"{not json", "", JsonInvalidError),
        (json.dumps({"texts": ["a"] * (MAX_ITEMS + 1)}).encode(), "application/json", TextsTooManyError),
    ],
)
def test_request_that_is_wrong_gets_its_own_code(body, content_type, error):
    with pytest.raises(error):
        request_parse(body, content_type, {}, is_text=True)


@pytest.mark.parametrize("target", target_names())
def test_every_target_ships_and_checks_the_tokenizer(target, artefact, tmp_path):
    report = build(target, artefact, tmp_path / "out", {})
    assert report.check.is_passed
    assert report.check.num_samples == len(TEXTS)
    other = text_artefact(tmp_path / "other")
    definition = json.loads((other / TOKENIZER_FILE).read_text(encoding="utf-8"))
    vocabulary = definition["model"]["vocab"]
    vocabulary["好"], vocabulary["差"], vocabulary["o"], vocabulary["e"] = (vocabulary[c] for c in "差好eo")
    (other / TOKENIZER_FILE).write_text(json.dumps(definition), encoding="utf-8")
    with pytest.raises(ExportCheckFailedError):
        build(target, other, tmp_path / "swapped", {})
    (other / TOKENIZER_FILE).unlink()
    with pytest.raises(ArtefactInvalidError, match=TOKENIZER_FILE):
        build(target, other, tmp_path / "missing", {})
