"""What rows that train detectors share: generated pictures whose objects are known, a bare training, and what is judged.

Two held-out sets, both of a fixed seed: new pictures of things that were trained on, and pictures of things never seen, on
photographs never seen. Shapes: N pictures, H height, W width, C colours, K numbers of a picture's truth.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
import torch
from safetensors.torch import load_file
from torch import nn

from benchmarks._digits import ASSETS_DIR, weights_file
from engine.data.cache import as_input
from engine.data.loader import BatchLoader
from engine.models import family_part, family_spec
from engine.tasks import task_part
from engine.tasks.instance_segmentation.truth import TrueObject, Truth, runs_of
from engine.tasks.shared.scenes import LABELS, LEVELS, Material, Scene, box_around, material, scene
from engine.training import optim
from engine.training.precision import Precision

CPU = torch.device("cpu")
PICTURE_PX = (341, 256)
WEIGHT_DECAY = 1e-2
SETS = {"new pictures": False, "new things": True}
"""Held-out sets, and whether their stamps and photographs are held out too."""
_MOST_THINGS = 12
_BATCH = 20


@dataclass(frozen=True)
class Budget:
    """How long is trained, on what."""

    num_pictures: int
    epochs: int
    side_px: int
    batch: int = 16


@dataclass(frozen=True)
class Drawn:
    """Pictures as training sees them, ``_NHWC``, and their truth as the task takes it."""

    pictures_NHWC: np.ndarray
    targets: np.ndarray


def drawn(task: str, number: int, seed: int, side_px: int, *, level: str, is_held_out: bool) -> Drawn:
    """Makes pictures.

    Args:
        task: ``object_detection`` or ``instance_segmentation``.
        number: of pictures.
        seed: of the generator.
        side_px: of the square that training sees.
        level: of difficulty.
        is_held_out: from which side stamps and photographs are.
    """
    source, generator = _material(is_held_out), np.random.default_rng(seed)
    width, height = PICTURE_PX
    made = [scene(source, LEVELS[level], generator, width_px=width, height_px=height) for _ in range(number)]
    shrunk = [cv2.resize(each.picture_HWC, (side_px, side_px), interpolation=cv2.INTER_AREA) for each in made]
    return Drawn(np.stack(shrunk).astype(np.uint8), _TARGETS[task](made))


@cache
def _material(is_held_out: bool) -> Material:
    """Opened once for all sets of a row."""
    return material(ASSETS_DIR, is_held_out=is_held_out)


def detector(family: str, size: str, seed: int, *, is_pretrained: bool = True) -> nn.Module:
    """A family's detector with a fresh head, its trunk with the size's pretrained weights or fresh ones.

    Raises:
        AssetMissingError: the weights are not in the store and cannot be had.
    """
    torch.manual_seed(seed)
    part = family_part(family, "network")
    network = part.build(size)
    asset = family_spec(family).size(size).asset
    if is_pretrained and asset is not None:
        part.load_pretrained(network, load_file(weights_file(asset)))
    made: nn.Module = network.detector(len(LABELS)).to(memory_format=torch.channels_last)
    return made


def train(task: str, model: nn.Module, data: Drawn, seed: int, budget: Budget, *, peak_lr: float) -> None:
    """Trains as the engine does by default: AdamW, warm-up and a cosine, light augmentation, bf16."""
    optimizer = optim.build(model, weight_decay=WEIGHT_DECAY)
    targets, rows = torch.from_numpy(data.targets), np.arange(len(data.pictures_NHWC))
    augment = task_part(task, "data").augmenter("light")
    loader = BatchLoader(data.pictures_NHWC, rows, targets, batch_size=budget.batch, seed=seed, augment=augment, drop_last=True)
    total_steps, step = budget.epochs * len(loader), 0
    model.train()
    while loader.epoch < budget.epochs:
        for pictures_BHWC, targets_B in loader:
            optim.set_lr(optimizer, optim.lr_at(step, total_steps=total_steps, peak=peak_lr))
            with Precision.BF16.autocast(CPU):
                raw = model(as_input(pictures_BHWC, CPU))
            model.criterion(raw, targets_B).backward()  # type: ignore[operator] # every detector has it
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step += 1


def judged(task: str, model: nn.Module, data: Drawn) -> dict[str, float]:
    """The task's metrics on pictures, and ``ms``, processor time of an answer."""
    model.eval()
    answers, parts = task_part(task, "loss").answers, []
    start = time.process_time()
    with torch.no_grad():
        for first in range(0, len(data.pictures_NHWC), _BATCH):
            raw: Any = model(as_input(torch.from_numpy(data.pictures_NHWC[first : first + _BATCH]), CPU))
            parts.append(answers(model, raw, {}).numpy())
    took_s = time.process_time() - start
    values: Mapping[str, float] = task_part(task, "metrics").metrics(np.concatenate(parts), data.targets, LABELS)
    return {**values, "ms": 1e3 * took_s / len(data.pictures_NHWC)}


def _boxes(made: list[Scene]) -> np.ndarray:
    width, height = PICTURE_PX
    targets_NM5 = np.tile(np.array([0, 0, 0, 0, -1], dtype=np.float32), (len(made), _MOST_THINGS, 1))
    for row, each in enumerate(made):
        for place, (label, mask_HW) in enumerate(each.things):
            left, top, right, bottom = box_around(mask_HW)
            corners = (left / width, top / height, right / width, bottom / height)
            targets_NM5[row, place] = (*corners, LABELS.index(label))
    return targets_NM5


def _runs(made: list[Scene]) -> np.ndarray:
    width, height = PICTURE_PX
    return runs_of([Truth(height, width, tuple(_object(*thing) for thing in each.things)) for each in made])


def _object(label: str, mask_HW: np.ndarray) -> TrueObject:
    left, top, right, bottom = box_around(mask_HW)
    return TrueObject(LABELS.index(label), left, top, mask_HW[top:bottom, left:right].copy())


_TARGETS: Mapping[str, Callable[[list[Scene]], np.ndarray]] = {"object_detection": _boxes, "instance_segmentation": _runs}
