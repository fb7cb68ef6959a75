"""Rows of a table: what a product documents of the columns that its model reads."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import ClassVar

from automl.contracts.artefact import RowDecode
from automl.contracts.table import ColumnKind

Cell = str | int | float | None
EXAMPLE_COLUMNS = 8
"""Of an example that is to be read."""
LISTED_COLUMNS = 200
NAMED_CHOICES = 10


def row_example(decode: RowDecode, most: int = EXAMPLE_COLUMNS) -> dict[str, Cell]:
    """A row to begin with: what is typical of the first columns, numbers as numbers where they are written so."""
    from runtime.cells import MISSING_TIME, number_of, seconds_of  # noqa: PLC0415 - numpy is not for everybody

    example: dict[str, Cell] = {}
    for column in decode.columns[:most]:
        cell: Cell = column.typical or next(iter(column.choices), "")
        if column.kind is ColumnKind.NUMBER and isinstance(cell, str):
            number = number_of(cell, column.decimal, column.units)
            is_there = number is not None and number == number  # noqa: PLR0124 - NaN is missing
            cell = (int(number) if number.is_integer() else number) if is_there and number is not None else None
        elif column.kind is ColumnKind.DATETIME and seconds_of(cell, column.datetime_format) in {None, MISSING_TIME}:
            cell = None
        example[column.name] = cell
    return example


def columns_text(decode: RowDecode) -> str:
    """The columns as a Markdown list, with the values of categories."""
    lines = []
    for column in decode.columns[:LISTED_COLUMNS]:
        named = ", ".join(f"`{choice}`" for choice in column.choices[:NAMED_CHOICES])
        more = ", …" if len(column.choices) > NAMED_CHOICES else ""
        written = column.datetime_format or (column.units[0] if column.units else "")
        shape = f" (`{written}`)" if written else ""
        lines.append(f"- `{column.name}`: {column.kind}{shape}{': ' if named else ''}{named}{more}")
    if len(decode.columns) > LISTED_COLUMNS:
        lines.append(f"- and {len(decode.columns) - LISTED_COLUMNS} more")
    return "\n".join(lines)


class Rows:
    """See ``ItemKind``."""

    packages: ClassVar[Mapping[str, str]] = {}
    easydl_word: ClassVar[str] = "TabularPrediction"

    def files(self, decode: RowDecode) -> tuple[str, ...]:
        """None."""
        del decode
        return ()

    def request(self, sample: bytes, decode: RowDecode) -> tuple[bytes, str]:
        """The row with all columns of the model; a cell that cannot be read is missing, as in training."""
        row = dict.fromkeys(column.name for column in decode.columns) | json.loads(sample)["cells"]
        return json.dumps({"row": row, "invalid_cells": "missing"}).encode(), "application/json"

    def values(self, decode: RowDecode) -> Mapping[str, str]:
        """An example, and the columns for people and for the page."""
        example = row_example(decode)
        page = decode.model_dump(mode="json", include={"columns", "target"})
        return {
            "row": repr(example),
            "row_java": "\n".join(
                f"    row.put({json.dumps(name, ensure_ascii=False)}, {json.dumps(cell, ensure_ascii=False)});"
                for name, cell in example.items()
            ),
            "row_json": json.dumps(example, ensure_ascii=False),
            "request": shlex.quote(json.dumps({"rows": [example]}, ensure_ascii=False)),
            "columns": columns_text(decode),
            # Inside a script no text may end it.
            "page_columns": json.dumps(page, ensure_ascii=False).replace("<", "\\u003c"),
        }


KIND = Rows()
