"""Channels that go together, and how many of them are kept."""

import pytest
import torch
from torch import nn

from engine.compress.anneal import Space, annealed
from engine.compress.channels import STEP, Channels, _macs
from engine.models import family_part
from engine.tasks import task_part


@pytest.mark.parametrize(("family", "size"), [("resnet", "50"), ("efficientnet_lite", "0")])
def test_a_network_without_channels_answers_like_one_whose_channels_are_zero(family, size):
    torch.manual_seed(0)
    backbone = family_part(family, "network").build(size)
    network = task_part("image_classification", "head").build(backbone, backbone.num_features, 3)
    nn.init.normal_(network.head.weight)
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias)
    items_B = 255 * torch.rand(2, 3, 32, 32)
    channels = Channels(network, items_B)
    whole = channels.macs(channels.num)
    kept = channels.uniform(0.5 * whole)
    assert 0.4 * whole < channels.macs(kept) <= 0.5 * whole
    assert all(number % STEP == 0 for number in kept)
    with torch.no_grad():
        before = network(items_B)
        with channels.masked(kept) as masked:
            expected = masked(items_B)
        smaller = channels.pruned(kept).eval()
        assert torch.equal(network(items_B), before)
        assert torch.allclose(smaller(items_B), expected, rtol=1e-3, atol=1e-3 * float(expected.abs().max()))
    assert not torch.allclose(before, expected, rtol=1e-2)
    assert sum(_macs(smaller, items_B).values()) == pytest.approx(channels.macs(kept))


def test_annealing_finds_what_can_be_spared_within_the_cost():
    needed = (64, 8, 32)
    asked = []

    def loss(kept):
        asked.append(kept)
        return float(sum(max(0, need - number) for need, number in zip(needed, kept, strict=True)))

    space = Space(least=(8, 8, 8), most=(64, 64, 64), step=8, cost=sum, limit=104)
    assert annealed((32, 32, 32), loss, space, num_tries=60, seed=1) == needed
    assert len(asked) == len(set(asked)) <= 61
    assert all(96 <= sum(kept) <= 104 for kept in asked)
