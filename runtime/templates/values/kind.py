"""The interface of a kind of fields. Each is a module beside this one, with the class as ``KIND``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NotRequired, Protocol, TypedDict


class Problem(TypedDict):
    """Something that a person should check."""

    code: str
    """Stable: ``missing``, ``number_invalid``, ``amount_invalid``, ``date_invalid``, ``choice_unknown``,
    ``characters_corrected``."""
    choices: NotRequired[list[str]]


class Reading(NamedTuple):
    """A value."""

    value: Any
    """For JSON; None where what was read is none."""
    problems: Sequence[Problem] = ()
    certainty: float = 1.0
    """How sure the way from the text to the value is, 0..1."""


class Reader(Protocol):
    """Reads the values of one field."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Takes what the template says of the field.

        Raises:
            KeyError, TypeError, ValueError: it is not by the contract.
        """

    def read(self, rows: Sequence[str]) -> Reading:
        """Makes a value of what was read, row by row; there is at least one."""
