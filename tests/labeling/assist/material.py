"""Shards made by code: pictures of one kind lie together, as a backbone would place them."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

import numpy as np
from django.utils import timezone

from automl.contracts.job import JobState
from engine.embedding.spec import EDITION, narrowed, shard_write
from labeling.assist.handlers import embeddings_added
from studio.common.blobs import blobs
from studio.common.ids import new_id
from studio.datasets.models import Dataset, Item
from studio.jobs.models import Job
from studio.jobs.workdir import result_prefix

WIDTH = 48


def features_of(kind: int, num: int, seed: int = 0) -> np.ndarray:
    """Features of pictures of one kind: a direction of its own, and noise."""
    center = np.random.default_rng(1000 + kind).random(WIDTH, dtype=np.float32)
    return (center + 0.15 * np.random.default_rng(seed + kind).random((num, WIDTH), dtype=np.float32)).astype(np.float32)


def items_make(dataset: Dataset, num: int) -> list[Item]:
    """Items without files: nothing here opens a picture."""
    start = Item.objects.filter(dataset=dataset).count()
    hashes = [hashlib.sha256(f"{dataset.id}-{start + n}".encode()).hexdigest() for n in range(num)]
    facts = {"width": 8, "height": 8, "format": "png", "size_bytes": 10, "split": "train"}
    return Item.objects.bulk_create(
        [Item(dataset=dataset, name=f"{start + n}.png", blob=blob, group=blob, **facts) for n, blob in enumerate(hashes)]
    )


def shard_put(dataset: Dataset, hashes: list[str], features_ND: np.ndarray, *, takes: tuple[str, ...] = ()) -> Job:
    """A job that has succeeded and left this shard."""
    newest = Item.objects.filter(dataset=dataset).order_by("-id").values_list("id", flat=True).first() or ""
    job = Job.objects.create(
        workspace_id=dataset.project.workspace_id,
        project_id=dataset.project_id,
        kind="embed",
        title={"en": "x", "zh": "x"},
        subject=dataset.id,
        payload={"edition": EDITION, "since": "", "until": newest, "takes": list(takes)},
        idempotency_key=new_id("key"),
        state=JobState.SUCCEEDED.value,
        metrics={"num_rows": float(len(hashes))},
        ended_at=timezone.now(),
    )
    with tempfile.TemporaryDirectory() as name:
        shard_write(Path(name), np.array(hashes, dtype="S64"), narrowed(features_ND))
        blobs().put_tree(result_prefix(job.id), Path(name))
    return job


def kinds_make(dataset: Dataset, num_kinds: int, each: int) -> list[list[Item]]:
    """Items of several kinds with their features; the dataset is helped from now on."""
    kinds = [items_make(dataset, each) for _ in range(num_kinds)]
    features = np.concatenate([features_of(kind, each) for kind in range(num_kinds)])
    shard_put(dataset, [item.blob for items in kinds for item in items], features)
    embeddings_added(dataset.project)
    return kinds
