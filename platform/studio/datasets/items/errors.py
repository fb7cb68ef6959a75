"""What a caller can do wrong with items, each with its cure."""

from __future__ import annotations

from collections.abc import Iterable

from studio.common.errors import ConflictError, InvalidInputError, NotFoundError


class NoThumbnailError(NotFoundError):
    """Asked for a small picture of what is no picture; the kind of items says what there is instead."""

    code = "no_thumbnail"
    title = "There is no thumbnail"
    param_names = ("reason",)


class ItemKindUnknownError(ConflictError):
    """What is stored names a kind of items, or a format of theirs, that this server does not have."""

    code = "item_kind_unknown"
    title = "This server does not know this kind of data"
    param_names = ("name",)

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(
            f"No kind of data is called {name!r} or has this format; known: {', '.join(sorted(known))}.",
            hint="A newer version of the server may have stored them: update this one.",
            params={"name": name},
        )


class TooManyToSortError(ConflictError):
    """More items match than can be sorted."""

    code = "too_many_to_sort"
    title = "Too many items to sort"
    param_names = ("most",)


class CellTestInvalidError(InvalidInputError):
    """A condition on cells, or an order by them, names a column that is not there or a value that its kind does not have."""

    code = "cell_test_invalid"
    title = "The cells cannot be filtered or sorted so"
    param_names = ("test",)

    def __init__(self, test: str) -> None:
        super().__init__(f"“{test}” does not fit the columns of the table.", params={"test": test})
