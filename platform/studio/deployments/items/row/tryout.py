"""Rows on the try-out page: the form's columns, the answer, and what each column adds to it.

Answers come through the prediction server, so they are what a customer will see.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from automl.contracts.artefact import RowColumn, RowDecode
from automl.contracts.table import ColumnKind
from automl.contracts.task import OutputKind
from runtime.cells import number_of
from studio.deployments.errors import ExplainedBackgroundError, ExplainedModelError, RowModelError
from studio.deployments.models import Deployment
from studio.deployments.tryout import EXPLAIN_TIMEOUT_S, Answer, predicted_label, server_ask
from studio.registry.errors import ExplainedLabelError
from studio.registry.explained_rows import Cell, ExplainedRow, background_rows, explained_row


@dataclass(frozen=True)
class RowField:
    """A column of the form."""

    column: RowColumn
    minimum: float | None
    """This and the next of numbers, over the background rows; None where these have none."""
    maximum: float | None


@dataclass(frozen=True)
class RowForm:
    """What a form for rows needs to know."""

    target: str
    output: OutputKind
    labels: tuple[str, ...]
    fields: list[RowField]
    examples: tuple[Mapping[str, str], ...]
    """Rows of the training data, cells by column."""


def row_form(deployment: Deployment) -> RowForm:
    """The columns that a deployment reads, with what is typical of them.

    Raises:
        RowModelError: it reads no rows.
    """
    facts = deployment.artefact.facts
    if not isinstance(facts.decode, RowDecode):
        raise RowModelError
    examples = background_rows(deployment.artefact.tree)
    fields = [_field(column, examples) for column in facts.decode.columns]
    return RowForm(facts.decode.target, facts.output, facts.label_set.names, fields, examples)


def deployment_try_rows(*, deployment: Deployment, rows: Sequence[Mapping[str, Cell]], top: int | None) -> Answer:
    """Asks a deployment about rows.

    Args:
        deployment: whom to ask.
        rows: cells by column.
        top: how many labels at most; None takes the server's default.

    Raises:
        PredictionServerError: it does not answer.
    """
    return server_ask(deployment, top, json={"rows": list(rows)})


def deployment_explain_row(
    *, deployment: Deployment, row: Mapping[str, Cell], label: str | None, max_evaluations: int | None = None
) -> ExplainedRow | Answer:
    """Finds what each column of a row adds to the answer: Shapley values against rows of the training data, in one request.

    Such a call is in no log, and its row is not kept.

    Args:
        deployment: whom to ask.
        row: cells by column.
        label: what to explain; None takes the one that the deployment says. Of no meaning where a number is predicted.
        max_evaluations: rows that the model may answer for it; None takes the server's default.

    Returns:
        What counted, or what the prediction server said when it refused.

    Raises:
        ExplainedModelError: the model reads no rows.
        ExplainedLabelError: it does not know the label.
        ExplainedBackgroundError: nobody knows rows to compare with.
        PredictionServerError: it does not answer.
    """
    facts = deployment.artefact.facts
    if not isinstance(facts.decode, RowDecode):
        raise ExplainedModelError(reads="rows")
    has_labels = bool(facts.label_set.names)
    label = label if has_labels else None
    if label is not None and label not in facts.label_set.names:
        raise ExplainedLabelError(label=label)
    background = background_rows(deployment.artefact.tree)
    if not background:
        raise ExplainedBackgroundError
    body = {"row": row, "background": background, "label": label, "max_evaluations": max_evaluations}
    answer = server_ask(
        deployment,
        None,
        action="explain",
        is_logged=False,
        timeout_s=EXPLAIN_TIMEOUT_S,
        json={name: value for name, value in body.items() if value is not None},
    )
    if answer.status != HTTPStatus.OK:
        return answer
    answered = json.loads(answer.body)
    return explained_row(answered, row, label, lambda scores: predicted_label(deployment, scores))


def _field(column: RowColumn, examples: Sequence[Mapping[str, str]]) -> RowField:
    if column.kind is not ColumnKind.NUMBER:
        return RowField(column, None, None)
    read = (number_of(row.get(column.name, ""), column.decimal, column.units) for row in examples)
    numbers = [number for number in read if number is not None and number == number]  # noqa: PLR0124 - NaN is missing
    return RowField(column, min(numbers, default=None), max(numbers, default=None))
