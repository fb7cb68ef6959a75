"""What the data of a model was like: ``reference.json`` of an artefact.

``runtime/facts.py`` reads it beside the model and says of an item in which bin each of its facts falls.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from automl.contracts.base import Contract
from automl.contracts.dataset import Split

REFERENCE_FILE = "reference.json"


class FactReference(Contract):
    """One fact of the items."""

    name: str
    """A word of the kind of items, or ``<word>:<column>``."""
    kind: Literal["numeric", "category"]
    edges: tuple[float, ...] = ()
    """Of numbers, rising; a number at an edge lies above it."""
    values: tuple[str, ...] = ()
    """Of categories, the commonest first."""
    counts: tuple[int, ...]
    """Items in each bin: those between the edges, or the values and one for all others; last, those that lack the fact."""
    median: float | None = None
    """Of numbers; None where no item has one."""

    @model_validator(mode="after")
    def _check(self) -> FactReference:
        if len(self.counts) != max(len(self.edges), len(self.values)) + 2:
            raise ValueError(f"{self.name}: {len(self.counts)} counts do not fit the bins")
        if list(self.edges) != sorted(set(self.edges)):
            raise ValueError(f"{self.name}: the edges do not rise")
        return self


class InputReference(Contract):
    """``reference.json``."""

    schema_version: int = 1
    splits: tuple[Split, ...] = Field(min_length=1)
    """Whose items these are: those that judged the model, and of small versions the others too."""
    num_items: int = Field(ge=0)
    """That were counted: those of the splits, or of some drawn evenly, that did not choose the bins."""
    facts: tuple[FactReference, ...]

    @model_validator(mode="before")
    @classmethod
    def _read_one_split(cls, values: object) -> object:
        """The first files name one split; runtimes read neither."""
        if isinstance(values, dict) and "split" in values:
            return {**{name: value for name, value in values.items() if name != "split"}, "splits": (values["split"],)}
        return values
