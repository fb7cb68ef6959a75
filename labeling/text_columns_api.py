"""HTTP endpoint that says which columns of a table of texts are read, before the table is sent."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from labeling.text_columns import SAMPLE_ROWS, text_columns

router = Router(tags=["formats"])

Cell = Annotated[str, Field(max_length=100_000)]


class TextColumnsIn(Schema):
    """The first rows of a table, its head among them."""

    rows: Annotated[list[Annotated[list[Cell], Field(max_length=2_000)]], Field(min_length=1, max_length=SAMPLE_ROWS)]


class TextColumnsOut(Schema):
    """What an upload of the table would read, counted from 0; all None where no column holds texts."""

    text: int | None
    label: int | None
    has_head: bool
    """Whether the first row names the columns."""


@router.post("/labeling/text-columns", response=TextColumnsOut, operation_id="text_columns")
def text_columns_read(request: HttpRequest, body: TextColumnsIn) -> TextColumnsOut:
    """Which column of a table would be read as the texts and which as their labels. Nothing is kept."""
    del request
    found = text_columns(body.rows)
    if found is None:
        return TextColumnsOut(text=None, label=None, has_head=False)
    return TextColumnsOut(text=found.text, label=found.label, has_head=found.width > 0)
