"""Lists of which some rows cannot be read by this release: the others are shown, and these are named with the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from automl.contracts.listing import UnknownNameError
from runtime.listing import UnknownKindError
from studio.common.errors import StoredDataUnreadableError, StoredNameUnknownError
from studio.common.failures import failure_known
from studio.common.models import Base
from studio.common.paging import PageOut

M = TypeVar("M", bound=Base)
T = TypeVar("T")

_UNREADABLE = (UnknownNameError, UnknownKindError, StoredNameUnknownError, StoredDataUnreadableError)


class UnreadableOut(BaseModel):
    """A row that this release cannot read; at its own address the same code is answered with 409."""

    id: str
    name: str
    """What people call it, such as its name or `#` and its number."""
    code: str
    detail: str
    hint: str
    params: dict[str, str]


class ReadablePageOut(PageOut[T], Generic[T]):
    """A page of what can be read."""

    unreadable: list[UnreadableOut]
    """Rows that belong to the page and cannot be read."""


@dataclass(frozen=True)
class ReadableRows(Generic[T]):
    """Rows as the API returns them, and rows that cannot be read."""

    items: list[T]
    unreadable: list[UnreadableOut]


def rows_shown(rows: Sequence[M], show: Callable[[Sequence[M]], Sequence[T]]) -> ReadableRows[T]:
    """Renders rows, all in one go where all can be read, and one by one otherwise.

    Args:
        rows: of one table.
        show: renders some of them in their order; it fails if one of them cannot be read.
    """
    try:
        return ReadableRows(list(show(rows)), [])
    except _UNREADABLE:
        pass
    found: list[T] = []
    unreadable: list[UnreadableOut] = []
    for row in rows:
        try:
            found += show([row])
        except _UNREADABLE as error:
            unreadable.append(_unreadable_out(row, error))
    return ReadableRows(found, unreadable)


def _unreadable_out(row: Base, error: Exception) -> UnreadableOut:
    failure = failure_known(error)
    assert failure is not None
    number = getattr(row, "number", None)
    name = str(getattr(row, "name", "")) or (f"#{number}" if number is not None else row.id)
    params = {key: str(value) for key, value in failure.params.items()}
    return UnreadableOut(id=row.id, name=name, code=failure.code, detail=failure.message, hint=failure.hint, params=params)
