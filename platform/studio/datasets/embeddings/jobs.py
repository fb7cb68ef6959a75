"""The jobs ``embed`` and ``map``: when they start, what they are given, what follows their end.

A sweep starts them, not the upload: a thousand small uploads become a few jobs, and whoever uploads waits for nothing. Items
are taken in the order of their ids up to a mark that the job's payload keeps, so that to see that nothing is new costs one
look into an index.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Case, CharField, Exists, F, OuterRef, Q, Subquery, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Left
from django.utils import timezone

from automl.contracts.base import Text
from automl.contracts.dataset import blob_path
from automl.contracts.job import JobLimits, JobSpec, JobState
from engine.embedding.spec import MISSING_FILE, SHARDS_DIR, TEXT_CHARACTERS, TEXTS_FILE, recipe_of
from engine.tasks import task_names, task_spec
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.common.errors import ConflictError
from studio.common.ids import id_at, id_time_s
from studio.datasets.embeddings.similar import graph_keep
from studio.datasets.embeddings.store import (
    EMBED,
    MAP,
    embeddings_load,
    map_load,
    recipe_for,
    shard_folder,
    shard_jobs,
    shard_of,
)
from studio.datasets.hooks import embeddings_added
from studio.datasets.items.annotations import CHUNK, chunks
from studio.datasets.items.kinds import kind_of
from studio.datasets.items.upload_order import MOST_BACK_S
from studio.datasets.models import Dataset, Item, Upload, UploadKind, UploadState
from studio.jobs.handlers import Executor
from studio.jobs.models import Job
from studio.jobs.services import job_submit_once
from studio.jobs.states import FINISHED
from studio.jobs.threads import job_threads

EXECUTORS: Mapping[str, Executor] = {EMBED: "engine", MAP: "engine"}
BACKGROUND = frozenset({EMBED, MAP})

ITEMS_PER_JOB = 4_000
"""About a minute of one core, two where they are long texts; then others have their turn, and what is done can be used."""
SETTLE_S = 2.0
"""An item so young may still be in a transaction with older ones."""
OVERLAP_S = 60.0
"""So far behind its mark a job looks again for items that were committed late."""
RETRY_AFTER = timedelta(minutes=5)
"""How long a failed or cancelled job keeps the sweep from another."""
MAP_GROWTH = 1.1
"""A map is drawn anew when there are so many times more embeddings than it shows."""
MAP_LEAST = 12
"""Fewer items make no map."""


class MapTooSmallError(ConflictError):
    """Too few items have been looked at."""

    code = "map_too_small"
    title = "Too few items for a map"
    param_names = ("least",)

    def __init__(self) -> None:
        super().__init__(
            f"A map needs {MAP_LEAST} items that the platform has looked at.",
            hint="Upload more, or wait until those that are there have been looked at.",
            params={"least": MAP_LEAST},
        )


class EmbeddingUnfitError(ConflictError):
    """Nothing turns items of this kind into vectors."""

    code = "features_unsupported"
    title = "Items of this kind cannot be compared"

    def __init__(self) -> None:
        super().__init__(
            "The platform has no model that compares the items of this project.",
            hint="Suggestions, the map and the search for like items are there for pictures and texts.",
        )


_FINISHED = [state.value for state in FINISHED]


def embeddings_sweep(*, now_s: float | None = None) -> list[Job]:
    """Starts a job for each dataset that has items without embeddings; returns the jobs started."""
    settled_s = (time.time() if now_s is None else now_s) - SETTLE_S
    settled, overtaken = id_at(Item.ID_PREFIX, settled_s), id_at(Item.ID_PREFIX, settled_s - MOST_BACK_S)
    items = Item.objects.filter(dataset=OuterRef("id")).order_by("-id").values("id")
    batches = Upload.objects.filter(dataset=OuterRef("id"), kind=UploadKind.BATCH, state=UploadState.RECEIVING)
    # Of batches that travel side by side, one that was overtaken still comes before what is there.
    arrives = When(Exists(batches), then=Subquery(items.filter(id__lt=overtaken)[:1]))
    last = Job.objects.filter(project=OuterRef("project"), kind=EMBED, subject=OuterRef("id")).order_by("-id")
    edition_of = _editions()
    of_task = [When(project__task=task, then=Value(edition)) for task, edition in edition_of.items()]
    datasets = (
        Dataset.objects.select_related("project")
        .filter(project__deleted_at=None, project__task__in=list(edition_of))
        .annotate(
            current_edition=Case(*of_task, output_field=CharField()),
            newest=Case(arrives, default=Subquery(items.filter(id__lt=settled)[:1]), output_field=CharField()),
            last=Subquery(last.values("id")[:1]),
            mark=Subquery(last.values(mark=KT("payload__until"))[:1]),
            edition=Subquery(last.values(edition=KT("payload__edition"))[:1]),
            last_state=Subquery(last.values("state")[:1]),
            last_end=Subquery(last.values("ended_at")[:1]),
        )
        .filter(newest__isnull=False)
        .filter(Q(last=None) | Q(last_state__in=_FINISHED))
        .filter(
            Q(mark=None) | Q(newest__gt=F("mark")) | ~Q(edition=F("current_edition")) | ~Q(last_state=JobState.SUCCEEDED.value)
        )
        .filter(Q(last=None) | Q(last_state=JobState.SUCCEEDED.value) | Q(last_end__lt=timezone.now() - RETRY_AFTER))
    )
    return [embed_submit(dataset=dataset, newest=dataset.newest) for dataset in datasets]


def _editions() -> dict[str, str]:
    """The tasks whose items become vectors, with the edition of these."""
    recipes = {task: recipe_of(task_spec(task).modality) for task in task_names()}
    return {task: recipe.edition for task, recipe in recipes.items() if recipe is not None}


def embed_submit(*, dataset: Dataset, newest: str) -> Job:
    """Queues the job for the next items of a dataset; where a shard is lost, for all that have no embedding without it.

    Args:
        dataset: with its project.
        newest: id of the newest item that may be taken.

    Raises:
        EmbeddingUnfitError: its items do not become vectors.
    """
    recipe = recipe_for(dataset)
    if recipe is None:
        raise EmbeddingUnfitError
    shards = shard_jobs(dataset)
    lost = [job.id for job in shards if shard_of(job.id) is None]
    mark = "" if lost else max((job.payload["until"] for job in shards), default="")
    rows = Item.objects.filter(dataset=dataset, id__gt=mark, id__lte=newest).order_by("id").values_list("id", flat=True)
    until = newest if lost else rows[ITEMS_PER_JOB - 1 : ITEMS_PER_JOB].first() or newest
    whole = [job for job in shards if job.id not in lost]
    job, _ = job_submit_once(
        workspace=dataset.project.workspace_id,
        project=dataset.project_id,
        kind=EMBED,
        title=_title(EMBED, dataset),
        subject=dataset.id,
        payload={
            "edition": recipe.edition,
            "since": mark,
            "until": until,
            "takes": [*_small(whole, rows.count() if until == newest else ITEMS_PER_JOB), *lost],
        },
    )
    return job


def map_submit(*, dataset: Dataset) -> Job:
    """Queues the drawing of a map; while one waits or runs, it is that one.

    Raises:
        MapTooSmallError: there are too few embeddings.
    """
    if len(embeddings_load(dataset)) < MAP_LEAST:
        raise MapTooSmallError
    job, _ = job_submit_once(
        workspace=dataset.project.workspace_id,
        project=dataset.project_id,
        kind=MAP,
        title=_title(MAP, dataset),
        subject=dataset.id,
        payload={"shards": [job.id for job in shard_jobs(dataset)]},
    )
    return job


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Links pictures or writes texts, links shards, and says which items are wanted."""
    dataset = Dataset.objects.select_related("project").get(id=job.subject)
    data = workdir / "data"
    data.mkdir(parents=True, exist_ok=True)
    _shards_place(job.payload["takes"] if job.kind == EMBED else job.payload["shards"], data / SHARDS_DIR)
    if job.kind == EMBED:
        blobs = _blobs_missing(dataset, job.payload["since"], job.payload["until"])
        (data / MISSING_FILE).write_text("\n".join(blobs), encoding="ascii")
        if kind_of(dataset.project).keeps_text:
            (data / TEXTS_FILE).write_text(json.dumps(_texts(dataset, blobs), ensure_ascii=False), encoding="utf-8")
        else:
            _blobs_place(blobs, data)
    return JobSpec(
        id=job.id,
        kind="embed" if job.kind == EMBED else "map",
        task=dataset.project.task,
        cache_dir=str(settings.CACHE_DIR),
        assets_dir=str(settings.ASSETS_DIR),
        limits=JobLimits(num_threads=job_threads(job)),
        lineage={"project": dataset.project_id},
    )


def job_ended(job: Job) -> None:
    """Lets those who use embeddings know, and has the map drawn anew once it lacks too much. Harmless when repeated."""
    if job.state != JobState.SUCCEEDED.value or job.kind != EMBED:
        return
    dataset = Dataset.objects.select_related("project").get(id=job.subject)
    recipe = recipe_for(dataset)
    if recipe is not None:
        graph_keep(recipe)
    embeddings_added(dataset.project)
    has_more = Item.objects.filter(dataset=dataset, id__gt=job.payload["until"]).exists()
    num_rows, drawn = len(embeddings_load(dataset)), map_load(dataset)
    if not has_more and num_rows >= max(MAP_LEAST, MAP_GROWTH * (0 if drawn is None else len(drawn.blobs_N))):
        map_submit(dataset=dataset)


def _small(shards: Sequence[Job], num_new: int) -> list[str]:
    """The newest shards that are small beside what comes: taken in, they leave a logarithmic number of files."""
    small: list[str] = []
    size = float(num_new)
    for shard in reversed(shards):
        if shard.metrics.get("num_rows", 0.0) > 2 * size:
            break
        small.append(shard.id)
        size += shard.metrics.get("num_rows", 0.0)
    return small


def _title(kind: str, dataset: Dataset) -> Text:
    return kind_of(dataset.project).job_titles[kind]


def _blobs_missing(dataset: Dataset, since: str, until: str) -> list[str]:
    """Blobs of the items between two marks that have no embedding, deleted ones too: they may come back."""
    start = id_at(Item.ID_PREFIX, id_time_s(since) - OVERLAP_S) if since else ""
    rows = Item.objects.filter(dataset=dataset, id__gt=start, id__lte=until).order_by("id")
    blobs = list(rows.values_list("blob", flat=True))
    rows_M = embeddings_load(dataset).find(blobs)
    return [blob for blob, row in zip(blobs, rows_M, strict=True) if row < 0]


def _texts(dataset: Dataset, blobs: Sequence[str]) -> list[str]:
    """The beginnings of texts by their hashes, in the order given."""
    found: dict[str, str] = {}
    for some in chunks(blobs, CHUNK):
        rows = Item.objects.filter(dataset=dataset, blob__in=some).annotate(begins=Left("text", TEXT_CHARACTERS))
        found |= {blob: text or "" for blob, text in rows.values_list("blob", "begins")}
    return [found[blob] for blob in blobs]


def _shards_place(jobs: Sequence[str], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for number, job in enumerate(job for job in jobs if shard_of(job) is not None):
        link = folder / f"{number:05d}"
        link.unlink(missing_ok=True)
        link.symlink_to(shard_folder(job), target_is_directory=True)


def _blobs_place(names: Sequence[str], data: Path) -> None:
    """Links all blobs at once where they lie on this host, else each from the cache, which fetches what it lacks."""
    root = blobs().link_root()
    if root is not None:
        if not (data / "blobs").is_symlink():
            (data / "blobs").symlink_to(root, target_is_directory=True)
        return
    for blob in names:
        target = data / blob_path(blob)
        if not target.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            # A picture that is lost is one that cannot be read; the others go on.
            with contextlib.suppress(BlobMissingError):
                target.symlink_to(blobs().local_path(blob))
