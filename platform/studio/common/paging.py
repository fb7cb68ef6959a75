"""Keyset paging: a page costs the same at the start and at the end of a long list, and rows added meanwhile shift nothing."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Model, QuerySet
from ninja import Field, Schema
from pydantic import BaseModel, ConfigDict

from studio.common.errors import InvalidInputError
from studio.common.text import text_is_storable

M = TypeVar("M", bound=Model)
T = TypeVar("T")

LIMIT_MAX = 200


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some rows and where the next ones start."""

    items: list[T]
    next_cursor: str | None


class PageQuery(Schema):
    """The two query fields of every list."""

    limit: int = Field(50, ge=1, le=LIMIT_MAX)
    cursor: str | None = None


class PageOut(BaseModel, Generic[T]):
    """A page on the wire. No ``Schema`` of Ninja's, which would read each field of each row once more."""

    model_config = ConfigDict(from_attributes=True)

    items: list[T]
    next_cursor: str | None


def page_of(queryset: QuerySet[M, M], *, cursor: str | None, limit: int, order: str = "-id") -> Page[M]:
    """Cuts one page out of a query.

    Args:
        queryset: The rows; its own order is replaced.
        cursor: ``next_cursor`` of the page before; None starts.
        limit: Rows in a page.
        order: A unique field of the row, with ``-`` for descending.

    Raises:
        InvalidInputError: the cursor was not made here.
    """
    field = order.removeprefix("-")
    rows = queryset.order_by(order)
    if cursor:
        comparison = "lt" if order.startswith("-") else "gt"
        rows = rows.filter(**{f"{field}__{comparison}": cursor_decode(queryset.model, field, cursor)})
    found = list(rows[: limit + 1])
    if len(found) <= limit:
        return Page(found, None)
    return Page(found[:limit], cursor_encode(getattr(found[limit - 1], field)))


def cursor_encode(value: object) -> str:
    """A value as a cursor."""
    return base64.urlsafe_b64encode(str(value).encode()).decode().rstrip("=")


def cursor_decode(model: type[Model], field: str, cursor: str | None) -> Any:  # noqa: ANN401 - the type is the field's
    """The value of a cursor; "" for none.

    Raises:
        InvalidInputError: the cursor was not made here.
    """
    if not cursor:
        return ""
    column = model._meta.get_field(field)
    if not isinstance(column, models.Field):
        raise TypeError(f"{field} is no column of {model.__name__}")
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
        if not text_is_storable(text):
            raise ValueError("a character that cannot be stored")
        return column.to_python(text)
    except (binascii.Error, ValueError, ValidationError) as error:
        raise InvalidInputError(
            "The cursor is not one of ours.",
            hint="Start again without a cursor.",
            fields={"cursor": ["not a cursor"]},
        ) from error
