"""From a detector's raw output to objects with their masks.

Shapes: B batch, A anchors or regions, L labels, D detections, P ``MASK_SIDE``.
The detectors bring their own losses (``criterion``). Masks are computed for the detections alone, not for all candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from engine.tasks.shared.suppression import NUM_COLUMNS, strongest_places

MASK_SIDE = 28
"""Cells of a mask's side, of every family."""
MAX_INSTANCES = 50
"""In a picture: masks of more would cost as much again as the rest of a small detector."""
NUM_INSTANCE_COLUMNS = NUM_COLUMNS + MASK_SIDE**2


def build(
    model: nn.Module, options: Mapping[str, str], *, smoothing: float, weights_L: Tensor | None
) -> Callable[[Any, Tensor], Tensor]:
    """The detector's own loss of its raw output against the augmenter's rows; it knows neither smoothing nor label weights."""
    criterion: Callable[[Any, Tensor], Tensor] = model.criterion  # type: ignore[assignment] # every detector has it
    return criterion


def answers(model: nn.Module, raw: Any, options: Mapping[str, str]) -> Tensor:
    """Rows ``_BD(6+PP)``, best first: x, y, width, height as fractions, score, label index, mask within the box row by row.

    Rows without an object have score 0, label -1, and nothing else.

    Args:
        model: a detector; its ``candidates(raw)`` gives boxes ``_BA4`` (left, top, right, bottom, fractions of the picture)
            and scores ``_BAL``, 0..1, its ``masks(raw, rows_BD6, places_BD)`` masks ``_BDPP``, 0..1, of rows that were the
            candidates at these places.
        raw: what its ``forward`` returned.
        options: of the task; it has none.
    """
    boxes_BA4, scores_BAL = model.candidates(raw)  # type: ignore[operator] # every detector has it
    rows_BD6, places_BD = strongest_places(boxes_BA4.float().clamp(0.0, 1.0), scores_BAL.float())
    rows_BD6, places_BD = rows_BD6[:, :MAX_INSTANCES], places_BD[:, :MAX_INSTANCES]
    masks_BDPP = model.masks(raw, rows_BD6, places_BD)  # type: ignore[operator] # as above
    return torch.cat([rows_BD6, masks_BDPP.float().flatten(2)], dim=-1)
