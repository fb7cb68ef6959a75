"""How a model answers items that are made worse on purpose: ``robustness.json`` of a job ``robustness``."""

from __future__ import annotations

from pydantic import Field

from automl.contracts.base import Contract, Text
from automl.contracts.dataset import Split
from automl.contracts.report import SliceMeasure

ROBUSTNESS_FILE = "robustness.json"


class AlteredScore(Contract):
    """The same items after one alteration of one strength."""

    strength: Text
    """As people read it, e.g. turned by 10 degrees."""
    measured: float
    interval: tuple[float, float]
    """95%, of ``measured``; the other interval is of 95% too."""
    worse_by: float
    """Mean difference from the unaltered items, item by item; above 0 where the model does worse, whichever way the measure
    goes."""
    worse_by_interval: tuple[float, float]
    is_worse: bool
    """Whether the interval of the difference lies above 0."""
    example: str | None = None
    """One altered item as the model sees it: a data address of a small JPEG; None of items that are no pictures."""
    example_text: str | None = None
    """The same of items that are no pictures: the beginning of an altered text, or what was changed in a row."""


class AlterationReport(Contract):
    """One way to make items worse, from mild to strong."""

    name: str
    """Stable, e.g. ``blur``."""
    title: Text
    steps: tuple[AlteredScore, ...] = Field(min_length=1)


class RobustnessReport(Contract):
    """``robustness.json``."""

    schema_version: int = 1
    split: Split
    measure: SliceMeasure
    is_higher_better: bool
    num_items: int
    """That were asked about, drawn evenly from the split."""
    num_in_split: int
    value: float
    """Of the measure, over the unaltered items."""
    interval: tuple[float, float]
    """95%, of ``value``."""
    example: str | None = None
    """The unaltered item of which the alterations show examples."""
    example_text: str | None = None
    """The same of texts."""
    alterations: tuple[AlterationReport, ...]
    """The one that costs most at its strongest comes first."""
