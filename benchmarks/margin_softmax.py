"""ArcFace's loss of very many labels, forward and backward, against the usual one that holds all logits: time and memory.

On the CPU 100,000 labels; where there is CUDA, a million in bf16 besides, beyond what the CPU's rows ask. The last rows compare
with a tenth of the labels, drawn by lot for each step, in place of all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor

from benchmarks._gpu import clock, device_name
from benchmarks._peak import peak_mb
from benchmarks.harness import Claim, Clock, Options, cpu_seconds, interleave, main, speedup
from engine.kernels.margin_softmax import op, reference
from engine.kernels.margin_softmax.margins import Margin

MARGIN, SCALE = Margin(0.3, is_angular=True), 24.0
NAME = "margin_softmax"


@dataclass(frozen=True)
class Case:
    """A batch, and what is expected of it."""

    batch: int
    num_numbers: int
    num_labels: int
    device: torch.device
    clock: Clock
    targets: tuple[float, float, float]
    """Least gain in time, most of the memory, least gain by a share of the labels."""


def measure(options: Options) -> list[Claim]:
    """Three claims a device."""
    torch.set_num_threads(1)
    num_labels = options.pick(100_000, smoke=11_000)
    claims = _claims(Case(128, 512, num_labels, torch.device("cpu"), cpu_seconds, (1.4, 0.5, 4.0)), options)
    if torch.cuda.is_available() and not options.is_smoke:
        claims += _claims(Case(1024, 512, 1_000_000, torch.device("cuda"), clock, (1.4, 0.25, 5.0)), options)
    return claims


def _claims(case: Case, options: Options) -> list[Claim]:
    torch.manual_seed(0)
    directions_BD = F.normalize(torch.randn(case.batch, case.num_numbers), dim=1).to(case.device).requires_grad_()
    centres_LD = torch.randn(case.num_labels, case.num_numbers, device=case.device, requires_grad=True)
    targets_B = torch.randint(0, case.num_labels, (case.batch,), device=case.device)

    def step(loss: Callable[[Tensor, Tensor, Tensor], Tensor]) -> int:
        directions_BD.grad = centres_LD.grad = None
        loss(directions_BD, centres_LD, targets_B).mean().backward()
        return 1

    def small_step(loss: Callable[[Tensor, Tensor, Tensor], Tensor]) -> None:
        few_LD = centres_LD[: op.ALL_UP_TO + 1, :8].detach().requires_grad_()
        loss(directions_BD[:2, :8], few_LD, targets_B[:2].clamp(max=op.ALL_UP_TO)).mean().backward()

    losses = {"ours": _ours, "share": _share, "usual": _usual}
    contestants = {name: partial(step, loss) for name, loss in losses.items()}
    peaks = {name: peak_mb(work, case.device, warm_up=partial(small_step, losses[name])) for name, work in contestants.items()}
    seconds = interleave(contestants, num_rounds=options.num_rounds, clock=case.clock)
    what = f"{case.batch} x {case.num_numbers} numbers, {case.num_labels:,} labels, {device_name(case.device)}"
    faster, smaller, by_share = case.targets
    return [
        speedup(NAME, f"steps/s, {what}; anchor: all logits at once", seconds, ours="ours", anchor="usual", target=faster),
        Claim(
            NAME,
            f"MB at the peak, gradients among them, {what}",
            peaks["ours"],
            peaks["usual"],
            peaks["ours"] / peaks["usual"],
            smaller,
            is_at_most=True,
        ),
        speedup(NAME, f"steps/s with a share of the labels, {what}", seconds, ours="share", anchor="ours", target=by_share),
    ]


def _ours(directions_BD: Tensor, centres_LD: Tensor, targets_B: Tensor) -> Tensor:
    own_BD = directions_BD.bfloat16() if directions_BD.is_cuda else directions_BD
    return op.margin_softmax(own_BD, centres_LD, targets_B, margin=MARGIN, scale=SCALE)


def _share(directions_BD: Tensor, centres_LD: Tensor, targets_B: Tensor) -> Tensor:
    labels_S, places_B = op.sampled(targets_B, len(centres_LD))
    return _ours(directions_BD, centres_LD.index_select(0, labels_S), places_B)


def _usual(directions_BD: Tensor, centres_LD: Tensor, targets_B: Tensor) -> Tensor:
    with torch.autocast(directions_BD.device.type, torch.bfloat16, enabled=directions_BD.is_cuda):
        return reference.margin_softmax(directions_BD, centres_LD, targets_B, margin=MARGIN, scale=SCALE)


if __name__ == "__main__":
    main(measure)
