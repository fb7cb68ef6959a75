"""An alteration: one way to make items worse, in several strengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from automl.contracts.base import Text

Alter = Callable[[Any, np.random.Generator], Any]
"""What a kind of items asks its models about, altered: a picture as the graph takes it, a text, a table. The original stays."""


@dataclass(frozen=True)
class Step:
    """One strength of an alteration."""

    strength: Text
    alter: Alter


@dataclass(frozen=True)
class Alteration:
    """One way to make items worse."""

    name: str
    title: Text
    steps: Sequence[Step]
    """From mild to strong."""
    moves_parts: bool = False
    """Whether parts of the item change their place, so that what was drawn on it is no longer true."""
