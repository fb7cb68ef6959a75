"""Reads of live suggestions: how far they are, which items are suggested what, and what is alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labeling.assist.answers import agreement
from labeling.assist.errors import (
    FeaturesMissingError,
    FeaturesNoneError,
    QueryUnusableError,
    SearchBy,
    SearchStartingError,
    SearchUnfitError,
)
from labeling.assist.head import MIN_ITEMS_PER_LABEL, MIN_LABELS
from labeling.assist.models import Assist
from labeling.assist.models import Head as HeadRow
from labeling.assist.schemas import AgreementOut, AssistOut, HeadOut
from labeling.assist.strategies import Strategy
from labeling.assist.suggest import Suggestion, head_now, head_suggests, verdicts
from labeling.kinds import labelling_kind_of
from studio.common.blob_store import BlobMissingError
from studio.common.errors import InvalidInputError
from studio.datasets.embeddings.jobs import EmbeddingUnfitError, embed_submit
from studio.datasets.embeddings.search import items_like, items_ordered
from studio.datasets.embeddings.similar import picture_features, text_features
from studio.datasets.embeddings.store import EMBED, Embeddings, embeddings_load
from studio.datasets.files.limits import LIMITS
from studio.datasets.files.picture import PictureRefusedError
from studio.datasets.files.reasons import REASONS
from studio.datasets.items.annotations import CHUNK, chunks
from studio.datasets.items.counts import Facet, counts_of
from studio.datasets.models import Dataset, Item, ItemState
from studio.jobs.models import Job

COUNTED = 5_000
"""Number up to which suggested items are counted exactly."""


def assist_read(dataset: Dataset) -> AssistOut:
    """How a dataset is helped."""
    row = Assist.objects.filter(dataset=dataset).first()
    head = HeadRow.objects.filter(dataset=dataset).defer("content").first()
    num_features = len(embeddings_load(dataset))
    job = job_running(dataset, EMBED)
    meter = agreement(dataset)
    return AssistOut(
        state="ready" if head is not None else "waiting_for_labels" if num_features else "waiting_for_features",
        features_done=num_features,
        features_total=max(num_features, sum(counts_of(dataset.id, Facet.STATE).get(Facet.STATE, {}).values())),
        job=None if job is None else job.id,
        min_labels=MIN_LABELS,
        min_items_per_label=MIN_ITEMS_PER_LABEL,
        head=None if head is None else _head_out(head),
        is_refreshing=row is not None and (row.dirty_at is not None or row.busy_until is not None),
        strategy=Strategy.MIXED if row is None else Strategy(row.strategy),
        strategies=list(Strategy),
        agreement=AgreementOut(num=meter.num, num_accepted=meter.num_accepted),
        search_by=_search_by(dataset),
    )


def _search_by(dataset: Dataset) -> SearchBy | None:
    return labelling_kind_of(dataset.project).search_by


def job_running(dataset: Dataset, kind: str) -> Job | None:
    """The job of this kind that waits or runs for the dataset."""
    rows = Job.objects.filter(project=dataset.project_id, kind=kind, subject=dataset.id, ended_at=None)
    return rows.order_by("-id").first()


def _head_out(head: HeadRow) -> HeadOut:
    return HeadOut(
        id=head.name,
        fitted_at=head.fitted_at,
        num_items=head.num_items,
        labels=list(head.labels),
        accuracy=head.accuracy_fraction,
    )


@dataclass(frozen=True)
class SuggestedPage:
    """Unlabelled items with their suggestions."""

    items: list[tuple[Item, Suggestion]]
    next_cursor: str | None
    total: int | None


def suggested_page(
    dataset: Dataset,
    *,
    label: str | None,
    low: float,
    high: float,
    is_descending: bool,
    cursor: str | None,
    limit: int,
) -> SuggestedPage:
    """Cuts a page out of the unlabelled items in the order of how sure the head is.

    Args:
        dataset: with its project.
        label: only items that it is suggested for.
        low: least confidence, 0..1.
        high: greatest confidence, 0..1.
        is_descending: the surest first.
        cursor: where the page before ended; it stays good when the head is fitted again.
        limit: items in a page.

    Raises:
        InvalidInputError: the cursor was not made here.
    """
    found = head_now(dataset)
    if found is None:
        return SuggestedPage([], None, 0)
    name, head = found
    embeddings = embeddings_load(dataset)
    judged = verdicts(embeddings, dataset, name)
    is_selected_N = (judged.confidence_N >= low) & (judged.confidence_N <= high) & (judged.best_N >= 0)
    if label is not None:
        is_selected_N &= judged.best_N == (head.labels.index(label) if label in head.labels else -2)
    rows_M = np.flatnonzero(is_selected_N)
    keys_M = judged.confidence_N[rows_M] * (-1 if is_descending else 1)
    order_M = np.lexsort((rows_M, keys_M))
    rows_M, keys_M = rows_M[order_M], keys_M[order_M]
    total = None
    if cursor is None and len(rows_M) <= COUNTED:
        total = sum(len(some) for some in _unlabelled(dataset, embeddings, rows_M))
    rows_M = rows_M[_after(rows_M, keys_M, cursor) :]
    items: list[Item] = []
    for some in _unlabelled(dataset, embeddings, rows_M):
        items.extend(some)
        if len(items) > limit:
            break
    shown = items[:limit]
    suggested = head_suggests(dataset, shown)
    next_cursor = None
    if len(items) > limit:
        last = int(embeddings.find([shown[-1].blob])[0])
        next_cursor = f"{float(judged.confidence_N[last]):.9f}:{last}"
    return SuggestedPage([(item, suggested[item.id]) for item in shown if item.id in suggested], next_cursor, total)


def _after(rows_M: NDArray[np.int64], keys_M: NDArray[np.float32], cursor: str | None) -> int:
    """Position in the order that follows the cursor's."""
    if cursor is None:
        return 0
    confidence, _, row = cursor.partition(":")
    try:
        at, last = float(confidence), int(row)
    except ValueError as error:
        raise InvalidInputError("The cursor is not one of ours.", fields={"cursor": ["not a cursor"]}) from error
    hits = np.flatnonzero(rows_M == last)
    if len(hits) and abs(abs(float(keys_M[hits[0]])) - at) < 1e-6:
        return int(hits[0]) + 1
    return int(np.searchsorted(keys_M, -at if len(keys_M) and keys_M[0] < 0 else at, side="right"))


def _unlabelled(dataset: Dataset, embeddings: Embeddings, rows_M: NDArray[np.int64]) -> Iterator[list[Item]]:
    """Living unlabelled items of these rows, chunk by chunk, in their order."""
    rows = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.UNLABELLED)
    for chunk in chunks(rows_M.tolist(), CHUNK):
        yield items_ordered(rows, [str(blob, "ascii") for blob in embeddings.blobs[chunk]], dataset)


def similar_items(item: Item, *, limit: int) -> list[tuple[Item, float]]:
    """Living items of the same dataset that are most like one, the nearest first, itself left out; with the cosine.

    Raises:
        FeaturesMissingError: nobody has looked at the item yet.
    """
    embeddings = embeddings_load(item.dataset)
    row = int(embeddings.find([item.blob])[0])
    if row < 0:
        raise FeaturesMissingError
    found = items_like(item.dataset, embeddings, embeddings.take(np.array([row]))[0], limit=limit + 1)
    return [(one, cosine) for one, cosine in found if one.id != item.id][:limit]


def similar_to_picture(dataset: Dataset, data: bytes, *, limit: int) -> list[tuple[Item, float]]:
    """Living items that look most like a picture that is none of them, the nearest first; with the cosine.

    Args:
        dataset: with its project.
        data: the picture's file.
        limit: items at most.

    Raises:
        SearchUnfitError: its items are no pictures.
        FeaturesNoneError: nobody has looked at any picture yet.
        QueryUnusableError: this is no usable picture.
        SearchStartingError: the graph is not there yet; a job that brings it has been started.
    """

    def look() -> NDArray[np.float32]:
        try:
            if len(data) > LIMITS.max_file_bytes:
                raise PictureRefusedError("file_too_large")
            return picture_features(data)
        except PictureRefusedError as error:
            raise QueryUnusableError(error.code, REASONS[error.code]) from error

    return _similar_to(dataset, "picture", look, limit=limit)


def similar_to_text(dataset: Dataset, text: str, *, limit: int) -> list[tuple[Item, float]]:
    """Items whose meaning is closest to that of a text, the nearest first, with the cosine.

    Args:
        dataset: with its project.
        text: a word, a sentence or more; its beginning counts.
        limit: items at most.

    Raises:
        SearchUnfitError: its items are no texts.
        FeaturesNoneError: nobody has looked at any text yet.
        SearchStartingError: the model is not there yet; a job that brings it has been started.
    """
    return _similar_to(dataset, "text", lambda: text_features(text), limit=limit)


def _similar_to(
    dataset: Dataset, by: SearchBy, look: Callable[[], NDArray[np.float32]], *, limit: int
) -> list[tuple[Item, float]]:
    takes = _search_by(dataset)
    if takes is None:
        raise EmbeddingUnfitError
    if takes != by:
        raise SearchUnfitError(takes=takes)
    embeddings = embeddings_load(dataset)
    if len(embeddings) == 0:
        raise FeaturesNoneError
    try:
        query_D = look()
    except BlobMissingError as error:
        encoder_fetch(dataset)
        raise SearchStartingError from error
    return items_like(dataset, embeddings, query_D, limit=limit)


def encoder_fetch(dataset: Dataset) -> None:
    """Starts the job that leaves what computes features, unless it is under way."""
    newest = Item.objects.filter(dataset=dataset).order_by("-id").values_list("id", flat=True).first()
    embed_submit(dataset=dataset, newest=newest or "")
