"""The training loop with everything on (events, metrics, checkpoints, best weights) against a bare loop of the same steps.

The loop saves after its first second and then every twenty; the longer step's run lasts about ten, so that what saving costs
is rather overstated (with --quick, which runs for two seconds, much).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from benchmarks._loop import fitted
from benchmarks.harness import Claim, Options, interleave, main, speedup
from engine.data.cache import as_input
from engine.data.loader import BatchLoader
from engine.models.efficientnet_lite.network import build
from engine.training import optim

CPU = torch.device("cpu")
EPOCHS = 2
# A round of the longer step takes half a minute.
NUM_ROUNDS = 3


def measure(options: Options) -> list[Claim]:
    """A step of about 1 ms and one of about 100 ms."""
    claims = []
    for what, target, make_model, batch, side_px, num_batches in (
        ("about 100 ms", 0.97, lambda: build("0", 10), 8, 64, 60),
        ("about 1 ms", 0.90, _tiny, 16, 16, 600),
    ):
        num_pictures = batch * options.pick(num_batches, smoke=1, quick=num_batches // 4)
        pictures_NHWC = np.random.default_rng(0).integers(0, 256, (num_pictures, side_px, side_px, 3), dtype=np.uint8)
        targets_N = torch.arange(len(pictures_NHWC)) % 10
        contestants = {
            "ours": lambda p=pictures_NHWC, t=targets_N, m=make_model, b=batch: _ours(m(), p, t, b),
            "bare": lambda p=pictures_NHWC, t=targets_N, m=make_model, b=batch: _bare(m(), p, t, b),
        }
        seconds = interleave(contestants, num_rounds=options.pick(NUM_ROUNDS, smoke=1))
        claims.append(
            speedup("trainer_overhead", f"steps/s/core, a step of {what}", seconds, ours="ours", anchor="bare", target=target)
        )
    return claims


def _tiny() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(32 * 16, 10)
    )


def _ours(model: nn.Module, pictures_NHWC: np.ndarray, targets_N: torch.Tensor, batch: int) -> int:
    rows = np.arange(len(pictures_NHWC))
    batches = BatchLoader(pictures_NHWC, rows, targets_N, batch_size=batch, seed=0)
    validation = BatchLoader(pictures_NHWC, rows[:batch], targets_N[:batch], batch_size=batch, seed=0, is_shuffled=False)
    model = model.to(memory_format=torch.channels_last)
    return fitted(model, batches, validation, targets_N[:batch], epochs=EPOCHS)


def _bare(model: nn.Module, pictures_NHWC: np.ndarray, targets_N: torch.Tensor, batch: int) -> int:
    """The same arithmetic and nothing else, with the batches lying ready."""
    model = model.to(memory_format=torch.channels_last).train()
    optimizer = optim.build(model, weight_decay=0.01)
    optim.set_lr(optimizer, 1e-3)
    starts = range(0, len(pictures_NHWC), batch)
    for _ in range(EPOCHS):
        for start in starts:
            pictures_BHWC = torch.from_numpy(pictures_NHWC[start : start + batch])
            loss = nn.functional.cross_entropy(model(as_input(pictures_BHWC, CPU)), targets_N[start : start + batch])
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    return EPOCHS * len(starts)


if __name__ == "__main__":
    main(measure)
