"""Settings of limits from the environment: quotas of a workspace, and how often a caller may ask for what costs much."""

from __future__ import annotations

from collections.abc import Callable

Number = Callable[[str, str], int]
"""Reads a variable as a whole number from 0, by its name and default."""

_QUOTAS = {
    "storage_bytes": ("MODELYARD_QUOTA_STORAGE_GB", 2**30),
    "items": ("MODELYARD_QUOTA_ITEMS", 1),
    "jobs": ("MODELYARD_QUOTA_JOBS", 1),
    "predictions_per_minute": ("MODELYARD_QUOTA_PREDICTIONS_PER_MINUTE", 1),
    "predictions_per_day": ("MODELYARD_QUOTA_PREDICTIONS_PER_DAY", 1),
}
"""Quota -> variable and how many units one of it is."""
_RATES = {
    "uploads": ("MODELYARD_RATE_UPLOADS", 600),
    "searches": ("MODELYARD_RATE_SEARCHES", 240),
    "plans": ("MODELYARD_RATE_PLANS", 240),
    "sources": ("MODELYARD_RATE_SOURCES", 60),
    "descriptions": ("MODELYARD_RATE_DESCRIPTIONS", 120),
    "joins": ("MODELYARD_RATE_JOINS", 20),
    "devices": ("MODELYARD_RATE_DEVICES", 1200),
}
"""Rate -> variable and how many a minute where it is not set."""


def quotas(number: Number) -> dict[str, int]:
    """Quota -> limit; 0: there is none."""
    return {quota: number(name, "0") * unit for quota, (name, unit) in _QUOTAS.items()}


def rates(number: Number) -> dict[str, int]:
    """Rate -> requests of one caller a minute; 0: as many as there are."""
    return {rate: number(name, str(default)) for rate, (name, default) in _RATES.items()}
