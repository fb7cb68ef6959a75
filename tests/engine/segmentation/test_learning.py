"""A brief training learns, and what it leaves answers as the runtime asks it."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)

from automl.contracts.dataset import Split
from automl.contracts.report import Report
from engine.data.version import DatasetVersion
from engine.tasks.semantic_segmentation import loss
from runtime.predictor import Predictor
from tests.engine.jobs import trained_once

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
