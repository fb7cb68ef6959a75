"""What a caller can get wrong about rows of a table."""

from __future__ import annotations

from ...errors import JsonInvalidError, RuntimeFault

SHOWN_CHARACTERS = 80
"""Of a cell in a message."""


class RowsMissingError(RuntimeFault):
    """The request holds no row."""

    code = "rows_missing"
    status = 400
    title = "The request holds no row"
    hint = 'Send JSON such as {"rows": [{"age": 34, "city": "Paris"}]}, or a CSV file with the content type text/csv.'
    easydl_code = 336001


class RowsJsonInvalidError(JsonInvalidError):
    """The body claims to be JSON and is not, or not an object."""

    hint = 'Send an object such as {"rows": [{"age": 34, "city": "Paris"}]}.'


class RowsTooManyError(RuntimeFault):
    """One request holds more rows than allowed."""

    code = "rows_too_many"
    status = 413
    title = "Too many rows in one request"
    hint = "Send them in several requests."
    easydl_code = 336001


class RowInvalidError(RuntimeFault):
    """A row is no object of cells."""

    code = "row_invalid"
    status = 400
    title = "A row cannot be read"
    hint = "A row is an object: names of columns with a text, a number, true, false or null each."
    easydl_code = 336001


class TableUnreadableError(RuntimeFault):
    """A CSV or JSON Lines body cannot be taken apart."""

    code = "table_unreadable"
    status = 400
    title = "The table cannot be read"
    hint = "Send CSV in UTF-8 whose first line names the columns, or JSON Lines with one row a line."
    easydl_code = 336001


class ColumnsMissingError(RuntimeFault):
    """A row has none of the columns that the model reads."""

    code = "columns_missing"
    status = 400
    title = "A row has none of the model's columns"
    hint = "Name the columns as they were named when the model was trained."
    easydl_code = 336001


class BackgroundMissingError(RuntimeFault):
    """An explanation has nothing to compare with."""

    code = "background_missing"
    status = 400
    title = "The request holds no background rows"
    hint = 'Send rows that stand for the others, such as {"row": {...}, "background": [{...}, {...}]}.'
    easydl_code = 336001


class ExplainJsonInvalidError(RowsJsonInvalidError):
    """The same of what asks for an explanation."""

    hint = 'Send an object such as {"row": {...}, "background": [{...}, {...}]}.'


class CellInvalidError(RuntimeFault):
    """A cell cannot be read as its column's kind says."""

    code = "cell_invalid"
    status = 400
    title = "A cell cannot be read"
    hint = 'Correct the cell, leave it empty, or send "invalid_cells": "missing" to have such cells taken as empty.'
    easydl_code = 336001

    def __init__(self, row: int, column: str, cell: object, expected: str) -> None:
        shown = str(cell)[:SHOWN_CHARACTERS]
        super().__init__(f"row {row}, column {column}: {shown!r} is no {expected}")
        self.facts = {"row": row, "column": column, "cell": shown}
