"""Kernels on CUDA against their references; also run by Triton's interpreter where TRITON_INTERPRET=1 says so."""

from __future__ import annotations

import os

import pytest
import torch

IS_INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
pytestmark = pytest.mark.gpu
if not torch.cuda.is_available() and not IS_INTERPRETED:
    pytest.skip("needs CUDA", allow_module_level=True)

from engine.kernels.margin_softmax import blocks  # noqa: E402
from engine.kernels.margin_softmax import cpu as margin_cpu  # noqa: E402
from engine.kernels.margin_softmax import cuda as margin_cuda  # noqa: E402
from engine.kernels.nms import cuda as nms_cuda  # noqa: E402
from engine.kernels.nms import reference as nms_reference  # noqa: E402
from engine.kernels.roi_align import cpu as roi_cpu  # noqa: E402
from engine.kernels.roi_align import cuda as roi_cuda  # noqa: E402
from engine.kernels.segmentation_loss import cpu as pixels_cpu  # noqa: E402
from engine.kernels.segmentation_loss import cuda as pixels_cuda  # noqa: E402

DEVICE = "cpu" if IS_INTERPRETED else "cuda"


@pytest.mark.parametrize(("batch", "num_candidates", "num_labels"), [(2, 1, 1), (1, 31, 3), (2, 70, 2), (3, 129, 5)])
def test_nms_keeps_what_the_reference_keeps(batch, num_candidates, num_labels):
    torch.manual_seed(num_candidates)
    corner = torch.rand(batch, num_candidates, 2) * 0.5
    boxes = torch.cat([corner, corner + torch.rand(batch, num_candidates, 2) * 0.5], dim=-1)
    boxes[:, ::7, 2:] = boxes[:, ::7, :2]  # without area
    scores = (torch.rand(batch, num_candidates) * 8).round() / 8  # ties, and scores of 0
    labels = torch.randint(0, num_labels, (batch, num_candidates))
    expected = nms_reference.nms(boxes, scores, labels, 0.5)
    found = nms_cuda.nms(boxes.to(DEVICE), scores.to(DEVICE), labels.to(DEVICE), 0.5)
    assert torch.equal(found.cpu(), expected)


@pytest.mark.parametrize(("channels", "side"), [(1, 1), (3, 2), (70, 3)])
def test_roi_align_forward_and_backward_equal_the_cpu(channels, side):
    regions = torch.tensor([[0.0, 0, 40, 30, 1, 0], [-9, 5, 12, 70, 0, 1], [10, 10, 10.5, 11, 1, 1]])
    scales = (0.125, 0.0625)
    results = []
    for module, device in ((roi_cpu, "cpu"), (roi_cuda, DEVICE)):
        torch.manual_seed(0)
        maps = [torch.randn(2, channels, 7, 9).to(device), torch.randn(2, channels, 4, 5).to(device)]
        out = module.forward(maps, regions.to(device), side, scales, 2)
        given = torch.linspace(-1, 1, out.numel(), device=device).reshape(out.shape)
        grads = module.backward(given, maps, regions.to(device), scales, 2)
        results.append([out.cpu(), *(grad.cpu() for grad in grads)])
    for found, expected in zip(*reversed(results), strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("batch", "num_numbers", "num_labels"), [(1, 3, 1), (3, 20, 7), (4, 8, 2049)])
def test_margin_softmax_forward_and_backward_equal_the_cpu(batch, num_numbers, num_labels, monkeypatch):
    monkeypatch.setattr(margin_cuda, "_LOGITS", 1)  # blocks are as narrow as they can be
    torch.manual_seed(0)
    given = [torch.nn.functional.normalize(torch.randn(batch, num_numbers), dim=1), 3 * torch.randn(num_labels, num_numbers)]
    given.append(torch.arange(batch) % num_labels)
    grads = [torch.linspace(-1, 1, batch) * (num_labels > 1), torch.linspace(2, -1, batch)]
    results = []
    for module, device in ((margin_cpu, "cpu"), (margin_cuda, DEVICE)):
        placed = [each.to(device) for each in given]
        sums, right = blocks.forward(module, *placed, 24.0)
        kept = (sums, *(each.to(device) for each in grads))
        results.append([sums, right, *blocks.backward(module, tuple(placed), 24.0, kept)])
    for expected, found in zip(*results, strict=True):
        torch.testing.assert_close(found.cpu(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("has_overlap", [True, False])
@pytest.mark.parametrize(
    ("num_classes", "height", "width", "factor"), [(1, 1, 1, 1), (3, 9, 17, 2), (2, 5, 9, 4), (4, 3, 5, 8)]
)
def test_segmentation_loss_forward_and_backward_equal_the_cpu(num_classes, height, width, factor, has_overlap):
    torch.manual_seed(0)
    cells = 3 * torch.randn(2, num_classes, height, width)
    classes = torch.randint(-1, num_classes, (2, height * factor, width * factor))
    grads = [torch.randn(classes.shape), torch.randn(num_classes), torch.randn(num_classes)]
    results = []
    for module, device in ((pixels_cpu, "cpu"), (pixels_cuda, DEVICE)):
        placed = [cells.to(device), classes.to(device)]
        forward = module.forward(*placed, has_overlap)
        backward = module.backward(*(each.to(device) for each in grads), [*placed, *forward[:2]], has_overlap)
        results.append([*forward, backward])
    for expected, found in zip(*results, strict=True):
        torch.testing.assert_close(found.cpu(), expected, rtol=1e-4, atol=1e-5)
