"""HTTP endpoints of sources: data that the server fetches itself."""

from __future__ import annotations

from typing import Literal

from django.http import HttpRequest
from ninja import Router, Schema, Status

from studio.accounts.access import principal_of
from studio.accounts.rates import Rate, rate_check
from studio.datasets.items.http import dataset_for
from studio.datasets.models import LabelSource
from studio.datasets.uploads.examples import examples_collect
from studio.datasets.uploads.present import upload_out
from studio.datasets.uploads.schemas import UploadOut
from studio.datasets.uploads.sources.collect import folders_open, source_collect
from studio.datasets.uploads.sources.kinds import Source
from studio.jobs.schemas import JobOut, job_out

router = Router(tags=["datasets"])


class SourceIn(Schema):
    """A source, and whether the first folder of a name is a label."""

    source: Source
    labels: Literal["folder", "none"] = "none"


class CollectOut(Schema):
    """The upload that lists what came, and the job that fetches it."""

    upload: UploadOut
    job: JobOut


class SourcesOut(Schema):
    """What can be collected from besides addresses and buckets."""

    folders: list[str]
    """Places of the server that the operator has opened."""


@router.get("/datasets/{dataset}/sources", response=SourcesOut, operation_id="source_list")
def source_list(request: HttpRequest, dataset: str) -> SourcesOut:
    """The folders of the server that may be collected from."""
    dataset_for(request, "data.write", dataset)
    return SourcesOut(folders=[str(root) for root in folders_open()])


@router.post("/datasets/{dataset}/sources", response={202: CollectOut}, operation_id="source_collect")
def source_start(request: HttpRequest, dataset: str, body: SourceIn) -> Status[CollectOut]:
    """Fetches data from addresses, a folder of the server, a bucket or a database, in the background."""
    found = dataset_for(request, "data.write", dataset)
    rate_check(request, Rate.SOURCES)
    upload, job = source_collect(
        dataset=found, actor=principal_of(request), source=body.source, labels=LabelSource(body.labels)
    )
    return Status(202, CollectOut(upload=upload_out(upload), job=job_out(job)))


@router.post("/datasets/{dataset}/examples", response={202: CollectOut}, operation_id="examples_collect")
def examples_start(request: HttpRequest, dataset: str, quickstart: str | None = None) -> Status[CollectOut]:
    """Brings real examples of the project's task, in the background: the usual ones, or those of one of its quick starts."""
    found = dataset_for(request, "data.write", dataset)
    rate_check(request, Rate.SOURCES)
    upload, job = examples_collect(dataset=found, actor=principal_of(request), quickstart=quickstart)
    return Status(202, CollectOut(upload=upload_out(upload), job=job_out(job)))
