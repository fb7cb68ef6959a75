"""Which of a deployment's models a call is for."""

from __future__ import annotations

import hashlib

from .state import Deployment

PLACES = 10_000
"""A hundred for each percent."""


def model_for(deployment: Deployment, sticky_id: str | None, number: int) -> Deployment:
    """The model that a call is for, or one that stands in where that is not loaded.

    The variants hold the first places, so that a caller's model stays the same while the share of a single variant grows.

    Args:
        deployment: what was called.
        sticky_id: by which the caller asks for the same model each time; None takes the call's number.
        number: of the call.
    """
    if not deployment.variants:
        return deployment
    place = number % PLACES if sticky_id is None else _place(deployment.settings.id, sticky_id)
    chosen = deployment
    for variant in deployment.variants:
        place -= variant.settings.share * (PLACES // 100)
        if place < 0:
            chosen = variant
            break
    return chosen if chosen.predictor is not None else stand_in(deployment, chosen) or deployment


def stand_in(deployment: Deployment, model: Deployment) -> Deployment | None:
    """Another loaded model of the deployment; None where there is none."""
    return next((each for each in deployment.models if each is not model and each.predictor is not None), None)


def _place(deployment: str, sticky_id: str) -> int:
    digest = hashlib.sha256(f"{deployment}:{sticky_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % PLACES
