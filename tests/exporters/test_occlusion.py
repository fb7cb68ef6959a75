"""What a model looked at in a picture, by occlusion: where its answer comes from, and nothing where there is no reason."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from scipy.stats import spearmanr
from torch import nn

from automl.contracts.task import OutputKind
from engine.data.version import DatasetVersion
from engine.tasks import task_part
from runtime.answers.boxes import Boxes
from runtime.errors import ArgumentInvalidError, NotExplainedError
from runtime.explaining import LEAST_FALL, box_of, item_explain
from runtime.items.image.decode import Picture
from runtime.items.image.occlusion import MAX_WINDOWS, area_around, grid_of, picture_occlude, weights_of
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import LABELS, artefact_write, picture_bytes

SHAPES = ("circle", "square")
SIDES = ("x", "y", "width", "height")
BRIGHT = 110
"""Shapes of the example are brighter, their ground is darker."""


def predictor_of(folder: Path) -> Predictor:
    ready = Predictor()
    ready.setup(folder)
    return ready


def picture_of(pixels_HWC: np.ndarray) -> Picture:
    height, width = pixels_HWC.shape[:2]
    return Picture(pixels_HWC, width, height)


def falls_of(pixels_HWC: np.ndarray, score) -> np.ndarray:
    """In cells, row by row."""
    grid, falls = picture_occlude(picture_of(pixels_HWC), lambda each: score(each.pixels_HWC))
    return np.array(falls).reshape(grid.rows, grid.columns)


@pytest.mark.parametrize("size", [(240, 240), (320, 200), (90, 400)])
def test_the_cell_that_counts_most_lies_on_what_decides(size):
    rng = np.random.default_rng(4)
    width, height = size
    for _ in range(10):
        pixels = rng.integers(90, 110, (height, width, 3), dtype=np.uint8)
        x, y = (int(rng.integers(0, side - 24)) for side in size)
        pixels[y : y + 24, x : x + 24] = (230, 20, 20)
        falls = falls_of(pixels, lambda each: float(((each[..., 0] > 180) & (each[..., 1] < 80)).mean()) * each.size / 3 / 576)
        row, column = np.unravel_index(falls.argmax(), falls.shape)
        down, across = (row + 0.5) * height / falls.shape[0], (column + 0.5) * width / falls.shape[1]
        cell = max(height / falls.shape[0], width / falls.shape[1])
        assert abs(down - (y + 12)) < 1.5 * cell
        assert abs(across - (x + 12)) < 1.5 * cell
        assert falls.max() > 0.5


def test_a_colour_that_decides_is_covered_too():
    pixels = np.full((200, 200, 3), 60, np.uint8)
    pixels[100:, :100] = (200, 40, 40)
    falls = falls_of(pixels, lambda each: float((each[..., 0].astype(int) - each[..., 1] > 100).mean()) * 4)
    half = falls.shape[0] // 2
    assert falls[half + 1 :, : half - 1].min() > falls[: half - 1].max() + 0.01


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (224, 224), (640, 360), (100, 9000), (9000, 100)])
def test_a_picture_of_any_shape_costs_no_more_than_a_full_request(size):
    grid = grid_of(*size)
    windows = (grid.rows - 1) * (grid.columns - 1)
    assert 1 <= windows <= MAX_WINDOWS
    assert grid.rows * grid.columns >= 4
    if max(size) / min(size) < 3 and min(size) > 10:
        assert windows > MAX_WINDOWS // 2
        assert 0.6 < (size[0] / grid.columns) / (size[1] / grid.rows) < 1.7


@pytest.mark.parametrize("size", [(1, 1), (2, 5), (40, 3)])
def test_pictures_of_few_pixels_are_explained(size):
    shapes = []
    falls = falls_of(np.zeros((*size, 3), np.uint8), lambda each: shapes.append(each) or 0.5)
    assert np.abs(falls).max() == 0.0
    assert len(shapes) <= MAX_WINDOWS + 1


def test_noise_is_not_blown_up_to_a_reason():
    assert weights_of([LEAST_FALL / 2, 0.0]) == [0.0, 0.0]
    assert weights_of([0.2, -0.1]) == [1.0, -0.5]
    assert weights_of([]) == []


def test_an_answer_is_explained_by_its_label(artefact_dir):
    model = predictor_of(artefact_dir)
    data = picture_bytes(3)
    found = item_explain(model, data)
    best, _ = model.judge(model.predict(model.decode(data)))
    assert best is not None
    assert (found["label"], found["score"]) == (best["label"], pytest.approx(best["score"], abs=1e-3))
    assert len(found["grid"]["falls"]) == len(found["grid"]["weights"]) == found["grid"]["rows"] * found["grid"]["columns"]
    other = next(label for label in LABELS if label != best["label"])
    assert item_explain(model, data, label=other)["label"] == other
    with pytest.raises(ArgumentInvalidError, match="owl"):
        item_explain(model, data, label="owl")


def test_numbers_and_masks_are_not_explained_so(tmp_path):
    for output in (OutputKind.MASK, OutputKind.VECTOR):
        with pytest.raises(NotExplainedError):
            item_explain(predictor_of(artefact_write(tmp_path / output.value, output=output)), picture_bytes(3))


def test_an_object_is_explained_by_its_box(boxes_dir):
    model, data = predictor_of(boxes_dir), picture_bytes(3)
    picture = model.decode(data)
    first, second = model.passing(model.predict(picture), picture, {})[:2]
    surest = item_explain(model, data)
    assert (surest["label"], surest["score"]) == (first["label"], pytest.approx(first["score"], abs=1e-5))
    assert surest["box"] == pytest.approx({side: first[side] for side in SIDES}, abs=0.02)
    area = surest["grid"]["area"]
    assert area["x"] >= 0
    assert area["y"] >= 0
    assert area["x"] + area["width"] <= picture.width_px + 0.01
    assert area["y"] + area["height"] <= picture.height_px + 0.01
    box = box_of(",".join(str(second[side]) for side in SIDES))
    other = item_explain(model, data, box=box)
    assert (other["label"], other["score"]) == (second["label"], pytest.approx(second["score"], abs=0.02))
    missed = item_explain(model, data, label=first["label"], box=box_of([0, 0, 1, 1]))
    assert (missed["score"], missed["box"]) == (0, {"x": 0, "y": 0, "width": 1, "height": 1})


def test_a_box_is_named_in_full_and_only_to_models_that_find_objects(artefact_dir):
    for wrong in ("1,2,3", "1,2,3,4,5", "a,b,c,d", "1,2,0,4", "1,2,nan,4", [1, 2, None, 4], 7):
        with pytest.raises(ArgumentInvalidError, match="box"):
            box_of(wrong)
    with pytest.raises(NotExplainedError, match="leave the box out"):
        item_explain(predictor_of(artefact_dir), picture_bytes(3), box=box_of("1,2,3,4"))


@pytest.mark.parametrize("is_context", [False, True])
@pytest.mark.parametrize("place", [(300, 200, 24, 24), (0, 0, 60, 20), (560, 400, 80, 80)])
def test_a_small_object_is_explained_by_itself_or_by_what_stands_beside_it(place, is_context):
    """A detector that finds a red thing, or sees it only where something blue stands above or below it."""
    x, y, width, height = place
    pixels = np.full((480, 640, 3), 90, np.uint8)
    pixels[y : y + height, x : x + width] = (230, 20, 20)
    mark = slice(y + height, y + height + height // 2) if y < 200 else slice(y - height // 2, y)
    pixels[mark, x : x + width] = (20, 20, 230)

    def found(each: Picture) -> np.ndarray:
        own, other = each.pixels_HWC[y : y + height, x : x + width], each.pixels_HWC[mark, x : x + width]
        seen = (other[..., 2] > 180).mean() if is_context else (own[..., 0] > 180).mean()
        return np.array([[x / 640, y / 480, width / 640, height / 480, seen, 0]], np.float32)

    picture = picture_of(pixels)
    kind = Boxes(["thing"])
    subject = kind.subject(found(picture), picture, label=None, box=None, thresholds={})
    assert subject.box is not None
    area = area_around(subject.box, 640, 480)
    grid, falls = picture_occlude(picture, lambda each: subject.score(found(each)), area)
    row, column = np.unravel_index(np.argmax(falls), (grid.rows, grid.columns))
    down, across = (
        area["y"] + (row + 0.5) * area["height"] / grid.rows,
        area["x"] + (column + 0.5) * area["width"] / grid.columns,
    )
    counts = mark if is_context else slice(y, y + height)
    assert x - width / 4 <= across <= x + width * 5 / 4
    assert counts.start - height / 4 <= down <= counts.stop + height / 4
    assert max(falls) > 0.1


@pytest.fixture(scope="module")
def pictures(tmp_path_factory) -> list[tuple[bytes, str]]:
    """Bright shapes on a dark ground, each with its label."""
    folder = tmp_path_factory.mktemp("shapes")
    task_part("image_classification", "example").write(folder, num_items=200, num_labels=len(SHAPES), side_px=64)
    version = DatasetVersion.open(folder)
    return [(version.blob_path(each.blob).read_bytes(), each.annotations[0].label) for each in version.records()]


@pytest.fixture(scope="module")
def weights(pictures) -> dict[str, np.ndarray]:
    """Of a network that has learned to tell the shapes apart."""
    torch.manual_seed(0)
    opened = [Image.open(io.BytesIO(data)).convert("RGB").resize((32, 32)) for data, _ in pictures]
    pixels_NCHW = torch.tensor(np.stack([np.asarray(each) for each in opened])).permute(0, 3, 1, 2) / 255
    labels_N = torch.tensor([SHAPES.index(label) for _, label in pictures])
    network = nn.Sequential(
        nn.Conv2d(3, 12, 5), nn.ReLU(), nn.Conv2d(12, 32, 5, stride=2), nn.ReLU(), nn.AdaptiveMaxPool2d(1), nn.Flatten()
    )
    head = nn.Linear(32, len(SHAPES))
    optimizer = torch.optim.Adam([*network.parameters(), *head.parameters()], lr=5e-3)
    for _ in range(160):
        batch = torch.randint(len(labels_N), (32,))
        loss = nn.functional.cross_entropy(head(network(pixels_NCHW[batch])), labels_N[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    named = {"kernel": network[0].weight, "shift": network[0].bias, "kernel_2": network[2].weight, "shift_2": network[2].bias}
    named |= {"weight": head.weight.T, "bias": head.bias}
    return {name: tensor.detach().numpy().copy() for name, tensor in named.items()}


@pytest.mark.parametrize("output", [OutputKind.CLASS_SCORES, OutputKind.BOXES])
def test_a_trained_network_is_explained_by_the_shape_and_one_of_shuffled_weights_by_something_else(
    output, pictures, weights, tmp_path
):
    """Parameter randomisation: Adebayo et al. 2018, "Sanity Checks for Saliency Maps"."""
    rng = np.random.default_rng(0)
    mixed = {name: rng.permutation(values.ravel()).reshape(values.shape) for name, values in weights.items()}
    trained, shuffled = (
        predictor_of(artefact_write(tmp_path / name, model=network_of(values, output), labels=SHAPES, output=output))
        for name, values in (("trained", weights), ("shuffled", mixed))
    )
    hits, likeness = [], []
    for data, label in pictures[:40]:
        mine = item_explain(trained, data, label=label)
        if mine["score"] < 0.8:
            continue
        rows, columns = mine["grid"]["rows"], mine["grid"]["columns"]
        falls = np.array(mine["grid"]["falls"]).reshape(rows, columns)
        pixels = np.asarray(Image.open(io.BytesIO(data)).convert("L"))
        bright = Image.fromarray((pixels > BRIGHT).astype(np.float32)).resize((columns, rows), Image.Resampling.BOX)
        hits.append(np.asarray(bright)[np.unravel_index(falls.argmax(), falls.shape)] > 0.2)
        likeness.append(spearmanr(falls.ravel(), item_explain(shuffled, data, label=label)["grid"]["falls"]).statistic)
    assert len(hits) >= 20, "the network has learned the shapes"
    assert np.mean(hits) >= 0.8
    assert np.nanmean(likeness) < 0.4


def network_of(weights: dict[str, np.ndarray], output: OutputKind) -> onnx.ModelProto:
    """The network as a graph that takes pictures of any size; as a detector each label has a box as large as the picture."""
    constants = {"sizes": np.array([32, 32], np.int64), "scale": np.array(1 / 255, np.float32), **weights}
    nodes = [
        helper.make_node("Cast", ["picture"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Transpose", ["floats"], ["planes"], perm=[0, 3, 1, 2]),
        helper.make_node("Resize", ["planes", "", "", "sizes"], ["small"], mode="linear", antialias=1, axes=[2, 3]),
        helper.make_node("Mul", ["small", "scale"], ["unit"]),
        helper.make_node("Conv", ["unit", "kernel", "shift"], ["edges"]),
        helper.make_node("Relu", ["edges"], ["active"]),
        helper.make_node("Conv", ["active", "kernel_2", "shift_2"], ["forms"], strides=[2, 2]),
        helper.make_node("Relu", ["forms"], ["seen"]),
        helper.make_node("GlobalMaxPool", ["seen"], ["most"]),
        helper.make_node("Flatten", ["most"], ["features"]),
        helper.make_node("Gemm", ["features", "weight", "bias"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["scores"], axis=1),
    ]
    picture = helper.make_tensor_value_info("picture", TensorProto.UINT8, ["batch", "height", "width", 3])
    answer = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", len(SHAPES)])
    if output is OutputKind.BOXES:
        constants |= {"place": np.array([[0, 0, 1, 1]], np.float32), "count": np.array([2]), "last": np.array([2])}
        nodes += [
            helper.make_node("TopK", ["scores", "count"], ["best", "indices"], axis=1),
            helper.make_node("Cast", ["indices"], ["labels"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["best", "last"], ["best_column"]),
            helper.make_node("Unsqueeze", ["labels", "last"], ["label_column"]),
            helper.make_node("Concat", ["label_column"] * 4, ["four"], axis=2),
            helper.make_node("Shape", ["four"], ["shape"]),
            helper.make_node("Expand", ["place", "shape"], ["boxes"]),
            helper.make_node("Concat", ["boxes", "best_column", "label_column"], ["detections"], axis=2),
        ]
        answer = helper.make_tensor_value_info("detections", TensorProto.FLOAT, ["batch", len(SHAPES), 6])
    initializers = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "shapes", [picture], [answer], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
