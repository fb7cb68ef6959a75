"""HTTP endpoints of what differs between versions, and of branches."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from automl.contracts.annotation import LabelName
from studio.accounts.sight import Sight
from studio.common.errors import InvalidInputError, NotFoundError
from studio.common.paging import PageOut, PageQuery
from studio.common.text import text_is_storable
from studio.datasets.items.http import project_dataset_for, sight_of
from studio.datasets.models import Dataset
from studio.datasets.versions.branches import branch_list
from studio.datasets.versions.diff_schemas import BranchesOut, BranchOut, DiffItemOut, DiffOut, Kind
from studio.datasets.versions.selectors import version_get
from studio.datasets.versions.version_diff import State, diff_page, diff_summary

router = Router(tags=["versions"])

WORKING = "working"
"""Stands for the dataset as it is now, where a version's id is asked for."""


class DiffQuery(Schema):
    """The two states that are compared: ids of versions, or ``working``."""

    before: str
    after: str = WORKING


class DiffItemsQuery(PageQuery, DiffQuery):
    """Which of the items that differ."""

    kind: Kind | None = None
    label: LabelName | None = None
    limit: int = Field(50, ge=1, le=200)


@router.get("/projects/{project}/diff", response=DiffOut, operation_id="version_diff")
def version_diff(request: HttpRequest, project: str, query: Query[DiffQuery]) -> DiffOut:
    """How much differs between two versions, or between a version and the working state."""
    return diff_summary(*_states(request, project, query))


@router.get("/projects/{project}/diff/items", response=PageOut[DiffItemOut], operation_id="version_diff_items")
def version_diff_items(request: HttpRequest, project: str, query: Query[DiffItemsQuery]) -> PageOut[DiffItemOut]:
    """The items that differ, in their order; a page may be short or empty although more follow."""
    cursor = query.cursor or ""
    if not text_is_storable(cursor):
        raise InvalidInputError("The cursor is not one of ours.", hint="Start again without a cursor.")
    before, after = _states(request, project, query)
    items, more = diff_page(before, after, kind=query.kind, label=query.label, cursor=cursor, limit=query.limit)
    return PageOut(items=items, next_cursor=more)


@router.get("/projects/{project}/branches", response=BranchesOut, operation_id="branch_list")
def branches(request: HttpRequest, project: str) -> BranchesOut:
    """The branch of the working state, and all branches."""
    dataset = project_dataset_for(request, "data.read", project)
    found = [
        BranchOut(
            name=one.name,
            head=one.head.id,
            head_number=one.head.number,
            num_versions=one.num_versions,
            made_at=one.head.created_at,
        )
        for one in branch_list(dataset)
    ]
    number = None if dataset.base is None else dataset.base.number
    return BranchesOut(branch=dataset.branch, base=dataset.base_id, base_number=number, branches=found)


def _states(request: HttpRequest, project: str, query: DiffQuery) -> tuple[State, State]:
    dataset = project_dataset_for(request, "data.read", project)
    sight = sight_of(request)
    return _state(sight, dataset, query.before), _state(sight, dataset, query.after)


def _state(sight: Sight, dataset: Dataset, name: str) -> State:
    if name == WORKING:
        return dataset
    version = version_get(sight, name)
    if version.project_id != dataset.project_id:
        raise NotFoundError("The project has no such version.")
    return version
