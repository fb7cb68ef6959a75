"""The job ``profile``: when it starts, what it is given, what follows its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from django.conf import settings
from django.db import connection

from automl.contracts.job import JobLimits, JobSpec, JobState
from automl.contracts.table import COLUMNS_FILE, ROWS_FILE
from automl.contracts.words import Words
from studio.common.errors import InvalidInputError
from studio.common.events import event_record
from studio.datasets.models import Dataset, Item
from studio.datasets.tables.columns import columns_of
from studio.datasets.tables.profile_state import PROFILE, job_running, mark_of
from studio.datasets.versions.working_tables import query_tables
from studio.jobs.handlers import Executor
from studio.jobs.models import Job
from studio.jobs.services import job_submit_once
from studio.jobs.threads import job_threads

words = Words(__file__)

EXECUTORS: Mapping[str, Executor] = {PROFILE: "engine"}

_SCHEMA = pa.schema([(name, pa.string()) for name in ("row", "split", "annotations")])


class ProfileEmptyError(InvalidInputError):
    """There is nothing to look at."""

    code = "profile_empty"
    title = "The table has no rows"

    def __init__(self) -> None:
        super().__init__(hint="Upload a table first.")


def profile_start(*, dataset: Dataset) -> Job:
    """Has the table looked at as it stands; while that runs, asking again gives the same job.

    Args:
        dataset: with its project.

    Raises:
        NoColumnsError: the dataset holds no rows of a table.
        ProfileEmptyError: it has none yet.
    """
    columns_of(dataset)
    running = job_running(dataset)
    if running is not None:
        return running
    if not dataset.columns or not Item.objects.filter(dataset=dataset, deleted_at=None).exists():
        raise ProfileEmptyError
    job, _ = job_submit_once(
        workspace=dataset.project.workspace_id,
        project=dataset.project_id,
        kind=PROFILE,
        title=words("job.profile", name=dataset.name),
        subject=dataset.id,
        payload={"mark": mark_of(dataset)},
    )
    return job


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Writes the columns and all living rows as they stand."""
    dataset = Dataset.objects.select_related("project").get(id=job.subject)
    data = workdir / "data"
    data.mkdir(parents=True, exist_ok=True)
    columns_of(dataset).write(data / COLUMNS_FILE)
    with pq.ParquetWriter(data / ROWS_FILE, _SCHEMA, compression="lz4", use_dictionary=["split", "annotations"]) as writer:
        for table in _rows(dataset):
            writer.write_table(table)
    return JobSpec(
        id=job.id,
        kind="profile",
        task=dataset.project.task,
        cache_dir=str(settings.CACHE_DIR),
        assets_dir=str(settings.ASSETS_DIR),
        limits=JobLimits(num_threads=job_threads(job)),
        lineage={"project": dataset.project_id},
    )


def job_ended(job: Job) -> None:
    """Lets pages that are open know. Harmless when repeated."""
    if job.state == JobState.SUCCEEDED.value:
        event_record(
            workspace=job.workspace_id, project=job.project_id, type="profile.made", subject=job.subject, data={"job": job.id}
        )


def _rows(dataset: Dataset) -> Iterator[pa.Table]:
    """Living rows in the order in which they came: canonical JSON, split, and annotations, empty where nothing is said."""
    quote = connection.ops.quote_name
    columns = (quote("text"), quote("split"), f"COALESCE(CAST({quote('annotations')} AS text), '')")
    query = (
        f"SELECT {', '.join(columns)} FROM {quote(Item._meta.db_table)} "  # noqa: S608 - names of our own columns
        f"WHERE {quote('dataset_id')} = %s AND {quote('deleted_at')} IS NULL ORDER BY {quote('id')}"
    )
    yield from query_tables(query, [dataset.id], _SCHEMA)
