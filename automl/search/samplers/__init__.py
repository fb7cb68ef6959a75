"""The samplers, found by listing this folder; one file each exports ``build(seed) -> optuna.samplers.BaseSampler``.

Listing reads file names only, so that the web process can name the samplers without importing Optuna.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import optuna


DEFAULT_SAMPLER = "gaussian_then_tpe"
"""What searches where nobody chooses: see ``docs/decisions/0049``."""


class UnknownSamplerError(ValueError):
    """There is no sampler of that name."""

    code = "unknown_sampler"

    def __init__(self, *, name: str) -> None:
        self.name = name
        super().__init__(f"there is no sampler {name!r}; known: {', '.join(sampler_names())}")


@cache
def sampler_names() -> tuple[str, ...]:
    """The samplers there are, in alphabetical order."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py")))


def build_sampler(name: str, *, seed: int) -> optuna.samplers.BaseSampler:
    """Makes a sampler.

    Raises:
        UnknownSamplerError: no file of that name.
    """
    if name not in sampler_names():
        raise UnknownSamplerError(name=name)
    module = importlib.import_module(f"{__name__}.{name}")
    return cast("optuna.samplers.BaseSampler", module.build(seed))
