"""The pruners, found by listing this folder; one file each exports ``build() -> optuna.pruners.BasePruner``.

A pruner reads the curves of the trials and nothing else, so that it decides alike in any process. Listing reads file names
only, so that the web process can name the pruners without importing Optuna.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, cast

from automl.contracts.listing import UnknownNameError

if TYPE_CHECKING:
    import optuna

NO_PRUNER = "none"
"""In place of a pruner's name: every trial ends by itself."""


def pruner_names() -> tuple[str, ...]:
    """The pruners there are, in alphabetical order."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py")))


def build_pruner(name: str) -> optuna.pruners.BasePruner:
    """Makes a pruner.

    Raises:
        UnknownNameError: there is none of that name.
    """
    if name not in pruner_names():
        raise UnknownNameError(__name__, name, pruner_names())
    module = importlib.import_module(f"{__name__}.{name}")
    return cast("optuna.pruners.BasePruner", module.build())
