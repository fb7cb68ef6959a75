"""Says what each column of one row adds to the answer, against rows that the caller sends along (``shapley``)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bodies import whole_of
from ...errors import AnswerInvalidError, ArgumentInvalidError
from ...shapley import Shapley, evaluations, shapley
from .bodies import is_lenient_of, text_of_body
from .errors import BackgroundMissingError, ExplainJsonInvalidError, RowInvalidError, RowsMissingError
from .rows import BATCH_CELLS, INPUTS, RowCells, RowReader

MAX_BACKGROUND = 1_000
MAX_EVALUATIONS = 20_000
DEFAULT_EVALUATIONS = 2_500
"""Rows that the model answers for one explanation: some ten milliseconds of one boosting model."""
MAX_ROUNDS = 8
"""Pairs of orders a background row: beyond, the values hardly move any more."""
SEED = 0
"""Always the same orders, so that what changes in an explanation comes from the row."""


@dataclass(slots=True)
class ExplainRequest:
    """What the caller asks."""

    row: RowCells
    background: Sequence[RowCells]
    label: str | None
    """Whose score is explained; None: all."""
    max_evaluations: int
    is_lenient: bool


@dataclass(slots=True)
class Explanation:
    """What the columns of a row add to its answer."""

    columns: tuple[str, ...]
    labels: tuple[str, ...]
    """In the order of the answers; empty of a number."""
    shapley: Shapley
    num_background: int
    """Rows that were used, from the beginning of those sent."""

    def fields(self) -> dict[str, Any]:
        """As it goes over the wire; values by column, then by label."""
        return {
            "labels": self.labels,
            "columns": self.columns,
            "answer": self.shapley.answer_K.tolist(),
            "base": self.shapley.base_K.tolist(),
            "values": self.shapley.values_CK.tolist(),
            "num_background": self.num_background,
            "num_evaluations": self.shapley.num_evaluations,
        }


def explain_parse(body: bytes, query: Mapping[str, str]) -> ExplainRequest:
    """Reads ``{"row": {...}, "background": [{...}, ...]}``, with ``label``, ``max_evaluations`` and ``invalid_cells``.

    Raises:
        RuntimeFault: an error of ``bodies`` or ``row_errors`` says what is wrong.
    """
    try:
        fields = json.loads(text_of_body(body) or "null")
    except (ValueError, RecursionError) as error:
        raise ExplainJsonInvalidError(f"the body is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise ExplainJsonInvalidError("the body is no JSON object")
    arguments = {**query, **fields}
    row, background, label = fields.get("row"), fields.get("background"), arguments.get("label")
    if row is None:
        raise RowsMissingError
    if not isinstance(background, list) or not background:
        raise BackgroundMissingError
    if len(background) > MAX_BACKGROUND:
        raise RowInvalidError(f"{len(background):,} background rows, at most {MAX_BACKGROUND:,} are taken")
    if label is not None and not isinstance(label, str):
        raise ArgumentInvalidError("label must be a text")
    most = whole_of(arguments, "max_evaluations", DEFAULT_EVALUATIONS)
    if most > MAX_EVALUATIONS:
        raise ArgumentInvalidError(f"max_evaluations must be at most {MAX_EVALUATIONS:,}")
    return ExplainRequest(row, background, label, most, is_lenient_of(arguments))


def row_explain(
    run: Callable[[Mapping[str, NDArray[Any]]], NDArray[np.float32]],
    reader: RowReader,
    known_labels: Sequence[str],
    request: ExplainRequest,
) -> Explanation:
    """Explains the answer to one row; runs in any thread.

    As many of the background rows are used, from the first on, as the evaluations allow, at least one; what is left is spent on
    more orders of the columns.

    Args:
        run: the model: answers ``_NK`` to the graph's inputs.
        reader: reads its rows.
        known_labels: its labels, in the order of the answers.
        request: what is asked.

    Raises:
        ArgumentInvalidError: the model does not know the label.
        RuntimeFault: a row cannot be read.
    """
    if request.label is not None and request.label not in known_labels:
        raise ArgumentInvalidError(f"the model does not know the label {request.label!r}")
    num_columns = len(reader.columns)
    own = reader.read([request.row], is_lenient=request.is_lenient)
    per_row = max(1, evaluations(num_columns, 1) - 1)
    num_background = min(len(request.background), max(1, (request.max_evaluations - 1) // per_row))
    behind = reader.read(
        [{**dict.fromkeys(reader.names), **_row(each)} for each in request.background[:num_background]], is_lenient=True
    )
    num_rounds = min(MAX_ROUNDS, max(1, request.max_evaluations // (num_background * per_row)))
    places = None if request.label is None else [known_labels.index(request.label)]
    of_kind = _places(reader)

    def mixed(is_own_NC: NDArray[np.bool_], background_N: NDArray[np.intp]) -> NDArray[np.float32]:
        feeds = {
            name: np.where(is_own_NC[:, columns], own.feeds[name], behind.feeds[name][background_N])
            for name, columns in of_kind.items()
        }
        answers_NK = run(feeds)
        if not np.isfinite(answers_NK).all():
            raise AnswerInvalidError
        return answers_NK if places is None else answers_NK[:, places]

    found = shapley(
        mixed,
        num_columns=num_columns,
        num_background=num_background,
        num_rounds=num_rounds,
        seed=SEED,
        max_cells=BATCH_CELLS,
    )
    labels = tuple(known_labels) if request.label is None else (request.label,)
    return Explanation(reader.names, labels, found, num_background)


def _places(reader: RowReader) -> dict[str, list[int]]:
    """Places of the columns of each input among all columns."""
    found: dict[str, list[int]] = {}
    for place, column in enumerate(reader.columns):
        found.setdefault(INPUTS[column.kind], []).append(place)
    return found


def _row(cells: object) -> RowCells:
    if not isinstance(cells, dict):
        raise RowInvalidError("a background row is no object")
    return cells
