"""A model made smaller: what was tried, what each attempt costs and gains, and what may be lost.

A job ``compress`` leaves ``compression.json`` and, under the name of each candidate, an artefact with ``certificate.json``.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from automl.contracts.base import Contract
from automl.contracts.dataset import Split
from automl.contracts.report import SliceMeasure

COMPRESSION_FILE = "compression.json"
CERTIFICATE_FILE = "certificate.json"

Refusal = Literal[
    "nothing_to_change",
    "as_static",
    "as_large",
    "unsteady",
    "unfit",
    "no_weights",
    "several_networks",
    "small_already",
    "asset_missing",
    "diverged",
]
"""Why a method gave no candidate: the graph holds nothing that it changes; no node hurts more than the others, so it would be
the same as another candidate; the file is no smaller; runs of one graph differ by more than 0.2 on most golden samples, so that
these would pass a broken model; the runtime refuses the graph. Of methods that train: the model keeps no weights that training
could go on from, or is a mean of several networks; no other network is much smaller; the pretrained weights that it begins with
cannot be had; or training diverged."""


class Budget(Contract):
    """What a candidate may lose and cost; None where there is no limit."""

    max_loss: float | None = Field(default=None, ge=0, le=1)
    """Of the measure, 0..1: 0.005 is half a percentage point."""
    max_latency_ms: float | None = Field(default=None, gt=0)
    """Of one answer, as it is measured here."""
    max_bytes: int | None = Field(default=None, gt=0)
    """Of the graphs."""


Limit = Literal["loss", "latency", "size"]


class Point(Contract):
    """What was measured of one graph."""

    value: float
    """Of the measure, over all items of the split."""
    latency_ms: float
    """Median processor time of one answer, one thread, all graphs in turn."""
    latency_interval: tuple[float, float]
    """95%, of the median."""
    model_bytes: int


class Candidate(Contract):
    """A graph that a method made."""

    method: str
    """A package of ``engine/compress/methods/``."""
    point: Point
    loss: float
    """How much better the original is, in the unit of the measure, on the same items; below 0 where it is worse."""
    loss_interval: tuple[float, float]
    """95%, from pairs of answers to the same item."""
    speedup: float
    """Median of the original's time over this graph's."""
    speedup_interval: tuple[float, float]
    """95%, of the median."""
    num_changed: int
    """Nodes, or for methods that change weights alone tensors, with fewer bits."""
    num_kept: int
    """Those that could have been changed and were left as they are."""
    tolerance: float
    """Of its golden samples."""


class SkippedMethod(Contract):
    """A method without a candidate."""

    method: str
    reason: Refusal


class _Compared(Contract):
    """On what graphs are compared."""

    schema_version: int = 1
    parent: str
    """Id of the model that was made smaller."""
    split: Split
    """Whose items neither model nor methods have learned from."""
    num_items: int
    num_calibration: int
    """Items of training that ranges of values come from."""
    measure: SliceMeasure
    """The mean over items."""
    is_higher_better: bool
    original: Point
    budget: Budget


class CompressionReport(_Compared):
    """``compression.json``."""

    candidates: tuple[Candidate, ...]
    left_out: tuple[SkippedMethod, ...]


class Certificate(_Compared):
    """``certificate.json`` of a smaller model."""

    candidate: Candidate


def over_budget(candidate: Candidate, budget: Budget) -> tuple[Limit, ...]:
    """The limits that a candidate does not keep, by what was measured."""
    measured: tuple[tuple[Limit, float, float | None], ...] = (
        ("loss", candidate.loss, budget.max_loss),
        ("latency", candidate.point.latency_ms, budget.max_latency_ms),
        ("size", candidate.point.model_bytes, budget.max_bytes),
    )
    return tuple(name for name, value, most in measured if most is not None and value > most)
