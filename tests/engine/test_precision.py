"""The choice of the number format: measured once, kept, and without a trace in the model."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import nn

from engine.process import without_denormals
from engine.training import precision
from engine.training.precision import Precision


@pytest.fixture
def model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.Dropout(), nn.Flatten(), nn.Linear(8 * 36, 2))


def test_choice_is_kept_for_the_host(model, tmp_path):
    pictures_BCHW = torch.zeros(2, 3, 8, 8)
    first = precision.choose(model, pictures_BCHW, key="net", cache_dir=tmp_path)
    files = list((tmp_path / "precision").glob("*.txt"))
    if not files:
        assert first is Precision.FP32  # a CPU without bf16 units measures nothing
        return
    other = Precision.BF16 if first is Precision.FP32 else Precision.FP32
    files[0].write_text(other.value)
    assert precision.choose(model, pictures_BCHW, key="net", cache_dir=tmp_path) is other
    precision.choose(model, pictures_BCHW, key="another net", cache_dir=tmp_path)
    assert len(list((tmp_path / "precision").iterdir())) == 2
    precision.choose(model, pictures_BCHW, key="net", cache_dir=tmp_path / "long", num_steps=precision.WORTHWHILE_STEPS)
    assert list((tmp_path / "long").iterdir())


def test_a_short_training_measures_nothing(model, tmp_path):
    few = precision.WORTHWHILE_STEPS - 1
    assert precision.choose(model, torch.zeros(2, 3, 8, 8), key="net", cache_dir=tmp_path, num_steps=few) is Precision.FP32
    assert list(tmp_path.iterdir()) == []


def test_probing_changes_neither_model_nor_randomness(model, tmp_path):
    pictures_BCHW = torch.rand(2, 3, 8, 8)
    before, randomness = copy.deepcopy(model.state_dict()), torch.get_rng_state()
    precision.choose(model, pictures_BCHW, key="net", cache_dir=tmp_path)
    assert torch.equal(torch.get_rng_state(), randomness)
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())
    assert all(parameter.grad is None for parameter in model.parameters())


def test_bf16_computes_in_bf16():
    with Precision.BF16.autocast(torch.device("cpu")):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.bfloat16
    with Precision.FP32.autocast(torch.device("cpu")):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32


def test_what_is_nearly_nothing_is_nothing_in_a_job_and_in_its_threads_and_not_after_it():
    """A processor takes a hundred times as long with it."""

    def product() -> float:
        return float(torch.tensor([1e-30]) * torch.tensor([1e-10]))

    with without_denormals(), ThreadPoolExecutor(1) as pool:
        assert (product(), pool.submit(product).result()) == (0.0, 0.0)
    assert product() > 0.0
