"""HTTP endpoints of versions. They are cut by the labelling app."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field, ValidationError

from automl.contracts.annotation import LabelName
from automl.contracts.dataset import Split, SplitShares
from studio.common.errors import InvalidInputError
from studio.common.paging import PageOut, PageQuery
from studio.datasets.items.http import project_dataset_for
from studio.datasets.versions import selectors
from studio.datasets.versions.diff_api import router as diff_router
from studio.datasets.versions.http import version_for
from studio.datasets.versions.manifest import version_items, version_items_where
from studio.datasets.versions.present import version_items_out, version_out
from studio.datasets.versions.ruled_splits import split_fields
from studio.datasets.versions.schemas import SplitFieldsOut, SplitPreviewOut, VersionItemOut, VersionOut
from studio.datasets.versions.split_preview import split_preview
from studio.datasets.versions.split_rule import SplitBy, SplitRule

router = Router(tags=["versions"])
router.add_router("", diff_router)


class VersionItemsQuery(PageQuery):
    """Which rows of a version."""

    split: Split | None = None
    label: LabelName | None = None


class RuleQuery(Schema):
    """What decides on the splits, to be tried."""

    by: SplitBy | None = None
    """None: what has been chosen for the project, at first labels."""
    field: Annotated[str, Field(max_length=256)] = ""
    """A column of a table, or a name of metadata; empty by labels, and by time for when the items were uploaded."""


@router.get("/projects/{project}/versions", response=PageOut[VersionOut], operation_id="version_list")
def version_list(request: HttpRequest, project: str, page: Query[PageQuery]) -> PageOut[VersionOut]:
    """Versions, newest first."""
    dataset = project_dataset_for(request, "data.read", project)
    found = selectors.version_page(dataset.project, cursor=page.cursor, limit=page.limit)
    return PageOut(items=[version_out(version) for version in found.items], next_cursor=found.next_cursor)


@router.get("/projects/{project}/split-preview", response=SplitPreviewOut, operation_id="split_preview")
def split_preview_read(
    request: HttpRequest, project: str, shares: Query[SplitShares], query: Query[RuleQuery]
) -> SplitPreviewOut:
    """How many items each split of a version cut now would hold. The shares count for the first version alone."""
    rule = None if query.by is None else _rule(query.by, query.field)
    found = split_preview(project_dataset_for(request, "data.read", project), shares, rule)
    return SplitPreviewOut(by_split=found.by_split, is_exact=found.is_exact, rule=found.rule, num_without=found.num_without)


@router.get("/projects/{project}/split-fields", response=SplitFieldsOut, operation_id="split_fields")
def split_fields_read(request: HttpRequest, project: str) -> SplitFieldsOut:
    """The fields by which the splits of the next version can be made."""
    found = split_fields(project_dataset_for(request, "data.read", project))
    return SplitFieldsOut(moments=list(found.moments), values=list(found.values))


@router.get("/versions/{version}", response=VersionOut, operation_id="version_read")
def version_read(request: HttpRequest, version: str) -> VersionOut:
    """One version."""
    return version_out(version_for(request, "data.read", version))


@router.get("/versions/{version}/items", response=PageOut[VersionItemOut], operation_id="version_rows")
def version_rows(request: HttpRequest, version: str, query: Query[VersionItemsQuery]) -> PageOut[VersionItemOut]:
    """The rows of a version, in their order; a filtered page may be short or empty although more follow."""
    found = version_for(request, "data.read", version)
    start = _row(query.cursor)
    if query.split is None and query.label is None:
        rows = version_items(found, start=start, count=query.limit + 1)
        more = start + query.limit if len(rows) > query.limit else None
    else:
        rows, more = version_items_where(found, split=query.split, label=query.label, start=start, count=query.limit)
    items = version_items_out(rows[: query.limit])
    return PageOut(items=items, next_cursor=None if more is None else _cursor(more))


def _rule(by: SplitBy, field: str) -> SplitRule:
    try:
        return SplitRule(by=by, field=field)
    except ValidationError as error:
        message = error.errors()[0]["msg"]
        raise InvalidInputError(message, hint="Name a field, or let labels decide.", fields={"field": [message]}) from None


def _cursor(row: int) -> str:
    return base64.urlsafe_b64encode(str(row).encode()).decode()


def _row(cursor: str | None) -> int:
    if cursor is None:
        return 0
    try:
        row = int(base64.urlsafe_b64decode(cursor))
    except (binascii.Error, ValueError):
        row = -1
    if row < 0:
        raise InvalidInputError("The cursor is not one of ours.", hint="Start again without a cursor.")
    return row
