"""Operators against their plain references, and the exported graph against torch."""

from __future__ import annotations

import numpy as np
import onnxruntime
import openvino
import pytest
import torch
from torch import nn

from engine.artefact.graph import export_graph
from engine.kernels.nms import op, reference
from engine.kernels.roi_align import op as roi_op
from engine.kernels.roi_align import reference as roi_reference
from engine.tasks.shared.suppression import MAX_CANDIDATES, MAX_DETECTIONS, NUM_ALWAYS, strongest, strongest_places


def _candidates(seed, batch, num_candidates, num_labels):
    """Boxes in bunches, some without area; scores with ties, some of 0."""
    rng = torch.Generator().manual_seed(seed)
    middle = torch.rand(batch, 5, 2, generator=rng)[:, torch.arange(num_candidates) % 5]
    middle = middle + 0.03 * torch.randn(batch, num_candidates, 2, generator=rng)
    size = 0.1 + 0.2 * torch.rand(batch, num_candidates, 2, generator=rng)
    size[:, ::11] = 0
    boxes = torch.cat([middle - size / 2, middle + size / 2], dim=-1)
    scores = (torch.rand(batch, num_candidates, generator=rng) * 20).round() / 20
    return boxes, scores, torch.randint(0, num_labels, (batch, num_candidates), generator=rng)


@pytest.mark.parametrize(("num_candidates", "num_labels"), [(1, 1), (2, 1), (60, 3), (450, 1), (450, 2)])
def test_nms_keeps_what_the_reference_keeps(num_candidates, num_labels):
    boxes, scores, labels = _candidates(num_candidates, 2, num_candidates, num_labels)
    for threshold in (0.0, 0.4, 1.0):
        is_kept = op.nms(boxes, scores, labels, num_labels, threshold)
        assert torch.equal(is_kept, reference.nms(boxes, scores, labels, threshold))


def test_nothing_survives_of_scores_of_zero():
    boxes, scores, labels = _candidates(0, 2, 20, 2)
    assert not op.nms(boxes, torch.zeros_like(scores), labels, 2, 0.5).any()


def test_of_candidates_nobody_believes_in_the_best_few_are_shown_and_the_other_rows_are_empty():
    rng = torch.Generator().manual_seed(0)
    boxes_BA4 = torch.rand(2, 30, 4, generator=rng).sort(dim=-1).values
    scores_BAL = 0.001 + 0.001 * torch.rand(2, 30, 2, generator=rng)
    scores_BAL[0, 3, 1] = 0.9
    found_BD6 = strongest(boxes_BA4, scores_BAL)
    assert found_BD6.shape == (2, MAX_DETECTIONS, 6)
    assert found_BD6[0, 0, 4:].tolist() == pytest.approx([0.9, 1.0])
    corner, far = boxes_BA4[0, 3, :2], boxes_BA4[0, 3, 2:]
    torch.testing.assert_close(found_BD6[0, 0, :4], torch.cat([corner, far - corner]))
    best = scores_BAL[1].flatten().topk(NUM_ALWAYS).values
    shown = found_BD6[1, found_BD6[1, :, 4] > 0, 4]
    assert shown[0] == best[0]
    assert set(shown.tolist()) <= set(best.tolist())
    assert not (strongest(boxes_BA4, scores_BAL / 100)[1, :, 4] > 0).any(), "so little is nothing"
    empty = torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, -1.0])
    assert torch.equal(found_BD6[:, NUM_ALWAYS:], empty.expand(2, MAX_DETECTIONS - NUM_ALWAYS, 6))


@pytest.mark.parametrize("num_candidates", [40, MAX_CANDIDATES + 200])
def test_detections_know_which_candidates_they_were(num_candidates):
    rng = torch.Generator().manual_seed(2)
    boxes_BA4 = torch.rand(2, num_candidates, 4, generator=rng).sort(dim=-1).values
    scores_BAL = torch.rand(2, num_candidates, 3, generator=rng)
    rows_BD6, places_BD = strongest_places(boxes_BA4, scores_BAL)
    assert places_BD.shape == rows_BD6.shape[:2]
    is_found_BD = rows_BD6[..., 4] > 0
    assert (is_found_BD.sum(dim=1) > NUM_ALWAYS).all()
    for picture, (boxes_A4, scores_AL) in enumerate(zip(boxes_BA4, scores_BAL, strict=True)):
        rows_N6, places_N = rows_BD6[picture, is_found_BD[picture]], places_BD[picture, is_found_BD[picture]]
        assert torch.equal(scores_AL[places_N, rows_N6[:, 5].long()], rows_N6[:, 4])
        assert torch.equal(boxes_A4[places_N, :2], rows_N6[:, :2])


class _Tail(nn.Module):
    def forward(self, candidates_BAC):
        return strongest(candidates_BAC[..., :4], candidates_BAC[..., 4:])


def test_exported_graph_answers_as_torch_does(tmp_path):
    def draw(batch):
        boxes, scores, _ = _candidates(batch, batch, 90, 3)
        noise = torch.rand(batch, 90, 3, generator=torch.Generator().manual_seed(batch))
        return torch.cat([boxes.clamp(0, 1), scores[..., None] * noise], dim=-1)

    path = tmp_path / "tail.onnx"
    export_graph(_Tail(), draw(2), path, input_name="candidates", output_name="detections", dynamic_axes={0: "batch"})
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    for batch in (1, 3):
        found = session.run(None, {"candidates": draw(batch).numpy()})[0]
        np.testing.assert_allclose(found, strongest(draw(batch)[..., :4], draw(batch)[..., 4:]).numpy(), atol=1e-6)
        assert (found[..., 5] >= 0).any()


_SCALES = (0.125, 0.0625)
_REGIONS = torch.tensor(
    [[0.0, 0, 40, 30, 1, 0], [-9, 5, 12, 70, 0, 1], [10, 10, 10.5, 11, 1, 1], [90, 0, 99, 9, 0, 0]], dtype=torch.float32
)
"""Left, top, right, bottom, picture, level."""


def _maps(dtype=torch.float64):
    generator = torch.Generator().manual_seed(0)
    sizes = ((7, 9), (4, 5))
    return [torch.randn(2, 3, *size, dtype=torch.float64, generator=generator).to(dtype) for size in sizes]


def test_roi_align_equals_the_reference_forward_and_backward():
    results = []
    for run in (roi_reference.roi_align, roi_op.roi_align):
        maps = [map_BCHW.requires_grad_() for map_BCHW in _maps()]
        out = run(maps, _REGIONS, 3, _SCALES, 2)
        (out * torch.linspace(-1, 1, out.numel(), dtype=torch.float64).reshape(out.shape)).sum().backward()
        results.append((out.detach(), *(map_BCHW.grad for map_BCHW in maps)))
    for found, expected in zip(*reversed(results), strict=True):
        torch.testing.assert_close(found, expected)


def test_no_regions_are_cut_where_there_are_none():
    maps = [map_BCHW.requires_grad_() for map_BCHW in _maps()]
    out = roi_op.roi_align(maps, torch.empty(0, 6), 3, _SCALES, 2)
    assert out.shape == (0, 3, 3, 3)
    out.sum().backward()
    assert all((map_BCHW.grad == 0).all() for map_BCHW in maps)


class _Cut(nn.Module):
    def __init__(self, maps):
        super().__init__()
        for level, map_BCHW in enumerate(maps):
            self.register_buffer(f"map{level}", map_BCHW)

    def forward(self, regions_R6):
        return roi_op.roi_align([self.map0, self.map1], regions_R6, 3, _SCALES, 2)


@pytest.mark.parametrize("runtime", ["onnxruntime", "openvino"])
def test_exported_roi_align_cuts_as_torch_does(runtime, tmp_path):
    module = _Cut(_maps(torch.float32))
    path = tmp_path / "cut.onnx"
    export_graph(module, _REGIONS, path, input_name="regions", output_name="parts", dynamic_axes={0: "region"})
    if runtime == "onnxruntime":
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        run = lambda given: session.run(None, {"regions": given})[0]  # noqa: E731
    else:
        core = openvino.Core()
        compiled = core.compile_model(core.read_model(path), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        run = lambda given: compiled(given)[0]  # noqa: E731
    for chosen in (slice(None), slice(0, 1)):  # the second leaves a level without regions
        np.testing.assert_allclose(run(_REGIONS[chosen].numpy()), module(_REGIONS[chosen]).numpy(), atol=1e-5)
