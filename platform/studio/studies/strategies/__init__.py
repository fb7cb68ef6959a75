"""The strategies of studies, found by listing this folder and that of the samplers."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from automl.search.samplers import sampler_names
from studio.studies.errors import StudyStrategyUnknownError
from studio.studies.strategies._sampler import SamplerStrategy
from studio.studies.strategy import Strategy

USUAL_STRATEGY = "portfolio"
"""Where none is named."""


def strategy_names() -> tuple[str, ...]:
    """All strategies: those with a file here, and every sampler by its name."""
    return (*_own_names(), *sampler_names())


def strategy_of(name: str) -> Strategy:
    """Looks a strategy up.

    Raises:
        StudyStrategyUnknownError: there is none of that name.
    """
    if name in _own_names():
        return cast("Strategy", import_module(f"{__name__}.{name}").STRATEGY)
    if name in sampler_names():
        return SamplerStrategy(name)
    raise StudyStrategyUnknownError(strategy=name, known=strategy_names())


@cache
def _own_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py")))
