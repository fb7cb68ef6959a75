"""Rows as a model takes them, and what a family of models for rows must do with them.

Shapes: N rows, A columns of numbers, D of datetimes, C of categories, T of texts, L labels (or 1 for a number).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import RowColumn
from automl.contracts.family import ParamValue
from automl.contracts.report import ModelScore
from automl.contracts.table import ColumnKind
from engine.table.graph import GraphWriter
from engine.table.own_time import own_s

INPUTS = {
    ColumnKind.NUMBER: "numbers",
    ColumnKind.DATETIME: "datetimes",
    ColumnKind.CATEGORY: "categories",
    ColumnKind.TEXT: "texts",
}
"""Names of the graph's inputs (``RowDecode``)."""


@dataclass(frozen=True)
class Table:
    """Rows with the columns that a model reads, one array a kind, the columns of a kind in their order."""

    columns: tuple[RowColumn, ...]
    numbers_NA: NDArray[np.float32]
    """NaN is missing."""
    datetimes_ND: NDArray[np.int64]
    """Seconds since 1970; ``MISSING_TIME`` is missing."""
    categories_NC: NDArray[np.object_]
    """Empty is missing."""
    texts_NT: NDArray[np.object_]

    def __len__(self) -> int:
        return len(self.numbers_NA)

    def of_kind(self, kind: ColumnKind) -> tuple[RowColumn, ...]:
        """The columns of one kind, as its array has them."""
        return tuple(column for column in self.columns if column.kind is kind)

    def array(self, kind: ColumnKind) -> NDArray[Any]:
        """The array of one kind."""
        arrays: dict[ColumnKind, NDArray[Any]] = {
            ColumnKind.NUMBER: self.numbers_NA,
            ColumnKind.DATETIME: self.datetimes_ND,
            ColumnKind.CATEGORY: self.categories_NC,
            ColumnKind.TEXT: self.texts_NT,
        }
        return arrays[kind]

    def take(self, rows: NDArray[np.intp] | slice) -> Table:
        """Some of the rows, in the order given."""
        return replace(
            self,
            numbers_NA=self.numbers_NA[rows],
            datetimes_ND=self.datetimes_ND[rows],
            categories_NC=self.categories_NC[rows],
            texts_NT=self.texts_NT[rows],
        )

    def with_array(self, kind: ColumnKind, array: NDArray[Any]) -> Table:
        """The same rows with other cells in the columns of one kind."""
        names = {
            ColumnKind.NUMBER: "numbers_NA",
            ColumnKind.DATETIME: "datetimes_ND",
            ColumnKind.CATEGORY: "categories_NC",
            ColumnKind.TEXT: "texts_NT",
        }
        changed: dict[str, Any] = {names[kind]: array}
        return replace(self, **changed)

    def feeds(self) -> dict[str, NDArray[Any]]:
        """The rows as the graph's inputs; a kind without columns has none."""
        return {name: self.array(kind) for kind, name in INPUTS.items() if self.of_kind(kind)}


_LEAST_PASSED_S, _LEAST_SHARE = 0.2, 0.02
"""Seconds after which the share of processor time that the thread gets is known well enough, and its least value."""


@dataclass(frozen=True)
class Deadline:
    """When a fit must end. Families check it between steps, and return what they have."""

    ends_s: float
    """On the clock of ``time.monotonic``; infinity: whenever it is done."""
    is_stop_requested: Callable[[], bool] | None = field(default=None, compare=False)
    """Whether somebody has asked to finish with what there is, before the time is over."""
    own_ends_s: float = float("inf")
    """On the clock of ``own_s``, which stands still while other processes have the processor; the earlier of the two ends
    counts."""
    begun_s: float = field(default=0.0, compare=False)
    own_begun_s: float = field(default=0.0, compare=False)
    """When it was made, on both clocks."""

    @classmethod
    def after(cls, seconds: float | None, is_stop_requested: Callable[[], bool] | None = None) -> Deadline:
        """A deadline from now on; None never ends."""
        now_s = time.monotonic()
        ends_s = float("inf") if seconds is None else now_s + seconds
        return cls(ends_s, is_stop_requested, begun_s=now_s, own_begun_s=own_s())

    @property
    def left_s(self) -> float:
        """Seconds that are left, 0 when it is over; it never grows."""
        if self.is_stop_requested is not None and self.is_stop_requested():
            return 0.0
        left_s = self.ends_s - time.monotonic()
        if self.own_ends_s != float("inf"):
            left_s = min(left_s, self.own_ends_s - own_s())
        return max(0.0, left_s)

    @property
    def usable_s(self) -> float:
        """Seconds of computing that the thread will get until the end, 0 when it is over: what to plan with.

        The thread is assumed to go on getting the share of processor time that it has had so far; a plan for more would be cut
        short.
        """
        left_s, now_s, own_now_s = self.left_s, time.monotonic(), own_s()
        passed_s = now_s - self.begun_s
        share = (own_now_s - self.own_begun_s) / passed_s if passed_s > _LEAST_PASSED_S else 1.0
        return min(left_s, max(0.0, self.ends_s - now_s) * min(max(share, _LEAST_SHARE), 1.0))

    def within(self, seconds: float) -> Deadline:
        """The same end, or so many seconds of this thread's own from now on, whichever is sooner."""
        return replace(self, own_ends_s=min(self.own_ends_s, own_s() + seconds))

    def part(self, fraction: float) -> Deadline:
        """The end of a fraction of what is left."""
        now_s, own_now_s = time.monotonic(), own_s()
        return replace(
            self,
            ends_s=now_s + (self.ends_s - now_s) * fraction,
            own_ends_s=own_now_s + (self.own_ends_s - own_now_s) * fraction,
        )


@dataclass(frozen=True)
class RowTask:
    """What a family is asked to fit."""

    train: Table
    targets_N: NDArray[Any]
    """Indices of labels (int64), or numbers (float64)."""
    validation: Table
    """For early stopping and for choosing between settings; trained on only where a parameter asks for it."""
    validation_targets_N: NDArray[Any]
    num_labels: int
    """L; 0 where a number is predicted."""
    params: Mapping[str, ParamValue]
    """Checked and whole, by the family's names."""
    max_rows: int
    """Of the size: where there are more to train on, so many are drawn."""
    deadline: Deadline
    seed: int
    num_threads: int
    report: Callable[[float, Mapping[str, float]], None]
    """Called between steps with the fraction that is done, 0..1, and what was measured on validation (may be empty). It raises
    what ends a job that was asked to stop, so that nothing else need look."""
    is_shortened: bool = False
    """Whether the fit stands for a longer one, of which it does once what that one does again and again."""
    warn: Callable[[str, str], None] = lambda code, message: None
    """Called with a code and a sentence for people, of what went wrong and did not end the fit."""

    @property
    def num_outputs(self) -> int:
        """Columns of an answer: one a label, or the one number."""
        return self.num_labels or 1


@dataclass(frozen=True)
class FitNeeds:
    """What a fit of several models takes that no deadline cuts short, by one that perhaps had less time; in processor time."""

    cpu_s: float
    """For models that were fitted here, as often as they will be."""
    others: Mapping[str, float]
    """Families whose models there was no time for, and how many fits of the family with its defaults they take."""
    most_s: float
    """After which it ends by itself."""


class RowModel(Protocol):
    """What a family's ``fit.fit(task)`` gives."""

    def answers(self, table: Table) -> NDArray[np.float32]:
        """Probabilities ``_NL`` that add up to one in each row, or numbers ``_N1``."""
        ...

    def write(self, graph: GraphWriter) -> str:
        """Adds the model, with everything that it does to the columns before, to a graph.

        Returns:
            Name of the tensor with the answers, as ``answers`` gives them, float32.
        """
        ...


@runtime_checkable
class RowEnsemble(RowModel, Protocol):
    """A model that is made of others, which it has judged itself. M stands for rows of validation, K for answers of a row."""

    @property
    def models(self) -> Sequence[ModelScore]:
        """Those that were tried, for the leaderboard."""
        ...

    @property
    def held_back_answers(self) -> NDArray[np.float32] | None:
        """Answers ``_MK`` by models that had not seen the rows; None where there are none."""
        ...

    @property
    def needs(self) -> FitNeeds | None:
        """What a fit takes that no deadline cuts short; None if that is not known."""
        ...
