"""How often the truth lies among what a model holds possible: split-conformal prediction.

Limits are set on items held back, so that of new items like them at most the requested error rate lie outside, on
average, whatever the model (Vovk, Gammerman and Shafer 2005; Angelopoulos and Bates 2021). Items of which more or fewer than
one label is possible are those that a person should look at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from automl.contracts.base import Contract
from automl.contracts.dataset import Split

ERROR_RATES = (0.01, 0.02, 0.05, 0.1, 0.2)
"""For which limits are set."""
ErrorRate = Annotated[float, Field(gt=0.0, lt=1.0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
CoverageScope = Literal["all", "label"]
"""Whether the error rate holds over all items, or over the items of each label."""


class CoveredLabel(Contract):
    """The items that carry one label."""

    label: str
    num_calibrated: int = Field(ge=0)
    """Items of it among those that the limits were set on."""
    num_items: int = Field(ge=0)
    """Of the judged split, as are the next two."""
    num_covered: int = Field(ge=0)
    """The label was among those held possible."""
    num_asked: int = Field(ge=0)
    interval: tuple[Share, Share] | None
    """95%, of the share that is covered; None where there are no items."""


class CoverageMeasure(Contract):
    """What limits give on items that neither the model nor the limits have learned from."""

    split: Split
    num_items: int = Field(gt=0)
    num_covered: int = Field(ge=0)
    """The truth was held possible."""
    interval: tuple[Share, Share]
    """95%, of the share that is covered."""
    num_asked: int = Field(default=0, ge=0)
    """A person should look at them; none where numbers are predicted."""
    num_wrong: int = Field(default=0, ge=0)
    """Answered wrongly without asking."""
    labels: tuple[CoveredLabel, ...] = ()
    """In the label set's order; empty of more than 200 labels, and where numbers are predicted."""


class LabelLimits(Contract):
    """From which scores on labels are possible."""

    error_rate: ErrorRate
    scope: CoverageScope
    num_needed: int = Field(ge=1)
    """Items to set a limit on at least: of all labels together, or of each."""
    limits: Mapping[str, Share]
    """Lowest score by label; 0 of a label with too few items, which is always possible. Empty where none has enough."""
    short: tuple[str, ...]
    """Labels of which fewer than ``num_needed`` items are among those that limits were set on."""
    measure: CoverageMeasure | None
    """None where there are no limits, or no items to judge them by."""


class NumberReach(Contract):
    """How far from the predicted number the true one may be."""

    error_rate: ErrorRate
    num_needed: int = Field(ge=1)
    """Items to set it on at least."""
    reach: float | None
    """To either side, in the unit of the target; None where there are too few items."""
    measure: CoverageMeasure | None
    """None where there is no reach, or no items to judge it by."""


class CoverageReport(Contract):
    """What can be guaranteed at which error rate."""

    num_calibrated: int = Field(gt=0)
    """Items that the limits were set on."""
    labels: tuple[LabelLimits, ...] = ()
    """Where one of several labels is predicted: a line for each error rate and scope."""
    numbers: tuple[NumberReach, ...] = ()
    """Where a number is predicted."""


class Coverage(Contract):
    """What somebody chose of a report for the answers of a model."""

    error_rate: ErrorRate
    scope: CoverageScope = "all"
    limits: Mapping[str, Share] = {}
    """Lowest score by label with which it is possible; empty where a number is predicted."""
    reach: float | None = Field(default=None, ge=0.0)
    """To either side of a predicted number, in its unit; None where labels are predicted."""
