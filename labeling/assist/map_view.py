"""The map of a data set: where each item lies and what is known of it, in columns that a page draws without asking more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from automl.contracts.dataset import Split
from labeling.assist.schemas import MapOut
from labeling.assist.selectors import job_running
from labeling.assist.suggest import head_now, verdicts
from studio.datasets.embeddings.store import MAP, Map, embeddings_load, map_load
from studio.datasets.models import Dataset, Item, ItemFlag, ItemLabel
from studio.jobs.schemas import job_out

SHOWN = 100_000
"""Items that a map shows at most; of more, evenly chosen ones."""
_SCALE = 65_535
_NOT_LABELLED, _NOTHING = -2, -1


def map_read(dataset: Dataset) -> MapOut:
    """The map with the present state of its pictures; without columns while there is none."""
    drawn = map_load(dataset)
    alive = Item.objects.filter(dataset=dataset, deleted_at=None)
    rows = [] if drawn is None else list(alive.order_by("id").values_list("id", "blob", "state", "split"))
    num_items = len(rows) if drawn is not None else alive.count()
    at_N = _places(drawn, [row[1] for row in rows])
    shown = np.flatnonzero(at_N >= 0)
    num_missing = num_items - len(shown)
    if len(shown) > SHOWN:
        shown = shown[np.linspace(0, len(shown) - 1, SHOWN).astype(np.int64)]
    rows = [rows[index] for index in shown]
    places_N2 = np.empty((0, 2)) if drawn is None else drawn.positions_N2[at_N[shown]]
    scaled_N2 = np.round(places_N2 * _SCALE).astype(np.int64)
    labels = list(dataset.project.labels.names)
    splits = [split.value for split in Split]
    flags, flag_of = _flags(dataset)
    label_of = _labels(dataset, labels)
    suggestion, confidence = _suggestions(dataset, labels, [row[1] for row in rows])
    job = job_running(dataset, MAP)
    return MapOut(
        map=None if drawn is None else drawn.job,
        job=None if job is None else job_out(job),
        features_done=len(embeddings_load(dataset)),
        num_items=num_items,
        num_missing=num_missing,
        labels=labels,
        splits=splits,
        flags=flags,
        items=[row[0] for row in rows],
        x=scaled_N2[:, 0].tolist(),
        y=scaled_N2[:, 1].tolist(),
        label=[label_of.get(row[0], _NOTHING if row[2] == "annotated" else _NOT_LABELLED) for row in rows],
        split=[splits.index(row[3]) for row in rows],
        flag=[flag_of.get(row[0], _NOTHING) for row in rows],
        suggestion=suggestion,
        confidence=confidence,
    )


def _places(drawn: Map | None, blobs: list[str]) -> NDArray[np.int64]:
    """Row of the map of each picture; -1 where the map does not know it."""
    if drawn is None or len(drawn.blobs_N) == 0:
        return np.full(len(blobs), -1, dtype=np.int64)
    searched_N = np.array(blobs, dtype="S64")
    at_N = np.searchsorted(drawn.blobs_N, searched_N).clip(max=len(drawn.blobs_N) - 1)
    return np.where(drawn.blobs_N[at_N] == searched_N, at_N, -1)


def _labels(dataset: Dataset, labels: list[str]) -> dict[str, int]:
    """Index of an item's first label in the order of the label set."""
    index = {name: at for at, name in enumerate(labels)}
    found: dict[str, int] = {}
    for item, name in ItemLabel.objects.filter(dataset=dataset).values_list("item", "label").order_by():
        at = index.get(name)
        if at is not None:
            found[item] = min(at, found.get(item, at))
    return found


def _flags(dataset: Dataset) -> tuple[list[str], dict[str, int]]:
    """The kinds of findings there are, and each item's gravest."""
    rows = ItemFlag.objects.filter(dataset=dataset, dismissed_at=None).order_by("severity").values_list("item", "kind")
    kind_of = dict(rows)
    kinds = sorted(set(kind_of.values()))
    return kinds, {item: kinds.index(kind) for item, kind in kind_of.items()}


def _suggestions(dataset: Dataset, labels: list[str], blobs: list[str]) -> tuple[list[int], list[int]]:
    """The head's prediction for each item: index of the label and confidence in hundredths."""
    found = head_now(dataset)
    if found is None or not blobs:
        return [_NOTHING] * len(blobs), [0] * len(blobs)
    name, head = found
    embeddings = embeddings_load(dataset)
    judged = verdicts(embeddings, dataset, name)
    rows_N = embeddings.find(blobs)
    index = {label: at for at, label in enumerate(labels)}
    to_labels = np.array([*(index.get(label, _NOTHING) for label in head.labels), _NOTHING])  # the last one for -1
    is_known_N = rows_N >= 0
    best_N = np.where(is_known_N, to_labels[judged.best_N[rows_N]], _NOTHING)
    sure_N = np.where(is_known_N, np.round(100 * judged.confidence_N[rows_N]), 0).astype(np.int64)
    return best_N.tolist(), sure_N.tolist()
