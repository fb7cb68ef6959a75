"""The shipped graph of every detector family, barely trained, in every runtime: the same boxes; and a changed weight shows."""

from __future__ import annotations

import shutil

import numpy as np
import onnx
import openvino
import pytest
from onnx import numpy_helper

from automl.contracts.artefact import (
    EXPECTED_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    SAMPLES_DIR,
    ArtefactManifest,
    GoldenSample,
    GoldenSamples,
)
from automl.contracts.task import OutputKind
from engine.artefact.session import Session
from engine.artefact.write import OWN_TOLERANCE
from engine.data.image import read_picture, resize_picture
from engine.errors import ParityError
from engine.models import families_for
from engine.tasks import task_spec
from exporters.build import build, target_names
from exporters.errors import ExportCheckFailedError
from runtime import selftest
from runtime.answers._rows import MISSING_BOX
from tests.engine.golden import difference, golden_sample, replayed
from tests.engine.jobs import brief_order, trained_once
from tests.exporters.sabotage import reseal
from tests.exporters.support import SAME_RUNTIME, needs_extra

TASK = "object_detection"
FAMILIES = [family.name for family in families_for(task_spec(TASK))]
_TRUNK, _HEADS = ("trunk",), ("heads.1.", "labels.", "predictor.")
"""Words in the names of kernels that every picture needs."""


@pytest.fixture(scope="module", params=FAMILIES)
def weak(request):
    """The artefact of two epochs at the smallest picture size."""
    return trained_once(**brief_order(TASK, request.param)) / "artefact"


def _samples(folder):
    read = GoldenSamples.read(folder / SAMPLES_DIR / EXPECTED_FILE).samples
    return [(sample, read_picture(folder / SAMPLES_DIR / sample.file)) for sample in read]


def _scaled(folder, copy, names, factor):
    """A copy in which the first kernel whose name has one of these words in it is multiplied."""
    shutil.copytree(folder, copy)
    model = onnx.load(copy / MODEL_FILE)
    weights = [weight for weight in model.graph.initializer if weight.name.endswith("weight") and len(weight.dims) >= 2]
    weight = next(weight for weight in weights if any(name in weight.name for name in names))
    values = numpy_helper.to_array(weight)
    weight.CopyFrom(numpy_helper.from_array((values * factor).astype(values.dtype), weight.name))
    onnx.save(model, copy / MODEL_FILE)
    reseal(copy)
    return copy


def test_every_sample_holds_boxes_that_are_compared(weak):
    for sample, _ in _samples(weak):
        assert sample.detections
        nothing = np.tile(np.array([0, 0, 0, 0, 0, -1.0]), (100, 1))
        assert difference(sample, nothing, OutputKind.BOXES) == MISSING_BOX


def test_onnxruntime_answers_as_torch_does(weak):
    assert replayed(weak, OWN_TOLERANCE) <= OWN_TOLERANCE
    assert selftest.replay(weak).is_passed


def test_openvino_answers_as_onnxruntime_does(weak):
    core = openvino.Core()
    precise = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    run = core.compile_model(core.read_model(weak / MODEL_FILE), "CPU", precise)
    session = Session(weak / MODEL_FILE)
    for sample, picture_HWC in _samples(weak):
        expected = golden_sample(sample.file, session.run(picture_HWC[None])[0], OutputKind.BOXES)
        assert expected.detections
        assert difference(expected, run(picture_HWC[None])[0][0], OutputKind.BOXES) <= OWN_TOLERANCE


@pytest.mark.parametrize("names", [_TRUNK, _HEADS], ids=["trunk", "head"])
def test_a_kernel_that_is_off_by_a_hundredth_is_caught(weak, names, tmp_path):
    broken = _scaled(weak, tmp_path / "engine", names, 1.01)
    with pytest.raises(ParityError):
        replayed(broken, OWN_TOLERANCE)


def test_a_customer_s_replay_catches_a_changed_kernel(weak, tmp_path):
    assert not selftest.replay(_scaled(weak, tmp_path / "product", _HEADS, 1.1)).is_passed


@pytest.mark.parametrize("target", [target for target in target_names(reads="image") if target not in SAME_RUNTIME])
def test_every_runtime_gives_the_model_s_boxes_and_no_product_leaves_with_others(target, tmp_path):
    """Of one family: a product holds the graph as it is, which all of them replay above.

    The smallest; but where a short list of boxes is filled up, as here with YOLO, MNN leaves rubbish in the rows that fill it,
    and is refused.
    """
    needs_extra(target)
    families = ["ssd"] if target == "mnn_model" else FAMILIES
    trained = [trained_once(**brief_order(TASK, family)) / "artefact" for family in families]
    made = min(trained, key=lambda artefact: (artefact / MODEL_FILE).stat().st_size)
    assert build(target, made, tmp_path / "out", {}).check.is_passed
    with pytest.raises(ExportCheckFailedError):
        build(target, _scaled(made, tmp_path / "broken", _HEADS, 1.1), tmp_path / "refused", {})
    assert list((tmp_path / "refused").iterdir()) == []


def test_pictures_of_a_batch_are_answered_as_they_are_alone(weak):
    session, side = Session(weak / MODEL_FILE), ArtefactManifest.read(weak / MANIFEST_FILE).decode.min_side_px
    seen = [resize_picture(picture_HWC, height_px=side, width_px=side) for _, picture_HWC in _samples(weak)[:3]]
    for picture_HWC, row_D6 in zip(seen, session.run(np.stack(seen)), strict=True):
        alone = golden_sample("alone.png", session.run(picture_HWC[None])[0], OutputKind.BOXES)
        assert difference(alone, row_D6, OutputKind.BOXES) <= OWN_TOLERANCE


def _row(score, x=0.1, label=0):
    return (x, 0.2, 0.3, 0.4, score, label)


def _apart(expected, given, *, length=100):
    """How far an answer of so many rows is from a sample."""
    empty = [(0, 0, 0, 0, 0, -1)] * (length - len(given))
    sample = GoldenSample(file="0.png", scores=(), detections=tuple(expected))
    return difference(sample, np.array([*given, *empty], dtype=np.float32), OutputKind.BOXES)


def test_boxes_at_the_cut_of_a_list_may_differ_and_no_others():
    good = [_row(0.9), _row(0.8, label=1)]
    assert _apart(good, good) < 1e-6
    assert _apart(good, good[:1]) == MISSING_BOX
    assert _apart([*good, _row(0.02, label=2)], good) < 1e-6, "it fell below the lowest score"
    assert _apart([*good, _row(0.02, x=0.5)], [*good, _row(0.02, x=0.6)]) < 1e-6, "equals, of which each side kept one"
    assert _apart([*good, _row(0.7, x=0.5)], [*good, _row(0.7, x=0.6)], length=3) < 1e-6, "the list was full"
    assert _apart([*good, _row(0.7, x=0.5)], [*good, _row(0.7, x=0.6)]) == pytest.approx(0.1)
    assert _apart([_row(0.01)], []) == MISSING_BOX, "the only one"


def test_a_low_score_counts_by_its_share_and_what_is_no_number_is_missing():
    weak = [_row(0.01), _row(0.009)]
    assert _apart(weak, [_row(0.011), _row(0.009)]) == pytest.approx(0.05 / 11, rel=1e-3)
    assert _apart(weak, [_row(0.01, x=np.nan), _row(0.009, x=np.nan)]) == MISSING_BOX
