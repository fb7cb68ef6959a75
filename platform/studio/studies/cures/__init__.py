"""How failed studies are tried again: a file for each cure, found by listing; ``kind.py`` has the interface."""

from __future__ import annotations

from functools import cache

from runtime.listing import kind_of, modules_in
from studio.studies.cures.kind import Cure

NAMES = modules_in(__path__)


@cache
def cures() -> dict[str, Cure]:
    """By name, the most promising first."""
    found: list[Cure] = [kind_of(__name__, NAMES, name, of="cure") for name in NAMES]
    return {each.name: each for each in sorted(found, key=lambda each: each.place)}
