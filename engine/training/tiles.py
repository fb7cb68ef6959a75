"""Batches of a model that sees parts of pictures: random ones to learn from, a grid of them to judge epochs by.

An epoch shows as many parts of each picture as cover it, up to a limit, so that its length follows what there is to see.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from automl.contracts.dataset import Split
from automl.planning.tiles import num_drawn
from engine.data.loader import BatchLoader
from engine.data.tiles import TiledPictures
from engine.job import Job
from engine.tasks import task_part
from engine.training.config import GradientConfig
from engine.training.prepare import PreparedTrial


def training_batches(prepared: PreparedTrial, config: GradientConfig, job: Job, device: torch.device) -> BatchLoader:
    """Random parts of the training pictures, varied as the parameters say."""
    parts, window_px = _part(prepared), _items(prepared).tiling.window_px
    truth = _truth(prepared, Split.TRAIN)
    sizes = [truth.picture(place).shape[:2] for place in range(len(prepared.records[Split.TRAIN]))]
    counts = [num_drawn(height, width, window_px) for height, width in sizes]
    places = np.repeat(np.arange(len(counts)), counts)
    return BatchLoader(
        np.arange(len(counts))[:, None],
        places,
        torch.from_numpy(places),
        batch_size=config.batch_size,
        seed=job.spec.seed,
        augment=parts.RandomTiles(truth, config.augment, is_mirrored=config.mirror != "no"),
        drop_last=len(places) >= config.batch_size,
        device=device,
    )


def validation_batches(prepared: PreparedTrial, batch_size: int, job: Job, device: torch.device) -> BatchLoader:
    """A grid of parts of the pictures of validation, in order."""
    grid = _part(prepared).GridTiles(_truth(prepared, Split.VALIDATION))
    numbers = np.arange(len(grid.targets_MK))
    return BatchLoader(
        numbers[:, None],
        numbers,
        torch.from_numpy(grid.targets_MK),
        batch_size=batch_size,
        seed=job.spec.seed,
        augment=grid,
        is_shuffled=False,
        device=device,
    )


def measure(prepared: PreparedTrial) -> Callable[[Tensor], dict[str, float]]:
    """The task's metrics of answers to the parts of ``validation_batches``."""
    grid = _part(prepared).GridTiles(_truth(prepared, Split.VALIDATION))
    return partial(_measured, prepared, grid.targets_MK)


def _measured(prepared: PreparedTrial, targets_MK: np.ndarray, answers: Tensor) -> dict[str, float]:
    found: dict[str, float] = task_part(prepared.task.name, "metrics").metrics(answers.numpy(), targets_MK, prepared.labels)
    return found


def _truth(prepared: PreparedTrial, split: Split) -> Any:
    rows, items = prepared.rows(split), _items(prepared)
    return _part(prepared).TiledTruth(
        picture=lambda place: items.picture(int(rows[place])),
        targets_NK=prepared.targets[split],
        num_labels=len(prepared.labels),
        window_px=items.tiling.window_px,
    )


def _items(prepared: PreparedTrial) -> TiledPictures:
    assert isinstance(prepared.items, TiledPictures)
    return prepared.items


def _part(prepared: PreparedTrial) -> Any:
    return task_part(prepared.task.name, "tiles")
