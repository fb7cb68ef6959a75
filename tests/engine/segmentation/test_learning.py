"""A brief training learns, and what it leaves answers as the runtime asks it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)

from automl.contracts.annotation import Polygon
from automl.contracts.artefact import ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.report import Report
from automl.planning.tiles import PictureFacts, parts_of
from engine.data.version import DatasetVersion
from engine.items.image.view import view_of
from engine.tasks.semantic_segmentation import loss, tiles
from engine.tasks.semantic_segmentation.raster import map_of, runs_of
from runtime.pipelines.tiles import starts
from runtime.predictor import Predictor
from tests.engine.jobs import TILED, trained_once
from tests.engine.segmentation.test_truth import record_of

ORDER = {"task": "semantic_segmentation", "family": "unet", "size": "plain", "num_items": 60}
PARAMS = {"epochs": 6, "batch_size": 8, "resolution_px": 64, "augment": "none", "lr": 8e-3}


@pytest.fixture(scope="module")
def trained():
    return trained_once(params=PARAMS, **ORDER)


def test_pixels_are_distinguished_after_a_few_epochs(trained):
    report = Report.read(trained / "artefact" / "report.json")
    measured = [point.values["miou"] for point in report.curves if point.split == Split.VALIDATION]
    validation = next(split for split in report.splits if split.split is Split.VALIDATION)
    assert validation.metrics["miou"] > 0.25 > measured[0]
    assert validation.metrics["miou"] == pytest.approx(max(measured), abs=0.02), "the graph does as the network did"


def test_artefact_answers_a_picture_in_its_own_size(trained):
    version = DatasetVersion.open(trained / "data")
    record = next(record for record in version.records(Split.TEST) if record.annotations)
    predictor = Predictor()
    predictor.setup(trained / "artefact")
    decoded = predictor.decode(version.blob_path(record.blob).read_bytes())
    masks = predictor.encode(predictor.predict(decoded), decoded)
    assert masks
    assert {(mask["width"], mask["height"]) for mask in masks} == {(record.media.width, record.media.height)}


def test_no_answers_are_kept_that_are_as_large_as_pictures(trained):
    assert not (trained / "artefact" / "answers.safetensors").exists()


def test_loss_is_small_where_the_logits_say_the_truth():
    truth_BHW = torch.tensor([[[-1, 0], [1, -1]]])
    measure = loss.build(torch.nn.Identity(), {}, smoothing=0.0, weights_L=None)
    right = 20.0 * F.one_hot(truth_BHW + 1, 3).permute(0, 3, 1, 2).float()
    assert float(measure(right, truth_BHW)) < 1e-3
    assert float(measure(right.roll(1, dims=1), truth_BHW)) > 1.0
    nothing = measure(right[:, [0, 0, 0]], torch.full_like(truth_BHW, -1))
    assert torch.isfinite(nothing)
    planes = loss.answers(torch.nn.Identity(), right, {})
    torch.testing.assert_close(planes[:, 0], truth_BHW.float())
    assert float(planes[:, 1].min()) > 0.99


def test_tiles_are_learned_from_and_answered_by_the_artefact():
    tiled = trained_once(**TILED)
    manifest = ArtefactManifest.read(tiled / "artefact" / "artefact.json")
    assert (manifest.pipeline, manifest.files, manifest.decode.shrink) == ("tiles", ("pipeline.json",), 1)
    version = DatasetVersion.open(tiled / "data")
    record = version.records(Split.TEST)[0]
    predictor = Predictor()
    predictor.setup(tiled / "artefact")
    decoded = predictor.decode(version.blob_path(record.blob).read_bytes())
    planes_2PP = predictor.predict(decoded)
    assert planes_2PP.shape == (2, 125, 125), "as fine as the pictures"
    report = Report.read(tiled / "artefact" / "report.json")
    found = next(
        item for split in report.splits if split.split is Split.TEST for item in split.items if item.item == record.item
    )
    masks = predictor.passing(planes_2PP, decoded)
    assert [mask["label"] for mask in masks] == [each.label for each in found.prediction], "the report shows what is answered"


def test_tiles_are_taken_where_shrinking_would_lose_what_is_labelled():
    def views(side_px, shape_px, **params):
        ring = ((0, 0), (shape_px, 0), (shape_px, shape_px), (0, shape_px))
        record = record_of(Polygon(label="cat", points=ring), width=side_px, height=side_px)
        return view_of({"view": "auto", **params}, [record], 128)

    assert [views(300, 4), views(4000, 400), views(4000, 30), views(4000, 60), views(4000, 100)] == [
        *("whole", "whole", "tiles", "tiles_half", "tiles_quarter")
    ]
    assert views(4000, 30, view="whole") == "whole"
    assert view_of({}, [], 128) == "whole"


def test_parts_show_the_truth_of_their_place_and_rare_labels_more_often():
    picture_HWC = np.zeros((200, 300, 3), dtype=np.uint8)
    labels_HW = np.full((200, 300), -1, dtype=np.int16)
    for label, (top, left) in enumerate(((20, 30), (150, 250))):
        labels_HW[top : top + 6, left : left + 6] = label
    picture_HWC[..., 0] = 100 * (labels_HW + 1)
    truth = tiles.TiledTruth(lambda place: picture_HWC, runs_of([labels_HW]), num_labels=2, window_px=32)
    pictures, maps = tiles.RandomTiles(truth, "none")(
        torch.zeros((60, 1), dtype=torch.int64), torch.zeros(60), torch.Generator()
    )
    torch.testing.assert_close(pictures[..., 0].short(), 100 * (maps + 1))
    shown = [int((maps == label).any(dim=(1, 2)).sum()) for label in range(2)]
    assert min(shown) >= 8, "a part drawn anywhere would show each in two of a hundred"
    small = tiles.GridTiles(tiles.TiledTruth(lambda place: picture_HWC[:20, :40], runs_of([labels_HW[:20, :40]]), 2, 32))
    assert (map_of(small.targets_MK[0])[20:] == -2).all(), "what lies outside does not count"
    for grid, (height, width) in ((tiles.GridTiles(truth), (200, 300)), (small, (20, 40))):
        planned = parts_of("tiles", [PictureFacts(width, height)], 32)
        assert planned.judged == len(grid.targets_MK)
        assert planned.answered == len(starts(height, 32, 24)) * len(starts(width, 32, 24))
