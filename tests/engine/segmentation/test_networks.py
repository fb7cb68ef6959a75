"""What segmentation networks share computes what it stands for."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)

from engine.models.shared.enlarge import doubled, enlarged, pooled, stretched
from engine.models.shared.pyramid import TRUNKS


def _map(*shape):
    return torch.from_numpy(np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32))


def test_enlargement_is_bilinear():
    map_BCHW = _map(2, 3, 1, 5)
    expected = F.interpolate(map_BCHW, scale_factor=2, mode="bilinear", align_corners=False)
    torch.testing.assert_close(doubled(map_BCHW), expected)
    assert enlarged(map_BCHW, 1) is map_BCHW
    torch.testing.assert_close(enlarged(map_BCHW, 4), doubled(expected))
    for height, width in ((2, 8), (7, 5), (24, 24)):
        expected = F.interpolate(map_BCHW, size=(height, width), mode="bilinear", align_corners=False)
        torch.testing.assert_close(stretched(map_BCHW, height, width), expected)


@pytest.mark.parametrize("bins", [1, 2, 3, 6])
def test_means_of_a_grid_are_those_of_adaptive_pooling(bins):
    for height, width in ((2, 2), (6, 12), (8, 40), (7, 5)):
        map_BCHW = _map(2, 3, height, width)
        torch.testing.assert_close(pooled(map_BCHW, bins), F.adaptive_avg_pool2d(map_BCHW, bins))


@pytest.mark.parametrize(("name", "place"), [("lite0", 1), ("plain", 0), ("resnet18", 0)])
@pytest.mark.parametrize("coarsest", [8, 16])
def test_a_trunk_that_dilates_finds_the_same_features_at_more_places(name, place, coarsest):
    """Every second cell, or every fourth, is that of the trunk with strides."""
    torch.manual_seed(0)
    usual, dense = TRUNKS[name]((4, 32)).eval(), TRUNKS[name]((4, 32), coarsest=coarsest).eval()
    dense.load_state_dict(usual.state_dict())
    with torch.no_grad():
        pictures_BCHW = torch.rand(1, 3, 96, 64) * 255
        fine, coarse = usual(pictures_BCHW)
        same, denser = dense(pictures_BCHW)
    step = 32 // coarsest
    first = place * (step - 1)
    torch.testing.assert_close(same, fine)
    assert denser.shape[-2:] == (96 // coarsest, 64 // coarsest)
    torch.testing.assert_close(denser[..., first::step, first::step], coarse, rtol=1e-4, atol=1e-4)
