"""An alteration: one way to make items worse, in several strengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.base import Text

Alter = Callable[[NDArray[Any], np.random.Generator], NDArray[Any]]
"""One item as the shipped graph takes it, without its batch axis, to the same altered: same shape, same type."""


@dataclass(frozen=True)
class Step:
    """One strength of an alteration."""

    strength: Text
    alter: Alter


@dataclass(frozen=True)
class Alteration:
    """See above."""

    name: str
    title: Text
    steps: Sequence[Step]
    """From mild to strong."""
    moves_parts: bool = False
    """Whether parts of the item change their place, so that what was drawn on it is no longer true."""
