"""HTTP endpoints of a table's columns and of the cells of its rows."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field, model_validator

from automl.contracts.table import MAX_COLUMNS, Column, Row, TableSchema
from studio.accounts.access import principal_of
from studio.accounts.schemas import ActorOut, actors_out
from studio.datasets.files.rows import row_of
from studio.datasets.items.http import dataset_for, item_for
from studio.datasets.items.present import item_out
from studio.datasets.items.schemas import ItemOut
from studio.datasets.models import Dataset
from studio.datasets.tables import columns, row_edit, target
from studio.datasets.tables.targets import target_kind
from studio.jobs.models import Job
from studio.jobs.schemas import JobOut, job_out

router = Router(tags=["datasets"])


class ColumnsIn(Schema):
    """All columns, with what is to change."""

    columns: Annotated[list[Column], Field(max_length=MAX_COLUMNS)]
    revision: Annotated[int, Field(ge=0)]
    """What was read."""
    keeps_annotations: bool = True
    """Whether annotations that did not come from cells stay when rows are labelled anew."""
    keeps_said: Annotated[bool | None, Field(deprecated=True, description="Earlier name of `keeps_annotations`.")] = None
    labels_anew: bool = False
    """Whether rows are labelled although the target stays as it is."""

    @model_validator(mode="after")
    def _earlier_name_counts(self) -> ColumnsIn:
        if self.keeps_said is not None and "keeps_annotations" not in self.model_fields_set:
            self.keeps_annotations = self.keeps_said
        return self


class ColumnsOut(Schema):
    """The columns in the order of the file that came first."""

    columns: list[Column]
    revision: int
    """Counts the changes; to be sent back with the next one."""
    target: str | None
    """The column that is predicted."""
    suggested_target: str | None
    """The column that probably is to be predicted, while nobody has chosen one."""
    job: JobOut | None
    """The job that labels the rows, or did so last."""


class CellsIn(Schema):
    """Cells that change, by column; null empties one."""

    cells: Annotated[dict[str, Annotated[str, Field(max_length=1_000_000)] | None], Field(max_length=MAX_COLUMNS)]
    blob: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Of the row as it was read."""


class CellsUndoIn(Schema):
    """Which state of the row the caller saw."""

    blob: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class RowRevisionOut(Schema):
    """What a row held before a change of its cells."""

    row: Row
    blob: str
    changed_by: ActorOut
    changed_at: datetime


@router.get("/datasets/{dataset}/columns", response=ColumnsOut, operation_id="columns_read")
def columns_read(request: HttpRequest, dataset: str) -> ColumnsOut:
    """What the columns of a table mean, and which one is predicted; 404 `no_columns` where items are no rows."""
    found = dataset_for(request, "data.read", dataset)
    return _columns_out(found, columns.columns_of(found), _last_job(found))


@router.put("/datasets/{dataset}/columns", response=ColumnsOut, operation_id="columns_set")
def columns_set(request: HttpRequest, dataset: str, body: ColumnsIn) -> ColumnsOut:
    """Changes kinds, roles and formats, or chooses the target, whose cells a job then makes the rows' annotations.

    409 `columns_stale` when somebody was faster; 422 `too_many_classes` when the target has too many values to be a category.
    """
    found, job = columns.columns_set(
        dataset=dataset_for(request, "data.write", dataset),
        columns=body.columns,
        revision=body.revision,
        actor=principal_of(request),
        keeps_annotations=body.keeps_annotations,
        labels_anew=body.labels_anew,
    )
    return _columns_out(found, columns.columns_of(found), job or _last_job(found))


def _columns_out(dataset: Dataset, schema: TableSchema, job: Job | None) -> ColumnsOut:
    chosen = schema.target
    return ColumnsOut(
        columns=list(schema.columns),
        revision=dataset.columns_revision,
        target=None if chosen is None else chosen.name,
        suggested_target=None if chosen is not None else target.target_suggested(schema, target_kind(dataset.project)),
        job=None if job is None else job_out(job),
    )


def _last_job(dataset: Dataset) -> Job | None:
    return Job.objects.filter(subject=dataset.id, kind=columns.LABEL_ROWS).order_by("-id").first()


@router.patch("/items/{item}/cells", response=ItemOut, operation_id="cells_set")
def cells_set(request: HttpRequest, item: str, body: CellsIn) -> ItemOut:
    """Changes cells of a row; versions keep what they hold. 409 `row_stale` when somebody was faster."""
    found = item_for(request, "data.write", item)
    return item_out(row_edit.cells_set(item=found, cells=body.cells, blob=body.blob, actor=principal_of(request)))


@router.post("/items/{item}/cells/undo", response=ItemOut, operation_id="cells_undo")
def cells_undo(request: HttpRequest, item: str, body: CellsUndoIn) -> ItemOut:
    """Takes the last change of a row's cells back; 409 `row_unchanged` when there is none."""
    found = item_for(request, "data.write", item)
    return item_out(row_edit.cells_undo(item=found, blob=body.blob, actor=principal_of(request)))


@router.get("/items/{item}/cells/history", response=list[RowRevisionOut], operation_id="cells_history")
def cells_history(request: HttpRequest, item: str) -> list[RowRevisionOut]:
    """What the row held before each change of its cells, the latest first."""
    found = item_for(request, "data.read", item)
    columns.columns_of(found.dataset)
    revisions = row_edit.row_history(found)
    actors = actors_out({one.changed_by.partition(":")[2] for one in revisions})
    return [
        RowRevisionOut(
            row=row_of(one.text),
            blob=one.blob,
            changed_by=actors[one.changed_by.partition(":")[2]],
            changed_at=one.changed_at,
        )
        for one in revisions
    ]
