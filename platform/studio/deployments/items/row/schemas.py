"""What the try-out page sends and gets of rows."""

from __future__ import annotations

from typing import Annotated

from ninja import Schema
from pydantic import AllowInfNan, Field

from automl.contracts.table import MAX_COLUMNS, ColumnKind
from automl.contracts.task import OutputKind

MAX_EVALUATIONS = 20_000
"""Of one explanation, as the prediction server has it."""
CellIn = str | int | Annotated[float, AllowInfNan(False)] | bool | None
RowIn = Annotated[dict[str, CellIn], Field(max_length=MAX_COLUMNS)]


class TryRowsIn(Schema):
    """Rows to try a deployment with: cells by column."""

    rows: Annotated[list[RowIn], Field(min_length=1)]
    """The prediction server takes 1,000 at most."""


class ExplainRowIn(Schema):
    """A row, and what to find out about the model's answer to it."""

    row: RowIn
    label: Annotated[str, Field(max_length=256)] | None = None
    """Whose score is explained; null takes the best. Of no meaning where a number is predicted."""
    max_evaluations: Annotated[int, Field(ge=1, le=MAX_EVALUATIONS)] | None = None
    """Rows that the model may answer for it; null takes 2,500."""


class RowFieldOut(Schema):
    """A column of the form."""

    name: str
    kind: ColumnKind
    decimal: str
    units: list[str]
    """Spellings of the unit of numbers, first the one to show; none where they have none."""
    datetime_format: str
    choices: list[str]
    """Of a category: values that the model has seen, commonest first; others are allowed."""
    typical: str
    minimum: float | None
    """This and the next of numbers, over the examples."""
    maximum: float | None


class RowFormOut(Schema):
    """What a form for rows needs to know."""

    target: str
    output: OutputKind
    labels: list[str]
    """Empty where a number is predicted."""
    fields: list[RowFieldOut]
    examples: list[dict[str, str]]
    """Rows of the training data, cells by column, empty ones left out."""
