"""Facts of items, and what they were like among those that a model was judged on: ``reference.json`` of an artefact.

A fact is a number or a word about one item that costs next to nothing: how bright a picture is, how long a text, what stands in
a column of a row. Where it falls is said by the number of a bin. Bins of numbers lie between ``edges``, bins of words are the
``values``; behind them come one for other words and, last, one for items of which the fact is not known.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

REFERENCE_FILE = "reference.json"
KNOWN_SCHEMA = 1

FactKind = Literal["numeric", "category"]


class Fact(NamedTuple):
    """Something about one item."""

    name: str
    kind: FactKind
    value: float | str | None
    """Of its kind; None where it is not known."""


class FactBins:
    """The bins of one fact."""

    def __init__(self, kind: FactKind, *, edges: Sequence[float] = (), values: Sequence[str] = ()) -> None:
        self._edges = list(edges) if kind == "numeric" else None
        self._places = {value: place for place, value in enumerate(values)}
        self._missing = (len(edges) if kind == "numeric" else len(values)) + 1

    @property
    def number(self) -> int:
        """How many bins there are."""
        return self._missing + 1

    def bin_of(self, value: float | str | None) -> int:
        """The bin of a value. A number at an edge lies above it; what is not finite counts as not known."""
        if value is None:
            return self._missing
        if self._edges is None:
            return self._places.get(str(value), len(self._places))
        number = float(value)
        return bisect_right(self._edges, number) if math.isfinite(number) else self._missing


class Reference:
    """The facts of the items that a model was judged on."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        """Takes what ``reference.json`` holds.

        Raises:
            KeyError, TypeError, ValueError: it is not by the contract.
        """
        if fields["schema_version"] != KNOWN_SCHEMA:
            raise ValueError(f"reference schema {fields['schema_version']}, this runtime knows {KNOWN_SCHEMA}")
        self._bins = {
            str(each["name"]): FactBins(each["kind"], edges=each["edges"], values=each["values"]) for each in fields["facts"]
        }

    @classmethod
    def open(cls, artefact_dir: Path) -> Reference | None:
        """That of an artefact; None where it has none, as all had before there were any.

        Raises:
            OSError, KeyError, TypeError, ValueError: there is one that cannot be read.
        """
        path = artefact_dir / REFERENCE_FILE
        return cls(json.loads(path.read_bytes())) if path.exists() else None

    def bins(self, facts: Sequence[Fact]) -> list[int]:
        """Where an item's facts fall, in the reference's order; a fact that the item does not have is not known."""
        found = {fact.name: fact.value for fact in facts}
        return [bins.bin_of(found.get(name)) for name, bins in self._bins.items()]
