"""Operators of losses against their plain references, forward and backward, in double precision."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)

from engine.kernels.margin_softmax import op as margin_op
from engine.kernels.margin_softmax import reference as margin_reference
from engine.kernels.margin_softmax.margins import Margin
from engine.kernels.segmentation_loss import op as pixels_op
from engine.kernels.segmentation_loss import reference as pixels_reference
from engine.kernels.segmentation_loss.doubling import enlarged
from engine.models.metric_learning.losses import MarginSoftmax
from engine.models.shared import enlarge


def _equal_with_gradients(found, expected, inputs):
    """Results, and the gradients of any sum of them."""
    given = [torch.randn_like(each) for each in expected]
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(torch.autograd.grad(found, inputs, given), torch.autograd.grad(expected, inputs, given))


@pytest.mark.parametrize("is_angular", [True, False])
@pytest.mark.parametrize(("batch", "num_labels"), [(1, 1), (3, 2), (5, 2500)])
def test_margin_softmax_is_the_loss_with_all_logits_at_once(batch, num_labels, is_angular, monkeypatch):
    monkeypatch.setattr(margin_op, "ALL_UP_TO", 0)
    torch.manual_seed(0)
    directions = F.normalize(torch.randn(batch, 8, dtype=torch.float64), dim=1)
    centres = torch.randn(num_labels, 8, dtype=torch.float64)
    targets = torch.randint(0, num_labels, (batch,))
    directions[0] = -F.normalize(centres[targets[0]], dim=0)  # beyond a half turn with the margin
    inputs = (directions.requires_grad_(), centres.requires_grad_())
    results = [
        [module.margin_softmax(*inputs, targets, margin=Margin(0.3, is_angular), scale=24.0)]
        for module in (margin_op, margin_reference)
    ]
    _equal_with_gradients(*results, inputs)


def test_of_many_labels_a_share_is_compared_with():
    torch.manual_seed(0)
    num_labels = margin_op.ALL_UP_TO + 50
    targets = torch.tensor([num_labels - 1, 3, 3, 0])
    labels, places = margin_op.sampled(targets, num_labels)
    assert torch.equal(labels[places], targets)
    assert len(labels.unique()) == len(labels) == margin_op.ALL_UP_TO
    assert not torch.equal(labels, margin_op.sampled(targets, num_labels)[0])
    criterion = MarginSoftmax(num_labels, 4, margin=0.2, is_angular=True)
    criterion(F.normalize(torch.randn(4, 4), dim=1), targets).backward()
    is_moved = criterion.centres.grad.abs().sum(dim=1) > 0
    assert is_moved.sum() == margin_op.ALL_UP_TO
    assert is_moved[targets].all()


@pytest.mark.parametrize(
    ("num_classes", "height", "width", "factor"), [(1, 1, 1, 1), (3, 4, 5, 2), (4, 3, 7, 4), (3, 33, 2, 8), (20, 128, 64, 2)]
)
def test_scores_of_pixels_are_those_of_enlarged_logits(num_classes, height, width, factor):
    torch.manual_seed(0)
    cells = (3 * torch.randn(2, num_classes, height, width, dtype=torch.float64)).requires_grad_()
    classes = torch.randint(-1, num_classes, (2, height * factor, width * factor))
    torch.testing.assert_close(enlarged(cells, factor), enlarge.enlarged(cells, factor))
    for num_results, has_overlap in ((3, True), (1, False)):
        found = pixels_op.pixel_scores(cells, classes, has_overlap=has_overlap)[:num_results]
        _equal_with_gradients(found, pixels_reference.pixel_scores(cells, classes)[:num_results], cells)
