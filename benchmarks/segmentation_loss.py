"""A segmenter's loss from logits of cells, forward and backward, against that of enlarged logits: time and memory.

On the CPU 20 classes of four pictures of 512 pixels from 128 cells; where there is CUDA, 150 classes of sixteen besides.
Then a whole training step of U-Net on EfficientNet-Lite0 at 512 pixels, four pictures in a batch: the memory of the process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from unittest.mock import patch

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor

from benchmarks._gpu import clock, device_name
from benchmarks._peak import peak_mb, process_mb
from benchmarks.harness import Claim, Clock, Options, cpu_seconds, interleave, main, speedup
from engine.models import family_part
from engine.models.shared.enlarge import enlarged
from engine.tasks.semantic_segmentation import loss, loss_terms

NAME = "segmentation_loss"
FACTOR = 4
MOST_MB = 6000
Loss = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Case:
    """A batch, and what is expected of it."""

    batch: int
    num_classes: int
    side_px: int
    device: torch.device
    clock: Clock
    least: tuple[float, float]
    """Gain in time over cross-entropy, and over that and Dice."""
    most: float
    """Of the memory."""


def measure(options: Options) -> list[Claim]:
    """Time and memory of two losses a device, and the memory of a training step."""
    torch.set_num_threads(1)
    side_px = options.pick(512, smoke=64)
    claims = [_step(options.pick(4, smoke=2), side_px)]
    claims += _claims(Case(4, 20, side_px, torch.device("cpu"), cpu_seconds, (1.2, 4.0), 0.25), options)
    if torch.cuda.is_available() and not options.is_smoke:
        claims += _claims(Case(16, 150, side_px, torch.device("cuda"), clock, (4.0, 4.0), 0.1), options)
    return claims


def _claims(case: Case, options: Options) -> list[Claim]:
    torch.manual_seed(0)
    cells_px = case.side_px // FACTOR
    cells_BChw = torch.randn(case.batch, case.num_classes, cells_px, cells_px, device=case.device, requires_grad=True)
    truth_BHW = torch.randint(-1, case.num_classes - 1, (case.batch, case.side_px, case.side_px), device=case.device)

    def step(measured: Loss) -> int:
        cells_BChw.grad = None
        measured(cells_BChw, truth_BHW).backward()
        return 1

    def small_step(measured: Loss) -> None:
        with patch.object(loss_terms, "FEW_LOGITS", 0):  # as many logits are computed, lest their libraries count
            measured(cells_BChw[:, :, :8, :8], truth_BHW[:, : 8 * FACTOR, : 8 * FACTOR]).backward()

    ours, with_dice = (
        loss.build(torch.nn.Identity(), {}, smoothing=0.0, weights_L=None, name=name)
        for name in ("cross_entropy", "cross_entropy+dice")
    )
    pairs: dict[str, tuple[Loss, Loss]] = {
        "cross-entropy; anchor: interpolate and cross_entropy": (ours, _usual),
        "cross-entropy and Dice; anchor: the same of enlarged logits": (with_dice, _usual_with_dice),
    }
    if case.device.type == "cuda":
        pairs["cross-entropy; anchor: the usual one, compiled"] = (ours, torch.compile(_usual, dynamic=False))
    what = f"{case.batch} x {case.num_classes} classes x {case.side_px} px, {device_name(case.device)}"
    peaks = [
        [peak_mb(partial(step, each), case.device, warm_up=partial(small_step, each)) for each in pair]
        for pair in pairs.values()
    ]
    claims = []
    for (name, pair), (ours_mb, usual_mb), least in zip(pairs.items(), peaks, (*case.least, 2.0), strict=False):
        contestants = {"ours": partial(step, pair[0]), "usual": partial(step, pair[1])}
        seconds = interleave(contestants, num_rounds=options.num_rounds, clock=case.clock)
        memory = f"MB at the peak, {what}, {name}"
        claims += [
            speedup(NAME, f"batches/s, {what}, {name}", seconds, ours="ours", anchor="usual", target=least),
            Claim(NAME, memory, ours_mb, usual_mb, ours_mb / usual_mb, case.most, is_at_most=True),
        ]
    return claims


def _usual(cells_BChw: Tensor, truth_BHW: Tensor) -> Tensor:
    logits_BCHW = F.interpolate(cells_BChw, scale_factor=FACTOR, mode="bilinear", align_corners=False)
    return F.cross_entropy(logits_BCHW, truth_BHW + 1)


def _usual_with_dice(cells_BChw: Tensor, truth_BHW: Tensor) -> Tensor:
    logits_BCHW, classes_BHW = enlarged(cells_BChw, FACTOR), truth_BHW + 1
    scores_BCHW = logits_BCHW.softmax(dim=1)
    is_class_BCHW = F.one_hot(classes_BHW, scores_BCHW.shape[1]).permute(0, 3, 1, 2).float()
    shared_C, predicted_C, there_C = (
        each.sum(dim=(0, 2, 3))[1:] for each in (scores_BCHW * is_class_BCHW, scores_BCHW, is_class_BCHW)
    )
    return F.cross_entropy(logits_BCHW, classes_BHW) + (1 - 2 * shared_C / (predicted_C + there_C).clamp(min=1.0)).mean()


def _step(batch: int, side_px: int) -> Claim:
    """Memory of a process that trains, against what it is to stay below."""
    num_labels = 20

    def work() -> None:
        torch.manual_seed(0)
        segmenter = family_part("unet", "network").build("lite0").segmenter(num_labels).train()
        measured = loss.build(segmenter, {}, smoothing=0.0, weights_L=None)
        optimizer = torch.optim.AdamW(segmenter.parameters())
        truth_BHW = torch.randint(-1, num_labels, (batch, side_px, side_px))
        for _ in range(2):
            optimizer.zero_grad()
            measured(segmenter(255 * torch.rand(batch, 3, side_px, side_px)), truth_BHW).backward()
            optimizer.step()

    whole_mb = process_mb("VmRSS") + peak_mb(work, torch.device("cpu"))
    metric = (
        f"MB of a process that trains U-Net on EfficientNet-Lite0, {num_labels} labels, {batch} pictures of {side_px} px a step"
    )
    return Claim(NAME, metric, whole_mb, MOST_MB, whole_mb / MOST_MB, 1.0, is_at_most=True)


if __name__ == "__main__":
    main(measure)
