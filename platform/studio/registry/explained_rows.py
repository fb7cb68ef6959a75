"""What each column of a row adds to a model's answer, against rows of the data that it was trained on (Shapley values)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from automl.contracts.report import REPORT_FILE
from runtime.cells import text_of
from studio.common.blobs import blobs

Cell = str | int | float | bool | None

REMEMBERED_REPORTS = 64
"""Backgrounds that a process keeps: reports may be large, and a slider asks many times."""


@dataclass(frozen=True)
class ColumnPart:
    """What a column adds to an answer."""

    column: str
    cell: str
    """As text; empty when it is missing."""
    value: float
    """In the unit of the answer."""


@dataclass(frozen=True)
class ExplainedRow:
    """What an answer hangs on: ``base`` and the parts add up to ``answer``."""

    label: str | None
    """Whose score is explained; None where a number is predicted."""
    answer: float
    base: float
    """The mean answer of the background rows."""
    parts: list[ColumnPart]
    """What counts most first."""
    num_background: int
    num_evaluations: int
    """Rows that the model answered for it."""
    latency_ms: float


def explained_row(
    answered: Mapping[str, Any], row: Mapping[str, Cell], label: str | None, predicted: Callable[[Mapping[str, float]], str]
) -> ExplainedRow:
    """Puts together what counted.

    Args:
        answered: ``runtime.items.row.explain.Explanation.fields``, and ``latency_ms``.
        row: cells by column.
        label: what was asked about; None takes the one that is predicted.
        predicted: the label that is predicted by scores by label.
    """
    labels, place = answered["labels"], 0
    if label is None and labels:
        place = labels.index(predicted(dict(zip(labels, answered["answer"], strict=True))))
    parts = [
        ColumnPart(column, text_of(row.get(column)), values[place])
        for column, values in zip(answered["columns"], answered["values"], strict=True)
    ]
    return ExplainedRow(
        label=labels[place] if labels else None,
        answer=answered["answer"][place],
        base=answered["base"][place],
        parts=sorted(parts, key=lambda part: -abs(part.value)),
        num_background=answered["num_background"],
        num_evaluations=answered["num_evaluations"],
        latency_ms=answered["latency_ms"],
    )


@lru_cache(maxsize=REMEMBERED_REPORTS)
def background_rows(tree: str) -> tuple[Mapping[str, str], ...]:
    """Rows that stand for those that a model was trained on, by the name of its files; none where it came without a report."""
    try:
        report = orjson.loads((blobs().fetch_tree(tree) / REPORT_FILE).read_bytes())
    except FileNotFoundError:
        return ()
    return tuple((report.get("table") or {}).get("background", ()))
