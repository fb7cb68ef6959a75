"""What the endpoints of templates take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from studio.jobs.schemas import JobOut
from studio.templates.models import NAME_LENGTH

Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH, pattern=r"\S")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")]
Pixels = Annotated[float, Field(allow_inf_nan=False)]
Point = tuple[Pixels, Pixels]
Corners = Annotated[list[Point], Field(min_length=4, max_length=4)]
MOST_REFERENCES, MOST_FIELDS, MOST_CHOICES, MOST_COLUMNS = 60, 100, 200, 40


class TemplateBox(Schema):
    """An upright rectangle, in pixels of the template's picture."""

    x: Pixels
    y: Pixels
    width: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    height: Annotated[float, Field(gt=0, allow_inf_nan=False)]


class TemplateReference(Schema):
    """A text that stands on every picture of the form."""

    text: Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]
    points: Corners
    """From where the text begins, clockwise."""


class ValueOptions(Schema):
    """How a value is read; what a kind has no use for is left out."""

    choices: Annotated[list[Annotated[str, Field(min_length=1, max_length=200)]], Field(max_length=MOST_CHOICES)] | None = None
    """Of the kind `choice`: its values."""
    order: str | None = None
    """Of the kind `date`: `dmy`, `mdy` or `ymd`, where a text does not say."""
    currency: str | None = None
    """Of the kind `amount`: three letters, where none stands there."""
    decimal_separator: str | None = None
    """Of the kinds `amount` and `number`: `.` or `,`; without it the text decides."""


class TemplateColumn(Schema):
    """A column of a table."""

    name: Annotated[str, Field(min_length=1, max_length=80, pattern=r"\S")]
    kind: str = "text"
    """As of a field, but no table."""
    options: ValueOptions = ValueOptions()


class TemplateOptions(ValueOptions):
    """How a field's value is read; what a kind has no use for is left out."""

    columns: Annotated[list[TemplateColumn], Field(max_length=MOST_COLUMNS)] | None = None
    """Of the kind `table`: its columns from the left; without them they are called as the first row says."""
    has_header: bool | None = None
    """Of the kind `table`: whether its first row has headings; it has unless this is false."""


class TemplateField(Schema):
    """An area of the form whose content is read."""

    name: Annotated[str, Field(min_length=1, max_length=80, pattern=r"\S")]
    kind: str
    """`text`, `number`, `amount`, `date`, `choice` or `table`."""
    is_required: bool = False
    box: TemplateBox
    options: TemplateOptions = TemplateOptions()


class TemplateIn(Schema):
    """A template as it is saved."""

    name: Name
    version: str
    """That was changed: another one that was saved meanwhile is not lost."""
    references: Annotated[list[TemplateReference], Field(max_length=MOST_REFERENCES)]
    fields: Annotated[list[TemplateField], Field(max_length=MOST_FIELDS)]


class TemplateOut(Schema):
    """A template in a list."""

    id: str
    project: str
    name: str
    slug: str
    """By which calls name it: `?template=<slug>`."""
    version: str
    """Of the content: the same content has the same one."""
    width: int
    height: int
    picture_url: str
    thumbnail_url: str
    num_references: int
    num_fields: int
    is_complete: bool
    """Whether it has a reference and a field: then every deployment of the project answers by it."""
    created_at: datetime
    changed_at: datetime


class TemplateLineOut(Schema):
    """A line of text that a model read."""

    text: str
    points: Corners
    score: float


class TemplateDetailOut(TemplateOut):
    """A template with all that is marked on it."""

    references: list[TemplateReference]
    fields: list[TemplateField]
    lines: list[TemplateLineOut]
    """What a model read in its picture."""


class AmountOut(Schema):
    """An amount of money."""

    amount: str
    """A decimal, with a point."""
    currency: str | None


Value = str | int | float | AmountOut | None


class FieldProblemOut(Schema):
    """Something that a person should look at."""

    code: str
    """`missing`, `number_invalid`, `amount_invalid`, `date_invalid`, `choice_unknown` or `characters_corrected`; of a table
    `table_not_found`, `table_cut` or `columns_differ`."""
    choices: list[str] | None = None
    row: int | None = None
    """Of a table: which row it is about, from 0; so is the column."""
    column: str | None = None


class CellOut(Schema):
    """What was read in a cell of a table."""

    row: int
    """From 0; a row with headings is not counted."""
    column: str
    text: str
    confidence: float
    points: Corners


class FieldOut(Schema):
    """What was read for a field."""

    name: str
    kind: str
    value: Value | list[dict[str, Value]]
    """By the kind: a text, a number, an ISO date, an amount; None where there is none. Of a table its rows, each with a value
    by the name of a column."""
    text: str
    """As it was read."""
    confidence: float
    """0 to 1; 0 where nothing was read."""
    points: Corners
    """Of the field in the picture."""
    lines: list[Corners]
    """Of what was read."""
    problems: list[FieldProblemOut]
    cells: list[CellOut] | None = None
    """Of a table."""


class ReferencesOut(Schema):
    """How much of the form was recognised."""

    found: int
    total: int
    missing: list[str]


class ReadFormOut(Schema):
    """The fields of a form."""

    template: str
    """Slug of the template by which they were read."""
    version: str
    fields: list[FieldOut]
    references: ReferencesOut


class FieldsJobOut(Schema):
    """The job that reads the fields of a batch prediction."""

    job: JobOut


class FormOut(ReadFormOut):
    """A picture read by a template."""

    artefact: str
    """The model that read."""
    width: int
    """Of the picture, in pixels; so is the height."""
    height: int


class DeployedFormsOut(Schema):
    """What a deployment answers, unchanged."""

    id: str
    """Of the call."""
    model: str
    """The model that read."""
    forms: list[ReadFormOut]
    """One for each picture."""
    latency_ms: float
