"""The interface of a kind of fields. Each is a module beside this one, with the class as ``KIND``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, Protocol, TypedDict, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..area import FieldArea


class Problem(TypedDict):
    """Something that a person should check."""

    code: str
    """Stable: ``missing``, ``number_invalid``, ``amount_invalid``, ``date_invalid``, ``choice_unknown``,
    ``characters_corrected``; of a table ``table_not_found``, ``table_cut`` and ``columns_differ``."""
    choices: NotRequired[list[str]]
    row: NotRequired[int]
    """Of a table: which row it is about, from 0; so is the column."""
    column: NotRequired[str]


class Cell(NamedTuple):
    """A cell of a table."""

    row: int
    column: str
    text: str
    confidence: float
    corners: NDArray[np.float64]
    """``_42``, in pixels of the template."""


class Reading(NamedTuple):
    """A value."""

    value: Any
    """For JSON; None where what was read is none."""
    problems: Sequence[Problem] = ()
    certainty: float = 1.0
    """How sure the way from the text to the value is, 0..1."""
    cells: Sequence[Cell] = ()
    """Of a table, in reading order."""


class Reader(Protocol):
    """Reads the values of one field."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Takes what the template says of the field.

        Raises:
            KeyError, TypeError, ValueError: it is not by the contract.
        """

    def read(self, rows: Sequence[str]) -> Reading:
        """Makes a value of what was read, row by row; there is at least one."""


@runtime_checkable
class AreaReader(Protocol):
    """Reads the values of a field for which it must see how the field is drawn, and not only what was read there."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        """As of ``Reader``."""

    def read_area(self, area: FieldArea) -> Reading:
        """Makes a value of what is drawn and read in the area."""
