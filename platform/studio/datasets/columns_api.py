"""HTTP door of a table's columns and of the cells of its rows."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from automl.contracts.table import MAX_COLUMNS, Column, TableSchema
from studio.accounts.access import principal_of
from studio.datasets import columns, target
from studio.datasets.doors import dataset_for
from studio.datasets.models import Dataset
from studio.jobs.models import Job
from studio.jobs.schemas import JobOut, job_out

router = Router(tags=["datasets"])


class ColumnsIn(Schema):
    """All columns, with what is to change."""

    columns: Annotated[list[Column], Field(max_length=MAX_COLUMNS)]
    revision: Annotated[int, Field(ge=0)]
    """What was read."""
    keeps_said: bool = True
    """Whether annotations that did not come from cells stay when rows are labelled anew."""
    labels_anew: bool = False
    """Whether rows are labelled although the target stays as it is."""


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


@router.get("/datasets/{dataset}/columns", response=ColumnsOut, operation_id="columns_read")
def columns_read(request: HttpRequest, dataset: str) -> ColumnsOut:
    """What the columns of a table mean, and which one is predicted; 404 `no_columns` where items are no rows."""
    found = dataset_for(request, "data.read", dataset)
    return _columns_out(found, columns.columns_of(found), _last_job(found))


@router.put("/datasets/{dataset}/columns", response=ColumnsOut, operation_id="columns_set")
def columns_set(request: HttpRequest, dataset: str, body: ColumnsIn) -> ColumnsOut:
    """Changes kinds, roles and formats, or chooses the target, whose cells a job then makes the rows' annotations.

    409 `columns_stale` when somebody was faster.
    """
    found, job = columns.columns_set(
        dataset=dataset_for(request, "data.write", dataset),
        columns=body.columns,
        revision=body.revision,
        actor=principal_of(request),
        keeps_said=body.keeps_said,
        labels_anew=body.labels_anew,
    )
    return _columns_out(found, columns.columns_of(found), job or _last_job(found))


def _columns_out(dataset: Dataset, schema: TableSchema, job: Job | None) -> ColumnsOut:
    chosen = schema.target
    is_number = target.predicts_number(dataset.project)
    return ColumnsOut(
        columns=list(schema.columns),
        revision=dataset.columns_revision,
        target=None if chosen is None else chosen.name,
        suggested_target=None if chosen is not None else target.target_suggested(schema, is_number=is_number),
        job=None if job is None else job_out(job),
    )


def _last_job(dataset: Dataset) -> Job | None:
    return Job.objects.filter(subject=dataset.id, kind=columns.LABEL_ROWS).order_by("-id").first()
