"""A picture model answers the same in every runtime, whatever the size of the picture that it has to resize."""

from __future__ import annotations

import json

import numpy as np
import onnx
import onnxruntime
import openvino
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from onnx.reference import ReferenceEvaluator
from torch import nn

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, ArtefactManifest
from automl.contracts.task import OutputKind
from engine.artefact.graph import export_graph
from engine.artefact.metadata import metadata_of
from engine.data.resize import resize_by_products
from engine.data.text import PAD_ID
from engine.models import families_for
from engine.tasks import task_spec
from tests.contracts.runtimes import runtime, runtime_names
from tests.engine.golden import difference, golden_sample
from tests.engine.jobs import brief_order, trained_once

SIDE_PX = 64
SIZES = ((64, 64), (130, 97), (383, 511), (500, 40), (20, 31), (1, 7))
"""Heights and widths: as they are, shrunk by odd factors, shrunk one way and enlarged the other, enlarged, a line."""
_TEXTS = "text_classification"
_FAMILIES = (
    ("image_classification", "resnet"),
    ("object_detection", "yolo"),
    ("semantic_segmentation", "unet"),
    ("semantic_segmentation", "deeplabv3_plus"),
    ("semantic_segmentation", "pp_liteseg"),
    ("instance_segmentation", "blendmask"),
    ("instance_segmentation", "cascade_mask_rcnn"),
    ("anomaly_detection", "feature_reconstruction"),
    ("image_similarity", "metric_learning"),
    ("ocr", "pp_ocr"),
)


class _Resize(nn.Module):
    def forward(self, picture):
        return resize_by_products(picture, SIDE_PX) / 255


def _pictures(height, width, number=2):
    """Noise, which an interpolation without antialiasing gives away."""
    return np.random.default_rng(height * width).integers(0, 256, (number, height, width, 3), dtype=np.uint8)


def _scenes(graph):
    """Of two sizes that a graph takes, whose sides may be given or multiples of a number."""
    _, *sides, _ = onnx.load(graph).graph.input[0].type.tensor_type.shape.dim
    steps = [int(side.dim_param.partition("*")[0] if "*" in side.dim_param else 1) for side in sides]
    return [
        _scene(*(side.dim_value or -(-px // step) * step for side, px, step in zip(sides, size, steps, strict=True)))
        for size in ((383, 511), (93, 120))
    ]


def _scene(height, width):
    """Large patches with a little noise."""
    rng = np.random.default_rng(height + width)
    coarse = torch.from_numpy(rng.uniform(0, 255, (1, 3, 6, 8)).astype(np.float32))
    smooth = F.interpolate(coarse, (height, width), mode="bilinear")[0].permute(1, 2, 0).numpy()
    return (smooth + rng.normal(0, 12, smooth.shape)).clip(0, 255).astype(np.uint8)[None]


@pytest.fixture(params=runtime_names())
def answers_of(request):
    return runtime(request.param).answers


@pytest.fixture(scope="module")
def resize(tmp_path_factory):
    path = tmp_path_factory.mktemp("resize") / "resize.onnx"
    example, axes = torch.zeros((2, 300, 400, 3), dtype=torch.uint8), {0: "batch", 1: "height", 2: "width"}
    export_graph(_Resize(), example, path, input_name="picture", output_name="resized", dynamic_axes=axes)
    return path


@pytest.fixture(scope="module", params=_FAMILIES, ids="-".join)
def artefact(request):
    """A model that was really trained, if briefly."""
    return trained_once(**brief_order(*request.param)) / "artefact"


def _interpolated(pictures):
    """What torch calls antialiased bilinear."""
    planes = torch.from_numpy(pictures).permute(0, 3, 1, 2).to(torch.float32)
    return F.interpolate(planes, (SIDE_PX, SIDE_PX), mode="bilinear", antialias=True, align_corners=False).numpy() / 255


def test_the_resize_is_antialiased_and_bilinear(answers_of, resize):
    batches = [_pictures(*size) for size in SIZES]
    for size, pictures, resized in zip(SIZES, batches, answers_of(resize, batches), strict=True):
        np.testing.assert_allclose(resized, _interpolated(pictures), atol=1e-4, rtol=0, err_msg=str(size))


def test_the_resize_is_what_the_standard_says_of_its_operators(resize):
    pictures = _pictures(130, 97)
    (resized,) = ReferenceEvaluator(str(resize)).run(None, {"picture": pictures})
    np.testing.assert_allclose(resized, _interpolated(pictures), atol=1e-4, rtol=0)


def test_half_precision_leaves_the_places_of_pixels_exact(resize):
    """OpenVINO's own default: rough pixels, but the right ones. Places in bfloat16 would be off by 0.03."""
    core = openvino.Core()
    run = core.compile_model(core.read_model(resize), "CPU", {"INFERENCE_PRECISION_HINT": "bf16"})
    pictures = _pictures(383, 511)
    np.testing.assert_allclose(run(pictures)[0], _interpolated(pictures), atol=8e-3, rtol=0)


def test_a_model_answers_alike_everywhere(answers_of, artefact):
    output = ArtefactManifest.read(artefact / MANIFEST_FILE).output
    graphs = sorted(artefact.glob("*.onnx"))
    for graph in graphs:
        scenes = _scenes(graph)
        for known, given in zip(*(answers(graph, scenes) for answers in (runtime("ort").answers, answers_of)), strict=True):
            if len(graphs) > 1:  # of which none gives the model's answer
                np.testing.assert_allclose(given, known, atol=1e-4, rtol=0)
                continue
            expected = golden_sample("0.png", known[0], output)
            assert any(expected.model_dump(exclude={"file", "instances"}).values())
            assert difference(expected, given[0], output) <= 1e-4


@pytest.mark.parametrize("family", [family.name for family in families_for(task_spec(_TEXTS))])
def test_a_model_of_texts_answers_alike_in_openvino(family):
    model = trained_once(**brief_order(_TEXTS, family)) / "artefact" / MODEL_FILE
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    core = openvino.Core()
    run = core.compile_model(core.read_model(model), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    chance = np.random.default_rng(0)
    for number, length in ((1, 1), (3, 7), (2, 24)):
        tokens = chance.integers(PAD_ID + 1, 100, (number, length))
        tokens[0, 1:] = PAD_ID  # a short text beside longer ones
        found = run({"tokens": tokens})[0]
        (expected,) = session.run(None, {"tokens": tokens})
        np.testing.assert_allclose(found, expected, atol=1e-4, rtol=0)
        assert expected.shape[0] == number


def test_a_graph_alone_says_what_it_is(artefact):
    manifest = ArtefactManifest.read(artefact / MANIFEST_FILE)
    model = onnx.load(artefact / MODEL_FILE)
    onnx.checker.check_model(model, full_check=True)
    entries = {entry.key: entry.value for entry in model.metadata_props}
    assert entries == metadata_of(manifest)
    assert json.loads(entries["labels"]) == list(manifest.label_set.names)
    assert json.loads(entries["inputs"])[0]["unit"] == "sRGB 0..255"
    assert json.loads(entries["thresholds"]).keys() == manifest.thresholds.keys()
    assert model.producer_name == "Modelyard"
    assert entries["output"] in set(OutputKind)


def test_a_graph_of_pictures_asks_for_no_resize_of_the_runtime(artefact):
    """Runtimes disagree about ``Resize``."""
    nodes = onnx.load(artefact / MODEL_FILE).graph.node
    modes = [each.s for node in nodes if node.op_type == "Resize" for each in node.attribute if each.name == "mode"]
    assert set(modes) <= {b"nearest"}  # of feature maps, doubled
