"""The library for Java: run on the JVM with ONNX Runtime's own classes, it answers as the runtime does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from automl.contracts.artefact import (
    EXPECTED_FILE,
    SAMPLES_DIR,
    GoldenSamples,
)
from tests.exporters.artefact_factory import picture
from tests.exporters.java_library import ARTEFACTS, artefact_of, ask, packed, predictor_of
from tests.exporters.javascript_items import answer_of, beside_of, difference, items_of
from tests.exporters.test_cpp_sdk import file_of, numbers_of, plain


def samples_of(artefact: Path) -> int:
    return len(GoldenSamples.read(artefact / SAMPLES_DIR / EXPECTED_FILE).samples)


def test_answers_are_those_of_python():
    calls, expected = [], []
    for kind in ARTEFACTS:
        artefact = artefact_of(kind)
        predictor = predictor_of(artefact)
        items = [item for name, item in items_of(predictor) if not name.endswith(".webp")]
        if kind == "quads":
            items = [packed((artefact / "samples" / f"{place}.png").read_bytes()) for place in range(3)]
        calls += [("load", artefact), ("facts",), ("selftest",), *(("predict", item, {"threshold": 0}) for item in items)]
        calls += [("batch", items, {"threshold": 0}), ("answer", items[0], {"threshold": 0}), ("bench", 2)]
        expected.append((kind, artefact, predictor, items))
    results = iter(ask(*calls))
    for kind, artefact, predictor, items in expected:
        assert next(results) is None, kind
        assert next(results) == [predictor.items.name, predictor.manifest["output"], list(predictor.labels)]
        shown = next(results)
        assert (shown["is_passed"], shown["num_samples"], shown["tolerance"]) == (
            True,
            samples_of(artefact),
            predictor.tolerance,
        )
        assert re.fullmatch(r"java \S+, onnxruntime \S+", shown["environment"])
        given = [next(results) for _ in items]
        assert sum(bool(each) for each in given) > 1
        for item, ours in zip(items, given, strict=True):
            if kind == "quads":
                assert list(map(plain, ours)) == list(map(plain, json.loads(json.dumps(answer_of(predictor, item)))))
            assert difference(ours, answer_of(predictor, item)) <= predictor.tolerance, (kind, str(item)[:80])
        assert next(results) == given, "a batch answers as one after the other do"
        beside = next(results)
        assert beside.pop("annotations") == given[0]
        ends = beside.get("interval", {})
        theirs = beside_of(predictor, items[0])
        assert ends == pytest.approx(theirs.pop("interval", {}), abs=predictor.tolerance)
        assert {name: each for name, each in beside.items() if name != "interval"} == theirs
        measured = next(results)
        assert (measured["num_runs"], 0 < measured["min_ms"] <= measured["p90_ms"]) == (2, True)


def test_answers_keep_to_the_query_and_pixels_are_answered_as_files_are():
    image = picture(9, width=57, height=43)
    pixels, file, tilted = np.asarray(image), packed(file_of(image, "PNG")), packed(file_of(picture(8), "PNG"))
    queries = [{"top": 1, "threshold": 0}, {"threshold": 0.3}, {"threshold": 1}, {"top": 2}, {}]
    grey = np.asarray(image.convert("L"))
    held = [
        ("predict", packed(pixels.tobytes(), width=57, height=43, channels=3)),
        ("predict", packed(np.dstack([pixels, np.full((43, 57), 255, np.uint8)]).tobytes(), width=57, height=43, channels=4)),
        ("predict", packed(grey.tobytes(), width=57, height=43, channels=1)),
        ("predict", packed(file_of(image.convert("L"), "PNG"))),
    ]
    kinds = [kind for kind in ARTEFACTS if kind not in {"row", "number", "text", "words"}]
    calls = [call for kind in kinds for call in (("load", artefact_of(kind)), *(("predict", file, query) for query in queries))]
    results = iter(
        ask(
            *calls,
            ("load", artefact_of("mask")),
            ("pixels", {"file": str(artefact_of("mask") / "samples" / "0.png")}, {"threshold": 0}),
            ("load", artefact_of("vector")),
            ("similarity", file, file),
            ("similarity", file, tilted),
            ("similarity", file, None),
            ("load", artefact_of("mask")),
            *held,
            ("predict", file),
        )
    )
    for kind in kinds:
        predictor = predictor_of(artefact_of(kind))
        item = predictor.decode(file_of(image, "PNG"))
        assert next(results) is None
        for query in queries:
            expected = json.loads(json.dumps(predictor.encode(predictor.predict(item), item, **query)))
            ours = next(results)
            assert [plain(each) for each in ours] == [plain(each) for each in expected], (kind, query)
            assert numbers_of(ours) == pytest.approx(numbers_of(expected), abs=2e-6)
    _, held_pixels, _, *similar, _ = (next(results) for _ in range(7))
    assert 0 < held_pixels <= 48 * 40
    vectors = [answer_of(predictor_of(artefact_of("vector")), each)[0]["values"] for each in (file, tilted)]
    assert similar[:2] == [pytest.approx(1.0, abs=1e-5), pytest.approx(float(np.dot(*vectors)), abs=1e-5)]
    assert similar[2]["code"] == "argument_invalid"
    colours, opaque, one, one_file, whole = results
    assert colours == opaque == whole
    assert one == one_file


def test_many_threads_give_the_same_answers_and_closing_waits_for_them():
    files = [packed(file_of(picture(number), "PNG")) for number in range(5)]
    _, *alone, together = ask(
        ("load", artefact_of("label_scores")), *(("predict", each) for each in files), ("threads", *files)
    )
    answered = [(place, each) for place, each in enumerate(together) if each != "model_closed"]
    assert len(answered) > len(together) // 2 - 8, (
        "closing waits for calls, but some of the eight threads may not have called yet"
    )
    assert all(each == alone[place % len(files)] for place, each in answered)
