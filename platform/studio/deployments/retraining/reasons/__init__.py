"""What a model can be trained again for: a file for each reason, found by listing; ``kind.py`` has the interface."""

from __future__ import annotations

from functools import cache

from runtime.listing import kind_of, modules_in
from studio.deployments.retraining.reasons.kind import Reason

NAMES = modules_in(__path__)


@cache
def reasons() -> dict[str, Reason]:
    """By name, in the order in which pages show them."""
    found: list[Reason] = [kind_of(__name__, NAMES, name, of="reason") for name in NAMES]
    return {each.name: each for each in sorted(found, key=lambda each: each.place)}
