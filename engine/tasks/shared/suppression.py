"""From candidates to detections: the best pairs of box and label, without those that a better one of the same label covers.

Shapes: B batch, A anchors or points, L labels, K candidates, D detections.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor

from engine.kernels.nms.op import nms

MAX_DETECTIONS = 100
"""In a picture, as COCO's evaluation allows."""
MAX_CANDIDATES = 1000
"""Looked at before suppression; detectors commonly keep a thousand."""
MIN_SCORE = 0.02
"""Candidates with a lower score are dropped."""
NUM_ALWAYS, MIN_ALWAYS = 10, 1e-4
"""So many of the best take part already from this score on: a weak detector is seen to be one, its graph can be compared."""
IOU_THRESHOLD = 0.6
"""Two boxes of one label that overlap by more are one object."""
NUM_COLUMNS = 6
"""x, y, width, height, score, label index."""


def strongest(boxes_BA4: Tensor, scores_BAL: Tensor) -> Tensor:
    """The detections among candidates, ``_BD6``.

    Args:
        boxes_BA4: left, top, right, bottom within 0..1.
        scores_BAL: 0..1.
    """
    return strongest_places(boxes_BA4, scores_BAL)[0]


def strongest_places(boxes_BA4: Tensor, scores_BAL: Tensor) -> tuple[Tensor, Tensor]:
    """The same, and which of the candidates each was, ``_BD``; any of them in rows without a detection."""
    num_labels = scores_BAL.shape[2]
    boxes_BA4, scores_BAL, known_BA = _promising(boxes_BA4, scores_BAL)
    num_anchors = scores_BAL.shape[1]
    scores_BK, pairs_BK = scores_BAL.flatten(1).topk(min(MAX_CANDIDATES, num_anchors * num_labels), dim=1)
    labels_BK, places_BK = pairs_BK % num_labels, pairs_BK // num_labels
    boxes_BK4 = _picked(boxes_BA4, places_BK)
    has_area_BK = ((boxes_BK4[..., 2:] - boxes_BK4[..., :2]) > 0).all(dim=-1)
    is_best_K = torch.arange(scores_BK.shape[1], device=scores_BK.device) < NUM_ALWAYS
    is_candidate_BK = (scores_BK > torch.where(is_best_K, MIN_ALWAYS, MIN_SCORE)) & has_area_BK
    scores_BK = torch.where(is_candidate_BK, scores_BK, torch.zeros_like(scores_BK))
    kept_BK = nms(boxes_BK4, scores_BK, labels_BK, num_labels, IOU_THRESHOLD)
    scores_BK = torch.where(kept_BK, scores_BK, torch.zeros_like(scores_BK))
    scores_BD, order_BD = scores_BK.topk(min(MAX_DETECTIONS, scores_BK.shape[1]), dim=1)
    boxes_BD4 = _picked(boxes_BK4, order_BD)
    corner_BD2, size_BD2 = boxes_BD4[..., :2], boxes_BD4[..., 2:] - boxes_BD4[..., :2]
    labels_BD = labels_BK.gather(1, order_BD).float()
    rows_BD6 = torch.cat([corner_BD2, size_BD2, scores_BD[..., None], labels_BD[..., None]], dim=-1)
    nothing_6 = torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, -1.0], dtype=rows_BD6.dtype, device=rows_BD6.device)
    rows_BD6 = torch.where(scores_BD[..., None] > 0, rows_BD6, nothing_6)
    places_BD = places_BK.gather(1, order_BD)
    if known_BA is not None:
        places_BD = known_BA.gather(1, places_BD)
    missing = MAX_DETECTIONS - rows_BD6.shape[1]
    if missing > 0:
        padded_BD5 = F.pad(rows_BD6[..., :5], (0, 0, 0, missing))
        rows_BD6 = torch.cat([padded_BD5, F.pad(rows_BD6[..., 5:], (0, 0, 0, missing), value=-1.0)], dim=-1)
        places_BD = F.pad(places_BD, (0, missing))
    return rows_BD6, places_BD


def _promising(boxes_BA4: Tensor, scores_BAL: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
    """The boxes whose best label is among the best; the best pairs are all theirs, and there are far fewer to sort.

    With them goes which of the candidates they are; None where they are all.
    """
    num_anchors, num_labels = scores_BAL.shape[1:]
    if num_anchors <= MAX_CANDIDATES or num_labels == 1:
        return boxes_BA4, scores_BAL, None
    places_BK = scores_BAL.amax(dim=2).topk(MAX_CANDIDATES, dim=1).indices
    picked_BKL = scores_BAL.gather(1, places_BK[..., None].expand(-1, -1, num_labels))
    return _picked(boxes_BA4, places_BK), picked_BKL, places_BK


def _picked(boxes_BA4: Tensor, places_BK: Tensor) -> Tensor:
    return boxes_BA4.gather(1, places_BK[..., None].expand(-1, -1, 4))
