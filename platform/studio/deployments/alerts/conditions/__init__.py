"""What a deployment can be watched for: a file for each condition, found by listing; ``kind.py`` has the interface."""

from __future__ import annotations

from functools import cache

from runtime.listing import kind_of, modules_in
from studio.deployments.alerts.conditions.kind import Condition

NAMES = modules_in(__path__)


@cache
def conditions() -> dict[str, Condition]:
    """By name, in the order in which pages show them."""
    found: list[Condition] = [kind_of(__name__, NAMES, name, of="condition") for name in NAMES]
    return {each.name: each for each in sorted(found, key=lambda each: each.place)}
