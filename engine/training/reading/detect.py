"""Trains the network that finds lines, by differentiable binarisation (Liao et al. 2020, https://arxiv.org/abs/1911.08947).

A second head, which is not shipped, learns the border of each line; the binary map is where that of the first one is above it.
Shapes: H height, W width.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import shapely
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor, nn

from automl.contracts.dataset import ItemRecord, Split
from engine.job import Halt, Job
from engine.tasks.shared.text_lines import lines_of
from engine.training import optim
from engine.training.config import GradientConfig
from engine.training.reading.data import PreparedReading, picture_of
from engine.training.reading.recognise import finite
from runtime.pipelines.text_lines import STRIDE_PX

SHRINK = 0.4
"""Of the paper: the core of a line is its polygon less (1 - r^2) of its area by its circumference."""
_STEEP = 50.0
_LOW, _HIGH = 0.3, 0.7
"""Of the border's map."""
_NEGATIVES = 3
"""Pixels beside lines, for each in a core: the hardest."""
_BORDER_WEIGHT = 10.0
_PICTURES_PER_STEP = 4
_SCALES = (0.8, 1.25)


def learn(
    detector: nn.Module,
    prepared: PreparedReading,
    *,
    config: GradientConfig,
    job: Job,
    span: tuple[float, float],
) -> Halt | None:
    """Trains for all epochs, or until the job is asked to halt; the last weights stay.

    The detector has ``features`` and the head on them. Returns why it ended before its end; raises as ``finite``.
    """
    generator, records = np.random.default_rng(job.spec.seed), prepared.records[Split.TRAIN]
    borders = detector.border_head()  # type: ignore[operator] # every detector of lines has it
    both = nn.ModuleList([detector, borders])
    optimizer = optim.build(both, weight_decay=config.weight_decay)
    total = config.epochs * -(-len(records) // _PICTURES_PER_STEP)
    step = 0
    for _ in range(config.epochs):
        both.train()
        order = generator.permutation(len(records))
        for start in range(0, len(order), _PICTURES_PER_STEP):
            optim.set_lr(optimizer, optim.lr_at(step, total_steps=total, peak=config.lr))
            loss = _step(prepared, [records[place] for place in order[start : start + _PICTURES_PER_STEP]], both, generator)
            finite([loss], step)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step += 1
            job.progress("train", span[0] + (span[1] - span[0]) * step / total)
            halt = job.control.halt()
            if halt is not None:
                detector.eval()
                return halt
    detector.eval()
    return None


def _step(
    prepared: PreparedReading, records: Sequence[ItemRecord], both: nn.ModuleList, generator: np.random.Generator
) -> Tensor:
    """The gradient and the mean loss of some pictures, one by one: they differ in size."""
    device = next(both.parameters()).device
    total = torch.zeros((), device=device)
    for record in records:
        picture_1CHW, maps_3HW = _seen(prepared, record, generator)
        loss = _loss(both[0], both[1], picture_1CHW.to(device), torch.from_numpy(maps_3HW).to(device)) / len(records)
        loss.backward()
        total += loss.detach()
    return total


def _seen(prepared: PreparedReading, record: ItemRecord, generator: np.random.Generator) -> tuple[Tensor, NDArray[np.float32]]:
    """A picture ``_1CHW`` at about the size at which it will be looked at, and the maps of its lines."""
    decoded = picture_of(prepared.version, record)
    height, width = decoded.pixels_HWC.shape[:2]
    most = int(prepared.params["side_px"]) * generator.uniform(*_SCALES)
    scale = min(1.0, most / max(height, width))
    across, down = (max(STRIDE_PX, round(side * scale / STRIDE_PX) * STRIDE_PX) for side in (width, height))
    pixels = np.asarray(Image.fromarray(decoded.pixels_HWC).resize((across, down), Image.Resampling.BILINEAR), dtype=np.float32)
    pixels = np.clip(pixels * generator.uniform(0.8, 1.2) + generator.uniform(-15, 15), 0, 255)
    quads = [line.corners * (across / decoded.width_px, down / decoded.height_px) for line in lines_of(record.annotations)]
    return torch.from_numpy(pixels).permute(2, 0, 1)[None], maps_of(quads, width=across, height=down)


def maps_of(quads: Sequence[NDArray[np.float64]], *, width: int, height: int) -> NDArray[np.float32]:
    """Maps ``_3HW``: the cores of lines, how near their borders are (0.3 to 0.7), and where that is known."""
    core, border, known = (np.zeros((height, width), dtype=np.float32) for _ in range(3))
    for corners in quads:
        shape = shapely.Polygon(corners).convex_hull
        if shape.area < 1.0:
            continue
        distance = max(1.0, shape.area * (1 - SHRINK**2) / shape.length)
        smaller = shape.buffer(-distance, join_style="mitre")
        if not smaller.is_empty and isinstance(smaller, shapely.Polygon):
            _filled(core, smaller, 1.0)
        outline = np.ones((height, width), dtype=np.uint8)
        cv2.polylines(outline, [_points(shape)], isClosed=True, color=0)
        near = 1.0 - np.clip(cv2.distanceTransform(outline, cv2.DIST_L2, 3) / distance, 0.0, 1.0)
        around = np.zeros((height, width), dtype=np.float32)
        _filled(around, shape.buffer(distance, join_style="mitre"), 1.0)
        border, known = np.maximum(border, near * around), np.maximum(known, around)
    return np.stack([core, border * (_HIGH - _LOW) + _LOW, known])


def _filled(canvas: NDArray[np.float32], shape: shapely.Polygon, value: float) -> None:
    cv2.fillPoly(canvas, [_points(shape)], value)


def _points(shape: shapely.Polygon) -> NDArray[np.int32]:
    return np.round(np.array(shape.exterior.coords)[:-1]).astype(np.int32)


def _loss(detector: nn.Module, borders: nn.Module, picture_1CHW: Tensor, maps_3HW: Tensor) -> Tensor:
    """Of the paper: cross-entropy of cores with the hardest others, overlap of the binary map, distance of the borders."""
    core, border, known = maps_3HW
    features = detector.features(picture_1CHW)  # type: ignore[operator] # as above
    logits, edge = detector.head(features)[0], torch.sigmoid(borders(features)[0])  # type: ignore[operator]
    each = F.binary_cross_entropy_with_logits(logits, core, reduction="none")
    is_core = core > 0.5
    num_core = int(is_core.sum())
    hardest = each[~is_core].topk(min(int((~is_core).sum()), max(_NEGATIVES * num_core, 500))).values
    entropy = (each[is_core].sum() + hardest.sum()) / max(1, num_core + len(hardest))
    binary = torch.sigmoid(_STEEP * (torch.sigmoid(logits) - edge))
    overlap = 1.0 - 2.0 * (binary * core * known).sum() / ((binary * known).sum() + (core * known).sum() + 1e-6)
    off = ((edge - border).abs() * known).sum() / known.sum().clamp(min=1.0)
    return entropy + (overlap if num_core else 0.0) + _BORDER_WEIGHT * off
