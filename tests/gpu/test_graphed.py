"""Steps recorded as one graph give the gradients of steps that run as usual, or are not recorded."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn
from torch.nn import functional

from engine.training.graphed import NUM_USUAL, GraphedGradients

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")]


def _network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 36, 5)).cuda()


def _compute(network, *, waits=False):
    def compute(items_B, targets_B):
        loss = functional.cross_entropy(network(items_B), targets_B)
        if waits and loss.item() < 0:
            raise AssertionError
        loss.backward()
        return loss.detach()

    return compute


@pytest.mark.parametrize("waits", [False, True])
def test_losses_and_gradients_are_those_of_usual_steps(waits):
    usual, recorded = _network(), _network()
    graphed = GraphedGradients(recorded, _compute(recorded, waits=waits))
    generator = torch.Generator().manual_seed(1)
    for step in range(NUM_USUAL + 4):
        size = 4 if step == NUM_USUAL + 2 else 6  # a last batch is smaller
        items_B = torch.rand(size, 3, 8, 8, generator=generator).cuda()
        targets_B = torch.randint(0, 5, (size,), generator=generator).cuda()
        expected, found = _compute(usual)(items_B, targets_B), graphed(items_B, targets_B)
        torch.testing.assert_close(found, expected)
        for one, other in zip(recorded.parameters(), usual.parameters(), strict=True):
            torch.testing.assert_close(one.grad, other.grad)
            one.grad = other.grad = None
    assert (graphed._graph is None) == waits
    for one, other in zip(recorded.buffers(), usual.buffers(), strict=True):
        torch.testing.assert_close(one, other)


def test_the_weights_may_change_between_steps():
    network = _network()
    graphed = GraphedGradients(network, _compute(network))
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.01, fused=True)
    items_B, targets_B = torch.rand(6, 3, 8, 8).cuda(), torch.arange(6).cuda() % 5
    found = []
    for _ in range(40):
        found.append(float(graphed(items_B, targets_B)))
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    assert found[-1] < 0.5 * found[0]
    assert float(_compute(copy.deepcopy(network))(items_B, targets_B)) == pytest.approx(found[-1], rel=0.3)
