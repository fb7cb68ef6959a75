"""AP50 of FCOS on generated pictures with true boxes: from ImageNet weights against the same detector from scratch.

Two held-out sets, both of a fixed seed: new pictures of things that were trained on, and pictures of things never seen, on
photographs never seen. Three seeds on the easy level, by default with a small budget (six times about a minute of one core),
with ``--full`` six times eight minutes. The intervals are Student's over the seeds, 95 %. The start without training is
measured too: its head knows nothing yet.
"""

from __future__ import annotations

import statistics
import sys

import torch

from benchmarks._detectors import SETS, Budget, Drawn, detector, drawn, judged, train
from benchmarks.harness import Claim, Options, Size, SkippedError, main
from engine.assets.fetch import AssetMissingError
from engine.tasks.object_detection import scenes

TASK, FAMILY, SIZE, LEVEL = "object_detection", "fcos", "lite0", "easy"
PEAK_LR = 1e-3
_T_95 = 4.303
"""Of Student's distribution with two degrees of freedom."""
SMALL, FULL, SMOKE = Budget(240, 8, 96), Budget(600, 16, 128), Budget(2, 1, 64, batch=2)


def measure(options: Options) -> list[Claim]:
    """One claim a held-out set."""
    if options.size is Size.QUICK:
        raise SkippedError("training six detectors takes minutes")
    budget = options.pick(SMALL, smoke=SMOKE, full=FULL)
    num_judged, num_seeds = options.pick((200, 3), smoke=(2, 2))
    torch.set_num_threads(1)
    found: dict[tuple[str, str], list[float]] = {}
    try:
        sets = {name: _pictures(num_judged, scenes.HELD_OUT_SEED, budget, is_held_out=flag) for name, flag in SETS.items()}
        for seed in range(num_seeds):
            pictures = _pictures(budget.num_pictures, seed, budget, is_held_out=False)
            for start in ("pretrained", "scratch"):
                model = detector(FAMILY, SIZE, seed, is_pretrained=start == "pretrained")
                _judge(found, sets, model, f"{start}, untrained")
                train(TASK, model, pictures, seed, budget, peak_lr=PEAK_LR)
                _judge(found, sets, model, start)
    except AssetMissingError as error:
        raise SkippedError(str(error)) from error
    return [_claim(name, found, budget) for name in sets]


def _pictures(number: int, seed: int, budget: Budget, *, is_held_out: bool) -> Drawn:
    return drawn(TASK, number, seed, budget.side_px, level=LEVEL, is_held_out=is_held_out)


def _claim(name: str, values: dict[tuple[str, str], list[float]], budget: Budget) -> Claim:
    for start in ("pretrained, untrained", "pretrained", "scratch"):
        sys.stderr.write(f"AP50, {name}, {start}: {_interval(values[name, start])}\n")
    gains = [ours - anchor for ours, anchor in zip(values[name, "pretrained"], values[name, "scratch"], strict=True)]
    sys.stderr.write(f"AP50, {name}, gained by the pretrained start, seed by seed: {_interval(gains)}\n")
    ours, anchor = (statistics.mean(values[name, start]) for start in ("pretrained", "scratch"))
    what = (
        f"AP50, {name}, {LEVEL}, FCOS lite0 at {budget.side_px} px, {budget.epochs} epochs of {budget.num_pictures} pictures, "
        f"{len(gains)} seeds, gain {_interval(gains)}; anchor from scratch"
    )
    return Claim("detection", what, ours, anchor, ours / max(anchor, 1e-3), 1.1)


def _interval(values: list[float]) -> str:
    half = _T_95 * statistics.stdev(values) / len(values) ** 0.5
    return f"{statistics.mean(values):.3f} +- {half:.3f}"


def _judge(found: dict[tuple[str, str], list[float]], sets: dict[str, Drawn], model: torch.nn.Module, start: str) -> None:
    for name, pictures in sets.items():
        values = judged(TASK, model, pictures)
        found.setdefault((name, start), []).append(values["ap50"])
        sys.stderr.write(f"{start}, {name}: AP50 {values['ap50']:.3f}, AP {values['ap']:.3f}\n")


if __name__ == "__main__":
    main(measure)
