"""Refits each dataset's head and reorders its queue soon after people have labelled.

A change of annotations marks the dataset and sends one message; the worker that takes it fits again and again until the mark
stays away. So there is no job row a label, and a hundred labels in a second cost a fit or two. Should a message get lost, the
sweep finds the mark.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

import numpy as np
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone
from numpy.typing import NDArray

from engine.tasks import task_spec
from labeling.assist.head import Head, head_can_fit, head_fit, head_warm
from labeling.assist.models import Assist
from labeling.assist.models import Head as HeadRow
from labeling.assist.strategies import Strategy, order
from studio.common.events import event_record
from studio.common.ids import new_id
from studio.common.sql import dialect
from studio.datasets.embeddings.store import Embeddings, embeddings_load
from studio.datasets.items.annotations import CHUNK, chunks
from studio.datasets.items.label_set import takes_several
from studio.datasets.models import Dataset, Item, ItemLabel, ItemState

LEASE = timedelta(seconds=60)
"""How long a fit may take before another worker may try."""
LOST_AFTER = timedelta(seconds=5)
"""A mark so old means that its message got lost."""
FIT_ITEMS = 3_000
"""Items that a head is fitted to; of each label the newest."""
LEAST_PER_LABEL = 20
CANDIDATES = 40_000
"""Unlabelled items that are ranked, the oldest; to read and rank more would cost more than a second."""
QUEUE = 100
_BACKGROUND = 1_000
_MARK = "UPDATE assist_assist SET dirty_at = %s WHERE dataset_id = %s AND dirty_at IS NULL"

_log = logging.getLogger(__name__)


def heads_mark(*, datasets: Collection[str]) -> list[str]:
    """Marks the heads of these datasets as behind; returns those that were not marked yet, which need a message."""
    marked, now = [], connection.ops.adapt_datetimefield_value(timezone.now())
    with dialect().prepared_cursor() as cursor:  # with each label saved: building the query would take longer than the answer
        for one in datasets:
            cursor.execute(_MARK, [now, one])
            if cursor.rowcount:
                marked.append(one)
    return marked


def heads_lost(*, now: datetime | None = None) -> list[str]:
    """Datasets whose mark is so old that its message must have got lost."""
    now = now or timezone.now()
    free = Q(busy_until=None) | Q(busy_until__lt=now)
    rows = Assist.objects.filter(free, dirty_at__lt=now - LOST_AFTER, dataset__project__deleted_at=None)
    return list(rows.values_list("dataset", flat=True))


def head_refresh(*, dataset_id: str) -> int:
    """Brings a head up to date, unless a worker is at it, who will see the mark; returns how often it was fitted."""
    num_fits = 0
    while Assist.objects.filter(dataset=dataset_id, dirty_at__isnull=False).exists():
        now = timezone.now()
        rows = Assist.objects.filter(Q(busy_until=None) | Q(busy_until__lt=now), dataset=dataset_id)
        if not rows.update(busy_until=now + LEASE, dirty_at=None):
            break
        try:
            head_make(dataset=Dataset.objects.select_related("project").get(id=dataset_id))
            num_fits += 1
        finally:
            Assist.objects.filter(dataset=dataset_id).update(busy_until=None)
    return num_fits


def head_make(*, dataset: Dataset) -> HeadRow | None:
    """Fits the head to the current annotations and orders the queue; None when there are too few for a head."""
    embeddings = embeddings_load(dataset)
    if len(embeddings) == 0:
        return None
    several = takes_several(dataset.project)
    rows_M, is_label_ML, labels = _labelled(dataset, embeddings, several=several)
    features_MD = embeddings.take(rows_M)
    head_warm()
    head: Head | None = None
    accuracy: float | None = None
    # A head names the item as a whole; where objects within it are labelled it helps by the order of the queue alone.
    is_classified = task_spec(dataset.project.task).annotation.has_classes
    if is_classified and head_can_fit([int(count) for count in is_label_ML.sum(axis=0)]):
        background_BD = embeddings.take(_sample(len(embeddings), _BACKGROUND))
        head, accuracy = head_fit(
            features_MD=features_MD, is_label_ML=is_label_ML, labels=labels, is_several=several, background_BD=background_BD
        )
    strategy = Strategy(Assist.objects.get(dataset=dataset).strategy)
    queue = _queue(dataset, embeddings, head, strategy, features_MD, several=several)
    return _keep(dataset, head, queue, num_items=len(rows_M), accuracy=accuracy)


def _labelled(
    dataset: Dataset, embeddings: Embeddings, *, several: bool
) -> tuple[NDArray[np.int64], NDArray[np.bool_], list[str]]:
    """Rows of labelled items, which labels they carry, and the labels that any of them carries."""
    names = list(dataset.project.labels.names)
    limit = max(LEAST_PER_LABEL, FIT_ITEMS // max(len(names), 1))
    blob_of: dict[str, str] = {}
    labels_of: dict[str, set[str]] = {}
    for name in names:
        marks = ItemLabel.objects.filter(dataset=dataset, label=name).order_by("-item")
        for item, blob in marks.values_list("item", "item__blob")[:limit]:
            blob_of[item] = blob
            labels_of.setdefault(item, set()).add(name)
    if several:  # an item that was found by one of its labels may carry others as well
        for chunk in chunks(list(labels_of), CHUNK):
            for item, name in ItemLabel.objects.filter(item__in=chunk, label__in=names).values_list("item", "label"):
                labels_of[item].add(name)
    items = list(blob_of)
    rows = embeddings.find([blob_of[item] for item in items])
    known = [(int(row), labels_of[item]) for row, item in zip(rows, items, strict=True) if row >= 0]
    labels = [name for name in names if any(name in of for _, of in known)]
    is_label = np.array([[name in of for name in labels] for _, of in known], dtype=bool).reshape(len(known), len(labels))
    return np.array([row for row, _ in known], dtype=np.int64), is_label, labels


def _queue(
    dataset: Dataset,
    embeddings: Embeddings,
    head: Head | None,
    strategy: Strategy,
    labelled_MD: NDArray[np.float32],
    *,
    several: bool,
) -> list[str]:
    """Ids of the unlabelled items to come next; empty where the oldest come next."""
    if strategy is Strategy.OLDEST:
        return []
    free = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.UNLABELLED).order_by("id")
    found = list(free.values_list("id", "blob")[:CANDIDATES])
    rows_N = embeddings.find([blob for _, blob in found])
    ids = [item for (item, _), row in zip(found, rows_N, strict=True) if row >= 0]
    rows_N = rows_N[rows_N >= 0]
    chosen = order(
        strategy,
        num=len(ids),
        scores_NL=None if head is None else _scores(embeddings, rows_N, head),
        take=lambda pool: embeddings.take(rows_N[pool]),
        labelled_KD=labelled_MD[:_BACKGROUND],
        is_several=several,
        count=QUEUE,
        seed=len(labelled_MD),
    )
    return [ids[index] for index in chosen]


def _scores(embeddings: Embeddings, rows_N: NDArray[np.int64], head: Head) -> NDArray[np.float32]:
    """Scores of some rows; a pass over all of them is cheaper than fetching most of them singly."""
    if 4 * len(rows_N) < len(embeddings):
        return head.scores(embeddings.take(rows_N))
    return head.scores_of(embeddings.multiply(head.weights_DL)[rows_N])


def _sample(num: int, size: int) -> NDArray[np.int64]:
    return np.sort(np.random.default_rng(0).choice(num, min(num, size), replace=False))


def _keep(dataset: Dataset, head: Head | None, queue: list[str], *, num_items: int, accuracy: float | None) -> HeadRow | None:
    """Writes head and queue, and notifies the pages that are open."""
    with transaction.atomic():
        Assist.objects.filter(dataset=dataset).update(queue=queue)
        if head is None:
            HeadRow.objects.filter(dataset=dataset).delete()
            return None
        row, _ = HeadRow.objects.update_or_create(
            dataset=dataset,
            defaults={
                "name": new_id("head"),
                "content": head.dump(),
                "labels": list(head.labels),
                "num_items": num_items,
                "accuracy_fraction": accuracy,
                "fitted_at": timezone.now(),
            },
        )
        event_record(
            workspace=dataset.project.workspace_id,
            project=dataset.project_id,
            type="assist.refreshed",
            subject=dataset.id,
            data={"head": row.name, "num_items": num_items},
        )
    return row
