"""What a caller can do wrong with tables, each with its cure."""

from __future__ import annotations

from studio.common.errors import ConflictError, InvalidInputError, NotFoundError


class NoColumnsError(NotFoundError):
    """Asked for the columns of what is no table."""

    code = "no_columns"
    title = "Only tables have columns"


class ColumnsStaleError(ConflictError):
    """Somebody changed the columns meanwhile."""

    code = "columns_stale"
    title = "The columns have changed meanwhile"

    def __init__(self, *, revision: int) -> None:
        super().__init__(
            "Somebody changed the columns since they were read.",
            hint="Read them again and repeat the change.",
            extra={"revision": revision},
        )


class ColumnsInvalidError(InvalidInputError):
    """They are not the columns that the rows have, or cannot be read so."""

    code = "columns_invalid"
    param_names = ("reason",)
    title = "The columns cannot be so"


class TooManyClassesError(InvalidInputError):
    """The target has more values than a category may have."""

    code = "too_many_classes"
    title = "The column has too many values to be a category"
    param_names = ("column", "most")

    def __init__(self, *, column: str, most: int) -> None:
        super().__init__(
            f"{column} has more than {most} different values.",
            hint="Choose another column, or make a project that predicts a number.",
            extra={"column": column, "most": most},
        )


class CellsInvalidError(InvalidInputError):
    """Cells that the row cannot have."""

    code = "cells_invalid"
    title = "The cells cannot be so"
    param_names = ("reason",)


class RowStaleError(ConflictError):
    """Somebody changed the row meanwhile."""

    code = "row_stale"
    title = "The row has changed meanwhile"

    def __init__(self, *, blob: str) -> None:
        super().__init__(
            "Somebody changed the row since it was read.",
            hint="Read it again and repeat the change.",
            extra={"blob": blob},
        )


class RowUnchangedError(ConflictError):
    """There is nothing to take back."""

    code = "row_unchanged"
    title = "Nobody has changed the row"
