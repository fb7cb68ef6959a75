"""The last layer on features that stay as they are: where training begins. Shapes: N items, B batch, F features, D numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from numpy.typing import NDArray
from torch import Tensor, nn

NUM_STEPS = 300
_ITEMS_PER_LABEL, _MOST_LABELS = 4, 32
_LR, _WEIGHT_DECAY = 1e-3, 1e-3
_LEAST_SPREAD = 1e-6


def begin(head: nn.Linear, features_NF: Tensor) -> None:
    """Sets the layer to the principal components of features of length one, so that similarities begin as those of features.

    Args:
        head: its outputs beyond the number of components become zero.
        features_NF: of the items to learn from.
    """
    lengths = features_NF.norm(dim=1).mean().clamp(min=_LEAST_SPREAD)
    mean_F = F.normalize(features_NF, dim=1).mean(dim=0)
    _, _, components_KF = torch.linalg.svd(F.normalize(features_NF, dim=1) - mean_F, full_matrices=False)
    kept_KF = components_KF[: head.out_features]
    with torch.no_grad():
        head.weight.zero_()
        head.weight[: len(kept_KF)] = kept_KF / lengths
        head.bias.zero_()
        head.bias[: len(kept_KF)] = -kept_KF @ mean_F


def learn(
    head: nn.Linear,
    criterion: nn.Module,
    features_NF: Tensor,
    targets_N: Tensor,
    *,
    seed: int,
    on_step: Callable[[int, float], None],
) -> None:
    """Trains the layer and the loss's own weights by Adam on batches with several items of each label.

    Args:
        head: as ``begin`` left it.
        criterion: of ``losses``.
        features_NF: as they come from the backbone.
        targets_N: places of labels.
        seed: of the batches.
        on_step: called with the number of each step, from 1, and its loss; it may raise to end it.
    """
    generator = np.random.default_rng(seed)
    targets = targets_N.numpy()
    places = [np.flatnonzero(targets == label) for label in np.unique(targets)]
    parameters = [*head.parameters(), *criterion.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=_LR, weight_decay=_WEIGHT_DECAY)
    for step in range(1, NUM_STEPS + 1):
        rows_B = torch.from_numpy(_batch(places, generator))
        loss = criterion(F.normalize(head(features_NF[rows_B]), dim=1), targets_N[rows_B])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        on_step(step, float(loss.detach()))


def _batch(places: list[NDArray[np.int64]], generator: np.random.Generator) -> NDArray[np.int64]:
    labels = generator.choice(len(places), min(_MOST_LABELS, len(places)), replace=False)
    return np.concatenate(
        [generator.choice(places[label], _ITEMS_PER_LABEL, replace=len(places[label]) < _ITEMS_PER_LABEL) for label in labels]
    )
