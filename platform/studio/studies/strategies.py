"""The ways in which a study chooses its trials."""

from __future__ import annotations

from automl.search.samplers import sampler_names

PORTFOLIO = "portfolio"
SINGLE = "single"
DISTILL = "distill"
"""Small models that a large one teaches: each once."""
GIVEN = frozenset({SINGLE, DISTILL})
"""Strategies whose trials are all known beforehand."""
SAMPLER_AFTER_PORTFOLIO = "tpe"


def strategy_names() -> tuple[str, ...]:
    """All strategies: proven first trials, one configuration, students of a teacher, and every sampler by its name."""
    return (PORTFOLIO, SINGLE, DISTILL, *sampler_names())


def sampler_of(strategy: str) -> str:
    """The sampler that a strategy asks when nothing is planned."""
    return SAMPLER_AFTER_PORTFOLIO if strategy == PORTFOLIO else strategy
