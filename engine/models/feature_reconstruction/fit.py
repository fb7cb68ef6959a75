"""Finds the subspace of normal places by principal components. Shapes: M places, D features, K directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from automl.contracts.family import ParamValue
from engine.models.feature_reconstruction.network import SubspaceDetector


def learn(
    detector: SubspaceDetector, features_MD: Tensor, params: Mapping[str, ParamValue], *, on_step: Callable[[int, float], None]
) -> None:
    """Gives the detector its subspace.

    Args:
        detector: gets mean, spread and directions.
        features_MD: of places of normal pictures, as the network gives them.
        params: ``kept_variance``.
        on_step: called for 1, 2, ... directions with what they leave, as a root mean square; it may raise to end it.
    """
    standard_MD = detector.standardise(features_MD).double()
    values_D, vectors_DD = torch.linalg.eigh(standard_MD.T @ standard_MD / len(standard_MD))
    values_D, vectors_DD = values_D.flip(0).clamp(min=0.0), vectors_DD.flip(1)
    kept_D = values_D.cumsum(0) / values_D.sum()
    num_directions = int((kept_D < float(params["kept_variance"])).sum()) + 1
    num_directions = min(num_directions, len(values_D) - 1)
    for number in range(1, num_directions + 1):
        on_step(number, float(values_D[number:].sum().sqrt()))
    detector.span(vectors_DD[:, :num_directions].float())
