"""How well each item was answered: the one number an item that parts of a split are compared by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.report import SliceMeasure


@dataclass(frozen=True)
class Outcomes:
    """Of the items of a split, in their order."""

    measure: SliceMeasure
    values_N: NDArray[np.float64]
    is_higher_better: bool = True
    is_share: bool = False
    """The values are zeros and ones."""


def right_or_wrong(is_right_N: NDArray[np.bool_]) -> Outcomes:
    """Of answers that are right or wrong."""
    return Outcomes("accuracy", is_right_N.astype(np.float64), is_share=True)
