"""The training loop on a GPU, data read and varied while it runs, against a plain loop over one batch on the device.

Both in bf16 with channels last; the plain loop also in strict fp32. A large network, whose steps hide everything, and a small
one on small pictures, whose steps hide nothing. A run of ours is long enough to show what saving costs.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import nn

from benchmarks._gpu import clock, device_for, device_name
from benchmarks._loop import fitted
from benchmarks.harness import Claim, Options, interleave, main, speedup
from engine.data.augment import Augmenter
from engine.data.loader import BatchLoader, OnDevice
from engine.models.resnet.network import build
from engine.training import optim
from engine.training.precision import Precision

NUM_LABELS = 100
NUM_PICTURES = 4096
"""That differ."""
NUM_PLAIN = 40
"""Steps of the plain loop."""


@dataclass(frozen=True)
class _Case:
    size: str
    """Of the ResNet."""
    side_px: int
    batch: int
    num_steps: int
    device: torch.device

    def model(self) -> nn.Module:
        torch.manual_seed(0)
        model: nn.Module = build(self.size, NUM_LABELS).to(self.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        return model

    @property
    def precision(self) -> Precision:
        return Precision.BF16 if self.device.type == "cuda" else Precision.FP32


def measure(options: Options) -> list[Claim]:
    """Pictures a second of each."""
    device = device_for(options)
    claims = []
    large, small = _Case("50", 224, 256, 160, device), _Case("18", 64, 64, 4000, device)
    cases = options.pick(
        [(large, 0.97), (small, 1.1)],
        quick=[(replace(large, num_steps=80), 0.97), (replace(small, num_steps=2000), 1.1)],
        smoke=[(_Case("18", 32, 2, 2, device), 1.1)],
    )
    for case, target in cases:
        num_pictures = min(NUM_PICTURES, case.batch * case.num_steps)
        pictures_NHWC = np.random.default_rng(0).integers(0, 256, (num_pictures, case.side_px, case.side_px, 3), dtype=np.uint8)
        num_plain = options.pick(NUM_PLAIN, smoke=1)
        seconds = interleave(
            {
                "ours": lambda c=case, p=pictures_NHWC: _ours(c, p),
                "plain": lambda c=case, p=pictures_NHWC, n=num_plain: _plain(c, p, c.precision, num_steps=n),
                "fp32": lambda c=case, p=pictures_NHWC, n=num_plain // 4 + 1: _plain(c, p, Precision.FP32, num_steps=n),
            },
            num_rounds=options.pick(3, smoke=1, quick=2),
            clock=clock,
        )
        pictures = {name: [each / case.batch for each in found] for name, found in seconds.items()}
        what = f"pictures/s, ResNet-{case.size}, {case.batch} of {case.side_px} px, {device_name(device)}"
        claims.append(speedup("gpu_train", f"{what}, to a plain loop", pictures, ours="ours", anchor="plain", target=target))
        ours, strict = (1 / statistics.median(pictures[name]) for name in ("ours", "fp32"))
        claims.append(Claim("gpu_train", f"{what}, to strict fp32", ours, strict, ours / strict, 2.5))
    return claims


def _ours(case: _Case, pictures_NHWC: np.ndarray) -> int:
    """One epoch as a job trains."""
    rows_N = np.arange(case.batch * case.num_steps) % len(pictures_NHWC)
    targets_N = torch.from_numpy(rows_N % NUM_LABELS)
    batches = BatchLoader(
        pictures_NHWC,
        rows_N,
        targets_N,
        batch_size=case.batch,
        seed=0,
        augment=OnDevice(Augmenter("light").batch),
        device=case.device,
    )
    validation = BatchLoader(
        pictures_NHWC, rows_N[:2], targets_N[:2], batch_size=2, seed=0, is_shuffled=False, device=case.device
    )
    return fitted(case.model(), batches, validation, targets_N[:2], epochs=1, precision=case.precision)


def _plain(case: _Case, pictures_NHWC: np.ndarray, precision: Precision, *, num_steps: int) -> int:
    """The same steps over a batch that lies ready."""
    is_strict = precision is Precision.FP32
    torch.backends.cudnn.allow_tf32 = not is_strict
    torch.backends.cudnn.benchmark = True
    model = case.model().train()
    optimizer = optim.build(model, weight_decay=0.01)
    optim.set_lr(optimizer, 1e-3)
    pictures_BCHW = torch.from_numpy(pictures_NHWC[: case.batch]).to(case.device).permute(0, 3, 1, 2)
    targets_B = (torch.arange(case.batch) % NUM_LABELS).to(case.device)
    for _ in range(num_steps):
        with precision.autocast(case.device):
            logits_BL = model(pictures_BCHW.float())
        nn.functional.cross_entropy(logits_BL.float(), targets_B).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    torch.backends.cudnn.allow_tf32 = True
    return num_steps


if __name__ == "__main__":
    main(measure)
