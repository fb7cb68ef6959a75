"""How much longer a training step takes when its batches come from the loader instead of lying ready.

Wall time, since waiting is what counts; it needs one idle core besides the one that computes.
"""

from __future__ import annotations

import time

import numpy as np
import psutil
import torch
from torch import nn

from benchmarks.harness import Claim, Options, SkippedError, interleave, main
from engine.data.augment import Augmenter
from engine.data.loader import BatchLoader
from engine.models.resnet.network import build

SIDE_PX = 128
BATCH = 16
MAX_BUSY_PERCENT = 15.0
PATIENCE_S = 10.0


def measure(options: Options) -> list[Claim]:
    """ResNet-18, full steps."""
    if not options.is_smoke:
        _skip_when_busy()
    num_batches, batch = options.pick((8, BATCH), smoke=(1, 2), quick=(3, BATCH))
    pictures_NHWC = np.random.default_rng(0).integers(0, 256, (num_batches * batch, SIDE_PX, SIDE_PX, 3), dtype=np.uint8)
    rows = np.arange(len(pictures_NHWC))
    targets = torch.from_numpy(rows % 10)
    model = build("18", 10).to(memory_format=torch.channels_last).train()
    loader = BatchLoader(pictures_NHWC, rows, targets, batch_size=batch, seed=0, augment=Augmenter("strong").batch)
    ready = [(torch.from_numpy(pictures_NHWC[:batch]), targets[:batch])] * num_batches
    contestants = {"with reader": lambda: _steps(model, loader), "without": lambda: _steps(model, ready)}
    seconds = interleave(contestants, num_rounds=options.num_rounds, clock=time.perf_counter)
    metric = f"wall seconds a step, best round, ResNet-18, {SIDE_PX} px, batch {batch}, strong augmentation"
    # Other work only ever adds to a wall clock, so the best rounds are compared.
    ours, anchor = min(seconds["with reader"]), min(seconds["without"])
    return [Claim("reader_overlap", metric, ours, anchor, ours / anchor, 1.05, is_at_most=True)]


def _skip_when_busy() -> None:
    """A wall clock measures nothing on a machine that others use. Waits a while for the others to end."""
    deadline = time.monotonic() + PATIENCE_S
    while psutil.cpu_percent(interval=1.0) > MAX_BUSY_PERCENT:
        if time.monotonic() > deadline:
            raise SkippedError("other programs keep the machine busy; this row times the wall clock")


def _steps(model: nn.Module, batches) -> int:
    num_steps = 0
    for pictures_BHWC, targets_B in batches:
        logits_BL = model(pictures_BHWC.permute(0, 3, 1, 2).float())
        nn.functional.cross_entropy(logits_BL, targets_B).backward()
        model.zero_grad()
        num_steps += 1
    return num_steps


if __name__ == "__main__":
    main(measure)
