"""The jobs ``embed`` and ``map``: when they start, what they are given, what follows their end.

A sweep starts them, not the upload: a thousand small uploads become a few jobs, and whoever uploads waits for nothing. Items
are taken in the order of their ids up to a mark that the job's payload keeps, so that to see that nothing is new costs one
look into an index.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.fields.json import KT
from django.utils import timezone

from automl.contracts.base import Text
from automl.contracts.dataset import blob_path
from automl.contracts.job import JobLimits, JobSpec, JobState
from engine.embedding.spec import EDITION, SHARDS_DIR, WANTED_FILE
from studio.common.blobs import BlobMissingError, blobs
from studio.common.errors import ConflictError
from studio.common.ids import id_at, id_time_s
from studio.datasets.embeddings import EMBED, MAP, embeddings_load, map_load, shard_folder, shard_jobs
from studio.datasets.models import Dataset, Item
from studio.datasets.similar import graph_keep
from studio.jobs.handlers import Executor
from studio.jobs.models import Job
from studio.jobs.services import job_submit
from studio.jobs.states import FINISHED
from studio.projects.hooks import embeddings_added

EXECUTORS: Mapping[str, Executor] = {EMBED: "engine", MAP: "engine"}

ITEMS_PER_JOB = 4_000
"""About a minute of one core; then others have their turn, and what is done can be used."""
SETTLE_S = 2.0
"""An item so young may still be in a transaction with older ones."""
OVERLAP_S = 60.0
"""So far behind its mark a job looks again for items that were committed late."""
RETRY_AFTER = timedelta(minutes=5)
"""How long a failed or cancelled job keeps the sweep from another."""
MAP_GROWTH = 1.1
"""A map is drawn anew when there are so many times more embeddings than it shows."""
MAP_LEAST = 12
"""Fewer pictures make no map."""


class MapTooSmallError(ConflictError):
    """Too few pictures have been looked at."""

    code = "map_too_small"
    title = "Too few pictures for a map"

    def __init__(self) -> None:
        super().__init__(
            f"A map needs {MAP_LEAST} pictures that the platform has looked at.",
            hint="Upload more pictures, or wait until those that are there have been looked at.",
        )


_FINISHED = [state.value for state in FINISHED]


def embeddings_sweep(*, now_s: float | None = None) -> list[Job]:
    """Starts a job for each dataset that has items without embeddings; returns the jobs started."""
    settled = id_at(Item.ID_PREFIX, (time.time() if now_s is None else now_s) - SETTLE_S)
    newest = Item.objects.filter(dataset=OuterRef("id"), id__lt=settled).order_by("-id")
    last = Job.objects.filter(project=OuterRef("project"), kind=EMBED, subject=OuterRef("id")).order_by("-id")
    datasets = (
        Dataset.objects.select_related("project")
        .filter(project__deleted_at=None)
        .annotate(
            newest=Subquery(newest.values("id")[:1]),
            last=Subquery(last.values("id")[:1]),
            mark=Subquery(last.values(mark=KT("payload__until"))[:1]),
            edition=Subquery(last.values(edition=KT("payload__edition"))[:1]),
            last_state=Subquery(last.values("state")[:1]),
            last_end=Subquery(last.values("ended_at")[:1]),
        )
        .filter(newest__isnull=False)
        .filter(Q(last=None) | Q(last_state__in=_FINISHED))
        .filter(Q(mark=None) | Q(newest__gt=F("mark")) | ~Q(edition=EDITION) | ~Q(last_state=JobState.SUCCEEDED.value))
        .filter(Q(last=None) | Q(last_state=JobState.SUCCEEDED.value) | Q(last_end__lt=timezone.now() - RETRY_AFTER))
    )
    return [embed_submit(dataset=dataset, newest=dataset.newest) for dataset in datasets]


def embed_submit(*, dataset: Dataset, newest: str) -> Job:
    """Queues the job for the next items of a dataset.

    Args:
        dataset: with its project.
        newest: id of the newest item that may be taken.
    """
    shards = shard_jobs(dataset)
    mark = max((job.payload["until"] for job in shards), default="")
    rows = Item.objects.filter(dataset=dataset, id__gt=mark, id__lte=newest).order_by("id").values_list("id", flat=True)
    until = rows[ITEMS_PER_JOB - 1 : ITEMS_PER_JOB].first() or newest
    num_ended = Job.objects.filter(project=dataset.project_id, kind=EMBED, subject=dataset.id, state__in=_FINISHED).count()
    return job_submit(
        workspace=dataset.project.workspace_id,
        project=dataset.project_id,
        kind=EMBED,
        title=Text(en="Looking at the pictures", zh="分析图片特征"),
        subject=dataset.id,
        payload={
            "edition": EDITION,
            "since": mark,
            "until": until,
            "takes": _small(shards, rows.count() if until == newest else ITEMS_PER_JOB),
        },
        idempotency_key=f"{EMBED}:{dataset.id}:{num_ended}",
    )


def map_submit(*, dataset: Dataset) -> Job:
    """Queues the drawing of a map; while one waits or runs, it is that one.

    Raises:
        MapTooSmallError: there are too few embeddings.
    """
    if len(embeddings_load(dataset)) < MAP_LEAST:
        raise MapTooSmallError
    num_ended = Job.objects.filter(project=dataset.project_id, kind=MAP, subject=dataset.id, state__in=_FINISHED).count()
    return job_submit(
        workspace=dataset.project.workspace_id,
        project=dataset.project_id,
        kind=MAP,
        title=Text(en="Drawing the map of the pictures", zh="绘制图片地图"),
        subject=dataset.id,
        payload={"shards": [job.id for job in shard_jobs(dataset)]},
        idempotency_key=f"{MAP}:{dataset.id}:{num_ended}",
    )


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Links pictures and shards and says which pictures are wanted."""
    dataset = Dataset.objects.select_related("project").get(id=job.subject)
    data = workdir / "data"
    data.mkdir(parents=True, exist_ok=True)
    _shards_place(job.payload["takes"] if job.kind == EMBED else job.payload["shards"], data / SHARDS_DIR)
    if job.kind == EMBED:
        wanted = _wanted(dataset, job.payload["since"], job.payload["until"])
        (data / WANTED_FILE).write_text("\n".join(wanted), encoding="ascii")
        _blobs_place(wanted, data)
    return JobSpec(
        id=job.id,
        kind="embed" if job.kind == EMBED else "map",
        task=dataset.project.task,
        cache_dir=str(settings.CACHE_DIR),
        assets_dir=str(settings.ASSETS_DIR),
        limits=JobLimits(num_threads=settings.JOB_THREADS),
        lineage={"project": dataset.project_id},
    )


def job_ended(job: Job) -> None:
    """Lets those who use embeddings know, and has the map drawn anew once it lacks too much. Harmless when repeated."""
    if job.state != JobState.SUCCEEDED.value or job.kind != EMBED:
        return
    graph_keep()
    dataset = Dataset.objects.select_related("project").get(id=job.subject)
    embeddings_added(dataset.project)
    has_more = Item.objects.filter(dataset=dataset, id__gt=job.payload["until"]).exists()
    num_rows, drawn = len(embeddings_load(dataset)), map_load(dataset)
    if not has_more and num_rows >= max(MAP_LEAST, MAP_GROWTH * (0 if drawn is None else len(drawn.blobs_N))):
        map_submit(dataset=dataset)


def _small(shards: Sequence[Job], num_new: int) -> list[str]:
    """The newest shards that are small beside what comes: taken in, they leave a logarithmic number of files."""
    taken: list[str] = []
    size = float(num_new)
    for shard in reversed(shards):
        if shard.metrics.get("num_rows", 0.0) > 2 * size:
            break
        taken.append(shard.id)
        size += shard.metrics.get("num_rows", 0.0)
    return taken


def _wanted(dataset: Dataset, since: str, until: str) -> list[str]:
    """Pictures of the items between two marks that have no embedding, deleted ones too: they may come back."""
    start = id_at(Item.ID_PREFIX, id_time_s(since) - OVERLAP_S) if since else ""
    rows = Item.objects.filter(dataset=dataset, id__gt=start, id__lte=until).order_by("id")
    wanted = list(rows.values_list("blob", flat=True))
    rows_M = embeddings_load(dataset).find(wanted)
    return [blob for blob, row in zip(wanted, rows_M, strict=True) if row < 0]


def _shards_place(jobs: Sequence[str], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for number, job in enumerate(jobs):
        link = folder / f"{number:05d}"
        link.unlink(missing_ok=True)
        link.symlink_to(shard_folder(job), target_is_directory=True)


def _blobs_place(wanted: Sequence[str], data: Path) -> None:
    """Links all blobs at once where they lie on this host, else each from the cache, which fetches what it lacks."""
    root = blobs().link_root()
    if root is not None:
        if not (data / "blobs").is_symlink():
            (data / "blobs").symlink_to(root, target_is_directory=True)
        return
    for blob in wanted:
        target = data / blob_path(blob)
        if not target.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            # A picture that is lost is one that cannot be read; the others go on.
            with contextlib.suppress(BlobMissingError):
                target.symlink_to(blobs().local_path(blob))
