"""Models that read texts: from a file or a request to labels, and through every target."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from automl.contracts.artefact import EXPECTED_FILE, SAMPLES_DIR, TOKENIZER_FILE, GoldenSamples
from exporters.build import build, target_names
from exporters.errors import ArtefactInvalidError, ExportCheckFailedError
from runtime.errors import (
    ArgumentInvalidError,
    ArtefactUnreadableError,
    JsonInvalidError,
)
from runtime.explaining import item_explain
from runtime.items.text.calls import TextCalls
from runtime.items.text.errors import TextMissingError, TextsTooManyError, TextUnreadableError
from runtime.items.text.tokens import TextTokens
from runtime.predictor import Predictor
from tests.exporters.text_artefact_factory import LABELS, TEXTS, text_artefact_write


@pytest.fixture(scope="module")
def artefact(tmp_path_factory) -> Path:
    return text_artefact_write(tmp_path_factory.mktemp("text") / "artefact")


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
        assert predictor.passing(scores, item)[0]["label"] == best


def test_byte_order_mark_and_white_space_around_do_not_count(predictor):
    plain, dressed = predictor.decode("好 快".encode()), predictor.decode("\ufeff \n好 快\r\n".encode())
    assert isinstance(plain, TextTokens)
    assert plain.text == dressed.text == "好 快"
    assert plain.tokens_T.tolist() == dressed.tokens_T.tolist()


def test_says_which_texts_are_longer_than_the_model_reads(predictor):
    decoded = [predictor.decode(text.encode()) for text in ("x" * 12, "x" * 13, "好")]
    assert TextCalls(predictor.items).notes(decoded) == {"cut_texts": [2]}


def test_what_is_no_text_is_refused_by_name(predictor):
    with pytest.raises(TextUnreadableError, match="byte 1"):
        predictor.decode(b"a\xff")
    with pytest.raises(TextMissingError):
        predictor.decode(b" \n\t ")


def test_artefact_without_its_tokenizer_is_refused(tmp_path):
    broken = text_artefact_write(tmp_path / "artefact")
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
    request = TextCalls(None).request(body, content_type, {})
    assert [item.decode() for item in request.items] == expected
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
        (json.dumps({"texts": ["a"] * (TextCalls.max_items + 1)}).encode(), "application/json", TextsTooManyError),
    ],
)
def test_request_that_is_wrong_gets_its_own_code(body, content_type, error):
    with pytest.raises(error) as refused:
        TextCalls(None).request(body, content_type, {})
    assert "image" not in refused.value.hint


def test_an_answer_is_explained_by_the_parts_of_the_text(predictor):
    text = "  quick brown\n foxes, 很好看 "
    found = item_explain(predictor, text.encode())
    segments = found["segments"]
    assert "".join(text[part["start"] : part["end"]] for part in segments) == text
    best, _ = predictor.judge(predictor.predict(predictor.decode(text.encode())))
    assert found["label"] == best["label"]
    without = text[: segments[0]["start"]] + text[segments[0]["end"] :]
    score = predictor.predict(predictor.decode(without.encode()))[predictor.labels.index(found["label"])]
    assert segments[0]["fall"] == pytest.approx(found["score"] - score, abs=1e-6)


@pytest.mark.parametrize("target", target_names(reads="text"))
def test_every_target_ships_and_checks_the_tokenizer(target, artefact, tmp_path):
    report = build(target, artefact, tmp_path / "out", {})
    assert report.check.is_passed
    assert report.check.num_samples == len(TEXTS)
    other = text_artefact_write(tmp_path / "other")
    definition = json.loads((other / TOKENIZER_FILE).read_text(encoding="utf-8"))
    vocabulary = definition["model"]["vocab"]
    vocabulary["好"], vocabulary["差"], vocabulary["o"], vocabulary["e"] = (vocabulary[c] for c in "差好eo")
    (other / TOKENIZER_FILE).write_text(json.dumps(definition), encoding="utf-8")
    with pytest.raises(ExportCheckFailedError):
        build(target, other, tmp_path / "swapped", {})
    (other / TOKENIZER_FILE).unlink()
    with pytest.raises(ArtefactInvalidError, match=TOKENIZER_FILE):
        build(target, other, tmp_path / "missing", {})
