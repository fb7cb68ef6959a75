"""HTTP endpoints of notices. A person meets their own alone; keys have none."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, cast

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from automl.contracts.base import Text
from studio.accounts import notices
from studio.accounts.access import person_of, principal_of
from studio.accounts.notices import NoticeKind
from studio.common.paging import LIMIT_MAX, PageOut, PageQuery, page_of

router = Router(tags=["accounts"])


class NoticeOut(Schema):
    """Something that the caller should know of."""

    id: str
    workspace: str
    workspace_name: str
    kind: NoticeKind
    text: Text
    path: str
    """The page that it leads to."""
    at: datetime
    read_at: datetime | None


class NoticesQuery(PageQuery):
    """Which notices."""

    is_unread: bool = False
    """Only those that are not read."""


class NoticeCountOut(Schema):
    """How much is new."""

    num_unread: int


class NoticesReadIn(Schema):
    """What the caller has read."""

    ids: Annotated[list[str], Field(max_length=LIMIT_MAX)] | None = None
    """None: everything."""


@router.get("/notices", response=PageOut[NoticeOut], operation_id="notices_list")
def notices_list(request: HttpRequest, query: Query[NoticesQuery]) -> PageOut[NoticeOut]:
    """The caller's notices, newest first."""
    person_of(request)
    rows = notices.notices_of(principal_of(request))
    if query.is_unread:
        rows = rows.filter(read_at=None)
    page = page_of(rows, cursor=query.cursor, limit=query.limit)
    items = [
        NoticeOut(
            id=row.id,
            workspace=row.workspace_id,
            workspace_name=row.workspace.name,
            kind=cast("NoticeKind", row.kind),
            text=notices.notice_text(row),
            path=row.path,
            at=row.created_at,
            read_at=row.read_at,
        )
        for row in page.items
    ]
    return PageOut(items=items, next_cursor=page.next_cursor)


@router.get("/notices/count", response=NoticeCountOut, operation_id="notices_count")
def notices_count(request: HttpRequest) -> NoticeCountOut:
    """How many notices the caller has not read."""
    person_of(request)
    return NoticeCountOut(num_unread=notices.notices_of(principal_of(request)).filter(read_at=None).count())


@router.post("/notices/read", response={204: None}, operation_id="notices_read")
def notices_read(request: HttpRequest, body: NoticesReadIn) -> Status[None]:
    """Marks notices as read."""
    person_of(request)
    notices.notices_read(principal_of(request), body.ids)
    return Status(204, None)
