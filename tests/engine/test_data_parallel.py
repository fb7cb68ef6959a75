"""Ways to put gradients together: two processes learn with each what one learns, and either goes on where the other was."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.distributed as dist
from torch import multiprocessing, nn

from automl.contracts.job import DataParallel
from engine.training import data_parallel, loop
from engine.training.data_parallel import DataParallelUnsuitableError, Shards
from engine.training.world import World
from tests.engine import test_loop

_WAYS = {
    "plain-bf16": DataParallel(sends_bf16=True),
    "ddp": DataParallel(way="ddp"),
    "ddp-bf16": DataParallel(way="ddp", sends_bf16=True),
    "fsdp": DataParallel(way="fsdp"),
    "fsdp-bf16": DataParallel(way="fsdp", sends_bf16=True),
}
_BF16 = 1e-3
_HALF = 12
"""Steps of twenty-four."""


class _Net(nn.Module):
    """Norm, a block that is large enough to be sharded by itself, and a part that nothing uses."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.conv = nn.Conv2d(3, 8, 3, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.blocks = nn.Sequential(nn.Linear(8, 64), nn.ReLU())
        self.head = nn.Linear(64, 2)
        self.idle = nn.Linear(2, 2)

    def forward(self, pictures_BCHW):
        return self.head(self.blocks(self.norm(self.conv(pictures_BCHW / 255)).relu().mean(dim=(2, 3))))


def _pictures():
    generator = np.random.default_rng(0)
    targets = np.arange(32) % 2
    pictures_NHWC = generator.integers(0, 100, (32, 4, 4, 3), dtype=np.uint8)
    pictures_NHWC[targets == 1, :, :, 0] += 100
    return pictures_NHWC, torch.from_numpy(targets)


def _learned(folder: Path, world: World, **pieces) -> list[float]:
    """Losses epoch by epoch, and the sum of the weights that were kept."""
    model = _Net()
    loop.CHECKPOINT_EVERY_S = 0.0 if "last_step" in pieces else 60.0
    with world.normed(model):
        _, fitted = test_loop._fit(
            folder, _pictures(), peak_lr=1e-3, model=model, world=world, averaging="ema", max_gradient_norm=5, **pieces
        )
    weights = fitted.model.state_dict().values()
    assert not any(type(weight) is not torch.Tensor for weight in weights)
    losses = [point.values["loss"] for point in fitted.curves if "loss" in point.values]
    return [*losses, sum(float(weight.double().abs().sum()) for weight in weights)]


def _process(rank: int, folder: str) -> None:
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    data_parallel.BLOCK_PARAMETERS = 500
    dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
    found = {name: _learned(Path(folder) / name, World(rank, 2, how=how)) for name, how in _WAYS.items()}
    for name in ("ddp", "fsdp"):
        world = World(rank, 2, how=_WAYS[name])
        _learned(Path(folder) / f"half-{name}", world, last_step=_HALF)
        found[f"resumed-{name}"] = _learned(
            Path(folder) / "half-alone" if name == "ddp" else Path(folder) / "half-alone-too", world
        )
    with pytest.raises(DataParallelUnsuitableError):
        Shards(_Net(), world, frozen_epochs=1)
    if rank == 0:
        torch.save(found, Path(folder) / "found.pt")
    dist.destroy_process_group()


def test_two_processes_learn_in_every_way_what_one_learns(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "CHECKPOINT_EVERY_S", 0.0)  # to be put back
    alone = World()
    expected = _learned(tmp_path / "alone", alone)
    for name in ("half-alone", "half-alone-too"):
        _learned(tmp_path / name, alone, last_step=_HALF)

    multiprocessing.spawn(_process, (str(tmp_path),), nprocs=2)
    for name, losses in torch.load(tmp_path / "found.pt").items():
        assert losses == pytest.approx(expected, abs=_BF16 if "bf16" in name else 1e-4), name
    for name in ("ddp", "fsdp"):
        assert _learned(tmp_path / f"half-{name}", alone) == pytest.approx(expected, abs=1e-4), name
