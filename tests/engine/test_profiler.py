"""Where a training's time goes, and what its layers say."""

from __future__ import annotations

import time

import pytest
import torch
from torch import nn

from automl.contracts.training_profile import TrainingAdvice
from engine.training.profiler import MAX_POINTS, Profiler


def _slow(number: int, wait_s: float):
    for each in range(number):
        time.sleep(wait_s)
        yield each


def test_time_is_that_of_what_passed():
    """What is waited for, computed and saved within a step adds up to the clock."""
    profiler = Profiler(nn.Linear(1, 1), 1000)
    began_s = time.monotonic()
    for number in profiler.timed(_slow(20, 0.004)):
        time.sleep(0.001)
        if number == 10:
            with profiler.part("save"):
                time.sleep(0.01)
        profiler.count(number + 1, 8)
    passed_s = time.monotonic() - began_s
    profile = profiler.result()
    assert profile.wait_s + profile.compute_s + profile.save_s == pytest.approx(passed_s, abs=0.01)
    assert profile.wait_s >= 0.08
    assert profile.save_s >= 0.01
    assert TrainingAdvice.WAITS_FOR_DATA in profile.advice
    assert [point.step for point in profile.steps] == [10, 20]
    assert all(point.compute_ms >= 1 for point in profile.steps)
    assert profile.items_per_s == pytest.approx(160 / (profile.wait_s + profile.compute_s), rel=1e-6)
    assert Profiler(nn.Linear(1, 1), 5).result() is None


@pytest.mark.parametrize("total_steps", [1, 99, 100, 101, 12_345])
def test_points_stay_few(total_steps):
    profiler = Profiler(nn.Linear(1, 1), total_steps)
    for step in profiler.timed(range(1, total_steps + 1)):
        profiler.count(step, 1)
    assert 1 <= len(profiler.result().steps) <= MAX_POINTS


def test_dead_channels_and_vanishing_gradients_are_found():
    network = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), *(nn.Linear(10, 10) for _ in range(6)), nn.Linear(10, 2))
    with torch.no_grad():
        network[0].bias[:6] = -3.0
    profiler = Profiler(network, 1)
    with profiler.watched():
        loss = network(torch.rand(16, 4)).square().sum()
        loss.backward()
    profiler.count(1, 16)
    layers = profiler.result().layers
    assert [group.first for group in layers] == ["0", *(str(place) for place in range(2, 9))]
    assert layers[0].dead_fraction > 0.59
    assert {group.dead_fraction for group in layers[1:]} == {None}
    assert layers[-1].gradient_norm == pytest.approx(
        float(torch.stack([parameter.grad.norm() for parameter in network[8].parameters()]).norm()), rel=1e-4
    )
    assert profiler.result().advice == (TrainingAdvice.DEAD_UNITS,)
    for parameter in network[0].parameters():
        parameter.grad.mul_(1e-9)
    with profiler.watched():
        pass
    assert TrainingAdvice.VANISHING_GRADIENTS in profiler.result().advice
    assert not any(module._forward_hooks for module in network)
