"""The second stage of a cascade: each head corrects what the one before answered."""

from __future__ import annotations

import torch

from engine.models import family_part


def test_every_head_begins_with_the_boxes_of_the_one_before_and_all_are_asked_for_the_label():
    torch.manual_seed(0)
    detector = family_part("cascade_rcnn", "network").build("resnet18").detector(3).eval()
    pictures_BCHW = torch.rand(2, 3, 64, 64) * 255
    with torch.no_grad():
        for head in detector.heads[:2]:
            head.predictor.bias[4:] = torch.tensor([1.0, -1.0, 0.5, 0.5])
        raw = detector(pictures_BCHW)
        boxes_BR4, scores_BRL = detector.candidates(raw)
        detector.heads[2].predictor.weight.zero_()
        detector.heads[2].predictor.bias.zero_()
        unchanged_BR4, less_sure_BRL = detector.candidates(detector(pictures_BCHW))
    first, second, third = raw.looks
    assert not torch.allclose(first.boxes_BR4, raw.regions_BR4, atol=1e-3)
    assert not torch.allclose(second.boxes_BR4, first.boxes_BR4, atol=1e-3)
    torch.testing.assert_close(boxes_BR4, third.boxes_BR4)
    is_region_BR = (raw.regions_BR4[..., 2:] > raw.regions_BR4[..., :2]).all(dim=-1)
    torch.testing.assert_close(unchanged_BR4[is_region_BR], second.boxes_BR4.clamp(0, 1)[is_region_BR], atol=1e-5, rtol=0)
    of_third_BRL = (third.logits_BRL.softmax(dim=-1)[..., :3] - 0.25) / 3
    torch.testing.assert_close((scores_BRL - less_sure_BRL)[is_region_BR], of_third_BRL[is_region_BR], atol=1e-5, rtol=0)
