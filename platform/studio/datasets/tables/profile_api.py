"""HTTP endpoints of a table's profile."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from ninja import Router, Schema, Status

from automl.contracts.table import TableProfile
from studio.datasets.items.http import dataset_for
from studio.datasets.tables.profile_jobs import profile_start
from studio.datasets.tables.profile_state import profile_get
from studio.jobs.schemas import JobOut, job_out

router = Router(tags=["datasets"])


class ProfileOut(Schema):
    """The latest profile, and whether it still holds."""

    dataset: str
    profile: TableProfile | None
    profiled_at: datetime | None
    is_stale: bool
    """Whether rows, labels or columns have changed since."""
    job: JobOut | None
    """The latest job, running or ended."""


@router.get("/datasets/{dataset}/profile", response=ProfileOut, operation_id="profile_read")
def profile_read(request: HttpRequest, dataset: str) -> ProfileOut:
    """What the columns of a table look like and what to look at; 404 `no_columns` where items are no rows."""
    found = dataset_for(request, "data.read", dataset)
    state = profile_get(found)
    return ProfileOut(
        dataset=found.id,
        profile=state.profile,
        profiled_at=None if state.made is None else state.made.ended_at,
        is_stale=state.is_stale,
        job=None if state.latest is None else job_out(state.latest),
    )


@router.post("/datasets/{dataset}/profile", response={202: JobOut}, operation_id="profile_run")
def profile_run(request: HttpRequest, dataset: str) -> Status[JobOut]:
    """Looks at all rows in the background; while that runs, asking again gives the same job."""
    found = dataset_for(request, "data.write", dataset)
    return Status(202, job_out(profile_start(dataset=found)))
