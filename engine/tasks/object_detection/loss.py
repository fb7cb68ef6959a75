"""From a detector's raw output to detections. Shapes: B batch, A anchors or points, L labels, D detections.

The detectors bring their own losses (``criterion``); what they share is how candidates become answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor, nn

from engine.tasks.shared.suppression import strongest


def build(
    model: nn.Module, options: Mapping[str, str], *, smoothing: float, weights_L: Tensor | None
) -> Callable[[Any, Tensor], Tensor]:
    """The detector's own loss of its raw output against targets ``_BM5``; it knows neither smoothing nor weights of labels."""
    criterion: Callable[[Any, Tensor], Tensor] = model.criterion  # type: ignore[assignment] # every detector has it
    return criterion


def answers(model: nn.Module, raw: Any, options: Mapping[str, str]) -> Tensor:
    """Detections ``_BD6`` of what the model returned: best first; rows without one have score 0, label -1 and no size.

    Args:
        model: a detector; its ``candidates(raw)`` gives boxes ``_BA4`` (left, top, right, bottom, fractions of the picture)
            and scores ``_BAL``, 0..1.
        raw: what its ``forward`` returned.
        options: of the task; it has none.
    """
    boxes_BA4, scores_BAL = model.candidates(raw)  # type: ignore[operator] # every detector has it
    return strongest(boxes_BA4.float().clamp(0.0, 1.0), scores_BAL.float())
