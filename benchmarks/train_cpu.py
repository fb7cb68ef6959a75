"""Full training of ResNet-18 on the CPU: our layout, number format and optimiser against the plain fp32 loop."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks._digits import digits
from benchmarks.harness import Claim, Options, interleave, main, speedup
from engine.data.cache import as_input
from engine.data.loader import BatchLoader
from engine.models.resnet.network import build
from engine.training import optim
from engine.training.precision import Precision, choose

CPU = torch.device("cpu")
SIDE_PX = 128
BATCH = 32
ACCURACY_SIDE_PX = 32
EPOCHS = 3
PEAK_LR = 1e-3


class Plain:
    """The loop of a tutorial: fp32, channels first, AdamW."""

    def __init__(self):
        torch.manual_seed(0)
        self.model = build("18", 10)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=PEAK_LR, weight_decay=0.01, foreach=False)

    def step(self, pictures_BHWC: Tensor, targets_B: Tensor) -> None:
        """One step."""
        logits_BL = self.model(pictures_BHWC.permute(0, 3, 1, 2).float().contiguous())
        loss = nn.functional.cross_entropy(logits_BL, targets_B)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Ours:
    """What ``engine.training.loop`` does in a step."""

    def __init__(self, pictures_BHWC: Tensor):
        torch.manual_seed(0)
        self.model = build("18", 10).to(memory_format=torch.channels_last)
        self.optimizer = optim.build(self.model, weight_decay=0.01)
        optim.set_lr(self.optimizer, PEAK_LR)
        with tempfile.TemporaryDirectory() as cache_dir:
            example_BCHW = as_input(pictures_BHWC, CPU)
            self.precision = choose(self.model, example_BCHW, key="train_cpu", cache_dir=Path(cache_dir))

    def step(self, pictures_BHWC: Tensor, targets_B: Tensor) -> None:
        """One step."""
        with self.precision.autocast(CPU):
            logits_BL = self.model(as_input(pictures_BHWC, CPU))
        nn.functional.cross_entropy(logits_BL.float(), targets_B).backward()
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)


def measure(options: Options) -> list[Claim]:
    """Speed; accuracy where there is time for it."""
    batch = options.pick(BATCH, smoke=2)
    pictures_BHWC = torch.randint(0, 256, (batch, SIDE_PX, SIDE_PX, 3), dtype=torch.uint8)
    targets_B = torch.arange(batch) % 10
    ours, plain = Ours(pictures_BHWC), Plain()
    contestants = {name: _one_step(trainer, pictures_BHWC, targets_B) for name, trainer in (("ours", ours), ("plain", plain))}
    seconds = interleave(contestants, num_rounds=options.num_rounds)
    sys.stderr.write(f"number format chosen: {ours.precision}\n")
    metric = f"pictures/s/core, ResNet-18, {SIDE_PX} px, batch {batch}, {ours.precision}"
    claims = [speedup("train_cpu", metric, seconds, ours="ours", anchor="plain", target=2.2)]
    num_train, num_test = options.pick((2000, 3000), smoke=(BATCH, 20), quick=(0, 0))
    if num_train:
        claims.append(_accuracy(ours.precision, num_train, num_test))
    return claims


def _one_step(trainer: Ours | Plain, pictures_BHWC: Tensor, targets_B: Tensor):
    def run() -> int:
        trainer.model.train()
        trainer.step(pictures_BHWC, targets_B)
        return len(targets_B)

    return run


def _accuracy(precision: Precision, num_train: int, num_test: int) -> Claim:
    """Points of accuracy lost against the plain loop, from the same start and the same batches."""
    pictures_NHWC, digits_N = digits(num_train + num_test, ACCURACY_SIDE_PX)
    ours = Ours(torch.from_numpy(pictures_NHWC[:BATCH]))
    ours.precision = precision
    points = {
        name: _trained(trainer, pictures_NHWC, digits_N, num_train) for name, trainer in (("ours", ours), ("plain", Plain()))
    }
    metric = f"accuracy lost in points, {num_train} digits at {ACCURACY_SIDE_PX} px, {EPOCHS} epochs"
    loss = points["plain"] - points["ours"]
    return Claim("train_cpu", metric, points["ours"], points["plain"], loss, 0.5, is_at_most=True)


def _trained(trainer: Ours | Plain, pictures_NHWC: np.ndarray, digits_N: np.ndarray, num_train: int) -> float:
    targets_N = torch.from_numpy(digits_N[:num_train])
    loader = BatchLoader(pictures_NHWC, np.arange(num_train), targets_N, batch_size=BATCH, seed=0)
    total_steps = EPOCHS * len(loader)
    trainer.model.train()
    step = 0
    while loader.epoch < EPOCHS:
        for pictures_BHWC, targets_B in loader:
            optim.set_lr(trainer.optimizer, optim.lr_at(step, total_steps=total_steps, peak=PEAK_LR))
            trainer.step(pictures_BHWC, targets_B)
            step += 1
    trainer.model.eval()
    with torch.no_grad():
        logits_NL = trainer.model(as_input(torch.from_numpy(pictures_NHWC[num_train:]), CPU))
    return 100 * float((logits_NL.argmax(dim=1) == torch.from_numpy(digits_N[num_train:])).float().mean())


if __name__ == "__main__":
    main(measure)
