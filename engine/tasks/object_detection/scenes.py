"""Pictures with true boxes, made by the generator of scenes: boxes are those of the pixels that are seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from automl.contracts.annotation import Box
from automl.contracts.dataset import Split, VersionManifest
from engine.tasks.object_detection.example import GeneratedPicture, write_version
from engine.tasks.shared import scenes
from engine.tasks.shared.scenes import LABELS, LEVELS, Level, Material, box_around, material

HELD_OUT_SEED = 20_260_101
"""Of every held-out set: figures of different days can be compared."""


def scene(source: Material, level: Level, generator: np.random.Generator, *, width_px: int, height_px: int) -> GeneratedPicture:
    """Makes one picture."""
    generated = scenes.scene(source, level, generator, width_px=width_px, height_px=height_px)
    boxes = [
        Box(label=label, x=left, y=top, width=right - left, height=bottom - top)
        for label, mask_HW in generated.things
        for left, top, right, bottom in [box_around(mask_HW)]
    ]
    return GeneratedPicture(picture_HWC=generated.picture_HWC, boxes=tuple(boxes))


def write(
    folder: Path,
    assets_dir: Path,
    *,
    level: str = "easy",
    num_train: int = 400,
    num_validation: int = 60,
    num_test: int = 120,
    side_px: int = 256,
    seed: int = 0,
) -> VersionManifest:
    """Writes a dataset version: training and validation from one side, the test from the held-out one with its fixed seed."""
    own, held_out = (material(assets_dir, is_held_out=is_held_out) for is_held_out in (False, True))
    counts = ((Split.TRAIN, own, num_train, seed), (Split.VALIDATION, own, num_validation, seed + 1))
    drawn = []
    for split, source, number, own_seed in (*counts, (Split.TEST, held_out, num_test, HELD_OUT_SEED)):
        generator = np.random.default_rng(own_seed)
        drawn += [
            (split, scene(source, LEVELS[level], generator, width_px=side_px * 4 // 3, height_px=side_px))
            for _ in range(number)
        ]
    return write_version(folder, drawn, LABELS, file_format="JPEG")
