"""A detector's rows become boxes, in every form of answer."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from automl.contracts.annotation import Annotations
from runtime import selftest
from runtime.answers.boxes import Boxes
from runtime.items.image.decode import Picture
from tests.exporters.artefact_factory import LABELS, picture_bytes
from tests.exporters.prediction_server import SECRET, Server

ROWS = np.array(
    [[0.5, 0.25, 0.25, 0.5, 0.9, 1], [0.0, 0.0, 0.1, 0.1, 0.4, 0], [-0.1, 0.8, 0.3, 0.4, 0.3, 0], [0, 0, 0, 0, 0, -1]],
    np.float32,
)
PICTURE = Picture(np.zeros((20, 40, 3), np.uint8), 400, 200)
BOXES = Boxes(("a", "b"))
NOTHING = np.zeros((3, 6), np.float32)


def encode(rows=ROWS, *, top=100, threshold=None, thresholds=None):
    return BOXES.encode(rows, PICTURE, top=top, threshold=threshold, thresholds=thresholds or {})


def test_boxes_are_pixels_of_the_files_picture_and_stay_within_it() -> None:
    first, _, last = encode()
    assert first == {"kind": "box", "label": "b", "x": 200, "y": 50, "width": 100, "height": 100, "score": pytest.approx(0.9)}
    assert [last[side] for side in ("x", "y", "width", "height")] == pytest.approx([0, 160, 80, 40])
    assert len(Annotations.validate_python(encode())) == 3


def test_thresholds_and_top_choose() -> None:
    assert [box["label"] for box in encode(thresholds={"a": 0.35, "b": 0.95})] == ["a"]
    assert [box["label"] for box in encode(threshold=0.35)] == ["b", "a"]
    assert len(encode(top=1)) == 1
    assert encode(NOTHING) == []


def test_best_box_and_doubt() -> None:
    assert BOXES.best(ROWS, {}) == {"label": "b", "score": pytest.approx(0.9)}
    assert BOXES.best(NOTHING, {}) is None
    assert BOXES.uncertainty(ROWS, {"a": 0.4, "b": 0.5}) == 1.0
    assert BOXES.uncertainty(NOTHING, {}) == 0.0


def test_server_answers_boxes_in_both_forms(server: Server) -> None:
    png = picture_bytes(3, width=200, height=100)
    annotations = server.predict("dep_boxes", content=png, params={"threshold": 0}).json()["predictions"][0]["annotations"]
    assert 1 <= len(annotations) <= len(LABELS)
    assert all(box["kind"] == "box" and box["width"] == pytest.approx(40) for box in annotations)
    body = json.dumps({"image": base64.b64encode(png).decode(), "threshold": 0})
    results = server.http.post("/v1/deployments/dep_boxes/predict", params={"access_token": SECRET}, content=body).json()[
        "results"
    ]
    assert [set(result) for result in results] == [{"name", "score", "location"}] * len(annotations)
    ours = annotations[0]
    expected = {"left": round(ours["x"]), "top": round(ours["y"]), "width": 40, "height": 30}
    assert results[0]["location"] == expected


@pytest.mark.parametrize("fault", ["moved", "renamed", "gone"])
def test_replay_sees_a_box_that_is_off(boxes_dir: Path, tmp_path: Path, fault: str) -> None:
    folder = shutil.copytree(boxes_dir, tmp_path / "artefact")
    assert selftest.replay(folder).is_passed
    path = folder / "samples" / "expected.json"
    expected = json.loads(path.read_bytes())
    rows = expected["samples"][0]["detections"]
    if fault == "moved":
        rows[0][0] += 0.01
    elif fault == "renamed":
        rows[0][5] = (rows[0][5] + 1) % len(LABELS)
    else:
        rows.pop(0)
    path.write_text(json.dumps(expected))
    shown = selftest.replay(folder)
    assert not shown.is_passed
    assert shown.max_difference > shown.tolerance
