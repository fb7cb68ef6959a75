"""What a caller can do wrong with items, each with its cure."""

from __future__ import annotations

from studio.common.errors import ConflictError, NotFoundError


class NoThumbnailError(NotFoundError):
    """Asked for a small picture of what is no picture; the kind of items says what there is instead."""

    code = "no_thumbnail"
    title = "There is no thumbnail"
    param_names = ("reason",)


class TooManyToSortError(ConflictError):
    """More items match than can be sorted."""

    code = "too_many_to_sort"
    title = "Too many items to sort"
    param_names = ("most",)
