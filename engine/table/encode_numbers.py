"""Numbers as features.

Trees take them as they are. For the others they are centred by the median and scaled by the quartiles, and what lies far out is
drawn in smoothly, ``z / sqrt(1 + (z/3)^2)``, as in RealMLP (Holzmueller et al. 2024, https://arxiv.org/abs/2407.04491): nothing
is larger than 3, however long the tail. Columns with long tails pass a signed logarithm first.

Shapes: N rows, A columns, F features.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.table.encode_targets import Responses, Style
from engine.table.graph import GraphWriter

_FAR = 1e6
"""Scaled values are cut off here, so that their squares are finite."""
_REACH = 3.0
_LONG_TAIL = 5.0
"""Times the half width between quartiles that the 1st or 99th percentile lies from the median."""


@dataclass(frozen=True)
class PlainNumbers:
    """Numbers as they are; NaN stays."""

    names: tuple[str, ...]
    places: tuple[int, ...]

    def apply(self, array: NDArray[np.float32]) -> NDArray[np.float32]:
        """See ``encode.Block``."""
        return array

    def write(self, graph: GraphWriter, name: str) -> str:
        """See ``encode.Block``."""
        return name


@dataclass(frozen=True)
class ScaledNumbers:
    """Numbers of about unit size; missing is 0, and 1 in an indicator of its own where training rows missed some."""

    names: tuple[str, ...]
    places: tuple[int, ...]
    centre_A: NDArray[np.float32]
    scale_A: NDArray[np.float32]
    is_long_A: NDArray[np.bool_]
    log_scale_A: NDArray[np.float32]
    """Of the columns with long tails: what the logarithm is divided by."""
    indicators: NDArray[np.int64]
    """Columns with an indicator."""

    def apply(self, array: NDArray[np.float32]) -> NDArray[np.float32]:
        """See ``encode.Block``."""
        is_missing_NA = np.isnan(array)
        with np.errstate(over="ignore"):
            z_NA = (np.where(is_missing_NA, self.centre_A, array) - self.centre_A) / self.scale_A
        z_NA = np.clip(z_NA, np.float32(-_FAR), np.float32(_FAR))
        if self.is_long_A.any():
            logs_NA = np.sign(z_NA) * np.log(np.abs(z_NA) + np.float32(1)) / self.log_scale_A
            z_NA = np.where(self.is_long_A, logs_NA, z_NA)
        part_NA = z_NA / np.float32(_REACH)
        z_NA = z_NA / np.sqrt(part_NA * part_NA + np.float32(1))
        return np.concatenate([z_NA, is_missing_NA[:, self.indicators].astype(np.float32)], axis=1, dtype=np.float32)

    def write(self, graph: GraphWriter, name: str) -> str:
        """See ``encode.Block``."""
        is_missing = graph.add("IsNaN", [name])
        centre = graph.constant(self.centre_A)
        filled = graph.add("Where", [is_missing, centre, name])
        z = graph.add("Div", [graph.add("Sub", [filled, centre]), graph.constant(self.scale_A)])
        z = graph.add("Clip", [z, graph.floats(-_FAR), graph.floats(_FAR)])
        if self.is_long_A.any():
            logs = graph.add("Log", [graph.add("Add", [graph.add("Abs", [z]), graph.floats(1.0)])])
            logs = graph.add("Div", [graph.add("Mul", [graph.add("Sign", [z]), logs]), graph.constant(self.log_scale_A)])
            z = graph.add("Where", [graph.constant(self.is_long_A), logs, z])
        part = graph.add("Div", [z, graph.floats(_REACH)])
        below = graph.add("Sqrt", [graph.add("Add", [graph.add("Mul", [part, part]), graph.floats(1.0)])])
        z = graph.add("Div", [z, below])
        if not len(self.indicators):
            return z
        missed = graph.add("Gather", [is_missing, graph.constant(self.indicators)], axis=1)
        return graph.add("Concat", [z, graph.add("Cast", [missed], to=1)], axis=1)


def learn_numbers(
    x_NA: NDArray[np.float32], names: tuple[str, ...], responses: Responses, style: Style
) -> tuple[PlainNumbers | ScaledNumbers, NDArray[np.float32]]:
    """Learns what to do with numbers; nothing is learned from the targets."""
    if style == "trees":
        return PlainNumbers(names, tuple(range(len(names)))), x_NA
    block = scale_numbers(x_NA, names)
    return block, block.apply(x_NA)


def scale_numbers(x_NA: NDArray[np.float32], names: tuple[str, ...]) -> ScaledNumbers:
    """Learns centres and scales of columns, of which some cells may be NaN."""
    num_columns = x_NA.shape[1]
    centre_A, scale_A = np.zeros(num_columns, np.float32), np.ones(num_columns, np.float32)
    is_long_A, log_scale_A = np.zeros(num_columns, bool), np.ones(num_columns, np.float32)
    limit = np.finfo(np.float32).max
    for place in range(num_columns):
        known = x_NA[:, place].astype(np.float64)
        known = np.clip(known[~np.isnan(known)], -limit / 4, limit / 4)
        if not len(known):
            continue
        low, q25, q50, q75, high = np.quantile(known, (0.01, 0.25, 0.5, 0.75, 0.99))
        spread = (q75 - q25) / 2
        if spread <= 0.0:  # more than half are equal: what is left tells the scale
            spread = (known.max() - known.min()) / 2
        scale = max(spread / 0.6745, np.finfo(np.float32).tiny * 1e3) if spread > 0.0 else 1.0
        reach = max(high - q50, q50 - low) / scale
        centre_A[place], scale_A[place] = q50, scale
        if reach > _LONG_TAIL:
            is_long_A[place] = True
            log_scale_A[place] = np.log1p(reach) / 2.0
    indicators = np.flatnonzero(np.isnan(x_NA).any(axis=0) & ~np.isnan(x_NA).all(axis=0)).astype(np.int64)
    return ScaledNumbers(
        names=(*names, *(f"{names[place]} is missing" for place in indicators)),
        places=(*range(num_columns), *indicators.tolist()),
        centre_A=centre_A,
        scale_A=scale_A,
        is_long_A=is_long_A,
        log_scale_A=log_scale_A,
        indicators=indicators,
    )
