"""Chooses which normal places are remembered: a coreset that covers all of them. Shapes: M places, K chosen, D features."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from automl.contracts.family import ParamValue
from engine.models.patch_memory.network import MemoryDetector

NUM_PROJECTED = 64
"""Features of a random projection in which places are compared while they are chosen (Johnson and Lindenstrauss 1984)."""


def learn(
    detector: MemoryDetector, features_MD: Tensor, params: Mapping[str, ParamValue], *, on_step: Callable[[int, float], None]
) -> None:
    """Fills the detector's memory.

    Args:
        detector: gets mean, spread, whitening and memory.
        features_MD: of places of normal pictures, as the network gives them.
        params: ``memory_size``.
        on_step: called with how many places are chosen and how far the farthest of all is from them; it may raise to end it.
    """
    white_MD = detector.whiten(detector.standardise(features_MD))
    detector.remember(white_MD[coreset(white_MD, int(params["memory_size"]), on_step=on_step)])


def coreset(features_MD: Tensor, num_chosen: int, *, on_step: Callable[[int, float], None]) -> Tensor:
    """Places ``_K`` such that none is far from all that are chosen: greedy k-centre (Sener and Savarese 2018).

    The place that is farthest from those chosen before is chosen next. Draws come from torch's generator.
    """
    num_features = features_MD.shape[1]
    projected_MD = features_MD
    if num_features > NUM_PROJECTED:
        projected_MD = features_MD @ (torch.randn(num_features, NUM_PROJECTED) / NUM_PROJECTED**0.5)
    squares_M = projected_MD.square().sum(dim=1)
    place = int(torch.randint(len(features_MD), ()))
    chosen, nearest_M = [place], torch.full((len(features_MD),), torch.inf)
    for number in range(1, min(num_chosen, len(features_MD))):
        apart_M = squares_M - 2.0 * (projected_MD @ projected_MD[place]) + squares_M[place]
        nearest_M = torch.minimum(nearest_M, apart_M)
        nearest_M[place] = -torch.inf  # rounding may leave it a distance to itself
        place = int(nearest_M.argmax())
        on_step(number, float(nearest_M[place].clamp(min=0.0).sqrt()))
        chosen.append(place)
    return torch.tensor(chosen)
