"""What the head of a dataset suggests: computed on request, from its weights and the stored features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Annotation, ClassLabel, label_of
from labeling.assist.head import Head
from labeling.assist.models import Head as HeadRow
from studio.datasets.embeddings.store import Embeddings, Shard, embeddings_load
from studio.datasets.models import Dataset, Item

HALF = 0.5
"""From this confidence on a label is suggested where several may be right."""


@dataclass(frozen=True)
class Suggestion:
    """What is proposed for an item."""

    annotations: tuple[Annotation, ...]
    by: str
    """Provenance: ``model:head_...``, ``model:art_...`` or that of the annotations before they were returned."""
    confidence_fraction: float | None
    """Of the suggestion as a whole; None where it was not measured."""


def head_now(dataset: Dataset) -> tuple[str, Head] | None:
    """The head that helps now, with its name; None while there is none."""
    name = HeadRow.objects.filter(dataset=dataset).values_list("name", flat=True).first()
    try:
        return None if name is None else _head(dataset.id, name)
    except HeadRow.DoesNotExist:  # taken away since: the labels it knew are gone
        return None


def head_suggests(dataset: Dataset, items: Sequence[Item]) -> dict[str, Suggestion]:
    """Suggestions for items of one dataset, by item id; none for items without features."""
    found = head_now(dataset)
    if found is None:
        return {}
    name, head = found
    embeddings = embeddings_load(dataset)
    rows_N = embeddings.find([item.blob for item in items])
    known = [item for item, row in zip(items, rows_N, strict=True) if row >= 0]
    if not known:
        return {}
    scores_NL = head.scores(embeddings.take(rows_N[rows_N >= 0]))
    answers = {item.id: suggested(head, name, scores_L) for item, scores_L in zip(known, scores_NL, strict=True)}
    labels = set(dataset.project.labels.names)
    return {id_: one for id_, one in answers.items() if one.annotations and all(label_of(a) in labels for a in one.annotations)}


def suggested(head: Head, name: str, scores_L: NDArray[np.float32]) -> Suggestion:
    """Turns one item's scores into what is proposed; nothing where no label reaches a half and several may be right."""
    best = np.flatnonzero(scores_L >= HALF) if head.is_several else np.array([scores_L.argmax()])
    labels = tuple(ClassLabel(label=head.labels[at], score=round(float(scores_L[at]), 4)) for at in best)
    return Suggestion(labels, f"model:{name}", float(confidences(scores_L[None], is_several=head.is_several)[0]))


def confidences(scores_NL: NDArray[np.float32], *, is_several: bool) -> NDArray[np.float32]:
    """How sure the suggestion as a whole is: of its label, or of the label it is least sure of to be there or not."""
    if is_several:
        return np.asarray(np.maximum(scores_NL, 1 - scores_NL).min(axis=1), dtype=np.float32)
    return np.asarray(scores_NL.max(axis=1), dtype=np.float32)


@dataclass(frozen=True)
class Verdicts:
    """The predictions of a head for every row of a dataset's embeddings, as two numbers each."""

    confidence_N: NDArray[np.float32]
    best_N: NDArray[np.int32]
    """Index of the best label; -1 where several may be right and none reaches a half."""


def verdicts(embeddings: Embeddings, dataset: Dataset, name: str) -> Verdicts:
    """Judges all rows, once for a head and a state of the embeddings."""
    return _verdicts(embeddings.shards, dataset.id, name)


class _ShardsKey(tuple[Shard, ...]):
    """Shards that compare by their jobs: arrays have no hash."""

    def __hash__(self) -> int:
        return hash(tuple(shard.job for shard in self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ShardsKey) and [one.job for one in self] == [one.job for one in other]


def _verdicts(shards: tuple[Shard, ...], dataset_id: str, name: str) -> Verdicts:
    return _verdicts_cached(_ShardsKey(shards), dataset_id, name)


@lru_cache(maxsize=4)
def _verdicts_cached(shards: _ShardsKey, dataset_id: str, name: str) -> Verdicts:
    head = _head(dataset_id, name)[1]
    scores_NL = head.scores_of(Embeddings(tuple(shards)).multiply(head.weights_DL))
    best_N = scores_NL.argmax(axis=1).astype(np.int32)
    if head.is_several:
        best_N[scores_NL.max(axis=1) < HALF] = -1
    return Verdicts(confidence_N=confidences(scores_NL, is_several=head.is_several), best_N=best_N)


@lru_cache(maxsize=32)
def _head(dataset_id: str, name: str) -> tuple[str, Head]:
    """The head under this name, or the newest when it has been replaced meanwhile."""
    row = HeadRow.objects.get(dataset=dataset_id)
    return row.name, Head.load(bytes(row.content))
