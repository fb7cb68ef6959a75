"""AP50 of FCOS on generated pictures with true boxes: from ImageNet weights against the same detector from scratch.

Two held-out sets, both of a fixed seed: new pictures of things that were trained on, and pictures of things never seen, on
photographs never seen. Three seeds on the easy level, by default with a small budget (six times about a minute of one core),
with ``--full`` six times eight minutes. The intervals are Student's over the seeds, 95 %. The start without training is
measured too: its head knows nothing yet.
"""

from __future__ import annotations

import statistics
import sys
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from safetensors.torch import load_file

from benchmarks._digits import ASSETS_DIR, weights_file
from benchmarks.harness import Claim, Options, Size, SkippedError, main
from engine.assets.fetch import AssetMissingError
from engine.data.cache import as_input
from engine.data.loader import BatchLoader
from engine.models.fcos.network import Detector, build, load_pretrained
from engine.tasks.object_detection import metrics, scenes
from engine.tasks.object_detection.loss import answers
from engine.tasks.shared.boxes_augment import Augmenter
from engine.training import optim
from engine.training.precision import Precision

CPU = torch.device("cpu")
LEVEL = "easy"
PICTURE_PX = (341, 256)
PEAK_LR, WEIGHT_DECAY = 1e-3, 1e-2
_T_95 = 4.303
"""Of Student's distribution with two degrees of freedom."""
_MOST_THINGS = 10
_SETS = {"new pictures": False, "new things": True}
"""Held-out sets, and whether their stamps and photographs are held out too."""


@dataclass(frozen=True)
class Budget:
    """How long is trained, on what."""

    num_pictures: int
    epochs: int
    side_px: int
    batch: int = 16


SMALL, FULL, SMOKE = Budget(240, 8, 96), Budget(600, 16, 128), Budget(2, 1, 64, batch=2)


def measure(options: Options) -> list[Claim]:
    """One claim a held-out set."""
    if options.size is Size.QUICK:
        raise SkippedError("training six detectors takes minutes")
    budget = options.pick(SMALL, smoke=SMOKE, full=FULL)
    num_judged, num_seeds = options.pick((200, 3), smoke=(2, 2))
    torch.set_num_threads(1)
    try:
        sets = {
            name: _drawn(num_judged, scenes.HELD_OUT_SEED, budget.side_px, is_held_out=flag) for name, flag in _SETS.items()
        }
        weights = load_file(weights_file("efficientnet_lite0"))
    except AssetMissingError as error:
        raise SkippedError(str(error)) from error
    found: dict[tuple[str, str], list[float]] = {}
    for seed in range(num_seeds):
        pictures_NHWC, targets_NM5 = _drawn(budget.num_pictures, seed, budget.side_px, is_held_out=False)
        for start in ("pretrained", "scratch"):
            detector = _detector(seed, weights if start == "pretrained" else None)
            _judge(found, sets, detector, f"{start}, untrained")
            _train(detector, pictures_NHWC, targets_NM5, seed, budget)
            _judge(found, sets, detector, start)
    return [_claim(name, found, budget) for name in sets]


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


def _drawn(number: int, seed: int, side_px: int, *, is_held_out: bool) -> tuple[np.ndarray, np.ndarray]:
    """Pictures as training sees them, and their boxes."""
    source, generator = scenes.material(ASSETS_DIR, is_held_out=is_held_out), np.random.default_rng(seed)
    width, height = PICTURE_PX
    pictures_NHWC = np.empty((number, side_px, side_px, 3), dtype=np.uint8)
    targets_NM5 = np.tile(np.array([0, 0, 0, 0, -1], dtype=np.float32), (number, _MOST_THINGS, 1))
    for row in range(number):
        drawn = scenes.scene(source, scenes.LEVELS[LEVEL], generator, width_px=width, height_px=height)
        pictures_NHWC[row] = cv2.resize(drawn.picture_HWC, (side_px, side_px), interpolation=cv2.INTER_AREA)
        for place, box in enumerate(drawn.boxes):
            corners = (box.x / width, box.y / height, (box.x + box.width) / width, (box.y + box.height) / height)
            targets_NM5[row, place] = (*corners, scenes.LABELS.index(box.label))
    return pictures_NHWC, targets_NM5


def _detector(seed: int, weights: dict[str, torch.Tensor] | None) -> Detector:
    torch.manual_seed(seed)
    network = build("lite0")
    if weights is not None:
        load_pretrained(network, weights)
    return network.detector(len(scenes.LABELS)).to(memory_format=torch.channels_last)


def _train(detector: Detector, pictures_NHWC: np.ndarray, targets_NM5: np.ndarray, seed: int, budget: Budget) -> None:
    optimizer = optim.build(detector, weight_decay=WEIGHT_DECAY)
    targets = torch.from_numpy(targets_NM5)
    rows = np.arange(len(pictures_NHWC))
    loader = BatchLoader(
        pictures_NHWC, rows, targets, batch_size=budget.batch, seed=seed, augment=Augmenter("light"), drop_last=True
    )
    total_steps, step = budget.epochs * len(loader), 0
    detector.train()
    while loader.epoch < budget.epochs:
        for pictures_BHWC, targets_BM5 in loader:
            optim.set_lr(optimizer, optim.lr_at(step, total_steps=total_steps, peak=PEAK_LR))
            with Precision.BF16.autocast(CPU):
                raw = detector(as_input(pictures_BHWC, CPU))
            detector.criterion(raw, targets_BM5).backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step += 1


def _judge(
    judged: dict[tuple[str, str], list[float]], sets: dict[str, tuple[np.ndarray, np.ndarray]], detector: Detector, start: str
) -> None:
    detector.eval()
    for name, (pictures_NHWC, targets_NM5) in sets.items():
        parts = []
        with torch.no_grad():
            for first in range(0, len(pictures_NHWC), 20):
                raw = detector(as_input(torch.from_numpy(pictures_NHWC[first : first + 20]), CPU))
                parts.append(answers(detector, raw, {}).numpy())
        values = metrics.metrics(np.concatenate(parts), targets_NM5, scenes.LABELS)
        judged.setdefault((name, start), []).append(values["ap50"])
        sys.stderr.write(f"{start}, {name}: AP50 {values['ap50']:.3f}, AP {values['ap']:.3f}\n")


if __name__ == "__main__":
    main(measure)
