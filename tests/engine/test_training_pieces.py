"""What a training may do beside the usual: means of weights, frozen layers, mixed pictures, other losses and draws."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import nn

from engine.data.loader import BatchLoader
from engine.data.mixing import mixed
from engine.tasks.shared.classification.loss import FOCUS, build, draw_weights
from engine.training import optim
from engine.training.averaging import WeightAverage
from engine.training.freezing import Freezer

_STEPS = 40


def _walk(average: WeightAverage, linear: nn.Linear) -> list[float]:
    """Sets the weight to a new number at each step; returns the numbers."""
    numbers = np.random.default_rng(0).normal(size=_STEPS).tolist()
    for step, number in enumerate(numbers):
        with torch.no_grad():
            linear.weight.fill_(number)
        average.update(step)
    return numbers


def test_the_mean_of_the_last_quarter_is_plain_and_the_moving_one_forgets():
    linear = nn.Linear(1, 1)
    plain = WeightAverage("swa", linear, _STEPS)
    numbers = _walk(plain, linear)
    with plain.applied():
        assert linear.weight.item() == pytest.approx(np.mean(numbers[30:]), abs=1e-6)
    assert linear.weight.item() == pytest.approx(numbers[-1])
    assert [plain.lr_step(step) for step in (0, 29, 30, 39)] == [0, 29, 30, 30]

    moving = WeightAverage("ema", linear, _STEPS)
    expected, numbers = 0.0, _walk(moving, linear)
    for step, number in enumerate(numbers):
        expected += (number - expected) * max(1 / (step + 1), 1 / 5)
    moving.keep()
    assert linear.weight.item() == pytest.approx(expected, abs=1e-6)


def test_learning_rates_rise_from_the_first_layer_to_the_last():
    layers = nn.Sequential(*(nn.Linear(2, 2) for _ in range(8)))
    optimizer = optim.build(layers, weight_decay=0.1, first_layer_lr=0.01)
    optim.set_lr(optimizer, 1.0)
    rates = {id(parameter): group["lr"] for group in optimizer.param_groups for parameter in group["params"]}
    of_layers = [rates[id(layer.weight)] for layer in layers]
    assert of_layers == sorted(of_layers)
    assert (of_layers[0], of_layers[-1]) == (pytest.approx(0.01), pytest.approx(1.0))
    assert {group["weight_decay"] for group in optimizer.param_groups} == {0.0, 0.1}


class _Classifier(nn.Module):
    label_layers: ClassVar = {"head": (1, 0, 0)}

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
        self.head = nn.Linear(4, 2)


def test_the_last_layer_alone_learns_while_the_rest_is_frozen():
    model = _Classifier()
    freezer = Freezer(model, 2)
    for epoch, is_frozen in enumerate((True, True, False)):
        model.train()
        freezer.begin(epoch)
        assert [parameter.requires_grad for parameter in model.body.parameters()] == [not is_frozen] * 4
        assert model.body[1].training is not is_frozen
        assert model.head.weight.requires_grad
    freezer.begin(0)
    freezer.end()
    assert model.body[0].weight.requires_grad


@pytest.mark.parametrize("mixing", ["mixup", "cutmix"])
def test_labels_are_mixed_as_the_pictures_are(mixing):
    """Pictures of one colour each: what is left of a colour is the share of its label."""
    colors = torch.tensor([0, 100, 200], dtype=torch.uint8)
    pictures_BHWC = colors[:, None, None, None].expand(3, 40, 40, 3).contiguous()
    augment = mixed(lambda pictures, targets, _: (pictures, targets), mixing, 3)
    seen = set()
    for seed in range(20):
        mixed_BHWC, shares_BL = augment(pictures_BHWC, torch.arange(3), torch.Generator().manual_seed(seed))
        assert mixed_BHWC.dtype == torch.uint8
        assert torch.allclose(shares_BL.sum(dim=1), torch.ones(3))
        expected_B = shares_BL @ colors.float()
        assert torch.allclose(mixed_BHWC.float().mean(dim=(1, 2, 3)), expected_B, atol=0.51)
        seen.add(round(float(shares_BL[0].max()), 3))
    assert len(seen) > 5


def test_focal_loss_is_that_of_its_definition():
    logits_BL, targets_B = torch.randn(5, 3, generator=torch.Generator().manual_seed(0)), torch.tensor([0, 2, 1, 1, 0])
    weights_L = torch.tensor([1.0, 2.0, 0.5])
    loss = build(nn.Identity(), {}, smoothing=0.0, weights_L=weights_L, name="focal")(logits_BL, targets_B)
    right_B = logits_BL.softmax(1)[range(5), targets_B]
    expected = (weights_L[targets_B] * (1 - right_B) ** FOCUS * -right_B.log()).sum() / weights_L[targets_B].sum()
    assert loss == pytest.approx(expected.item(), rel=1e-5)
    shares_BL = F.one_hot(targets_B, 3).float()
    assert build(nn.Identity(), {}, smoothing=0.1, weights_L=None)(logits_BL, shares_BL) == pytest.approx(
        F.cross_entropy(logits_BL, targets_B, label_smoothing=0.1).item(), rel=1e-5
    )


def test_rare_labels_are_drawn_as_often_as_frequent_ones():
    targets = np.array([0] * 90 + [1] * 10)
    items = np.arange(100, dtype=np.uint8).reshape(100, 1, 1, 1)
    weights_N = draw_weights(targets, 2)
    loader = BatchLoader(items, np.arange(100), torch.from_numpy(targets), batch_size=50, seed=1, weights_N=weights_N)
    drawn = torch.cat([each for _ in range(20) for _, each in loader])
    assert len(drawn) == 2000
    assert 0.45 < drawn.float().mean() < 0.55
    several = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0]])
    assert draw_weights(several, 3)[1] > draw_weights(several, 3)[0] > 0
