"""Explains a model's answer to an item of a data set, for the pages of a report."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from runtime.errors import RuntimeFault
from runtime.explaining import box_of, item_explain
from runtime.items.row.explain import DEFAULT_EVALUATIONS, ExplainRequest, row_explain
from runtime.predictor import Predictor
from studio.common.blobs import blobs
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import Item
from studio.predictions.errors import ItemNotExplainedError
from studio.predictions.items import predicted_items
from studio.registry.errors import ExplainedLabelError
from studio.registry.explained_rows import ExplainedRow, background_rows, explained_row
from studio.registry.models import Artefact

if TYPE_CHECKING:
    from runtime.items.row.kind import RowItems


def artefact_explain(artefact: Artefact, item: Item, label: str | None, box: str | None = None) -> Mapping[str, Any]:
    """Finds what counts in an item. The model answers some sixty times for it, which takes a second or a few.

    Args:
        artefact: whose answer.
        item: of any data set.
        label: whose score is explained; None takes the one that the model says.
        box: of an object, ``x,y,width,height`` in pixels of the picture; None takes the surest one.

    Returns:
        See ``item_explain``.

    Raises:
        ExplainedLabelError: the model does not know the label.
        ItemNotExplainedError: its answers are not explained, or it reads other items.
        BlobMissingError: the item's file is not in the store.
    """
    facts = artefact.facts
    if label is not None and label not in facts.label_set.names:
        raise ExplainedLabelError(label=label)
    kind = predicted_items(facts)
    _kind_check(artefact, item)
    try:
        data = kind.data(kind.of_item(item))
        place = box_of(box)
        return item_explain(_predictor(artefact.tree), data, label=label, box=place, thresholds=artefact.answers_from)
    except RuntimeFault as fault:
        raise ItemNotExplainedError(fault.detail) from fault


def artefact_explain_row(artefact: Artefact, item: Item, label: str | None) -> ExplainedRow:
    """Finds what each column of a row of a data set adds to the answer.

    Args:
        artefact: whose answer.
        item: of any data set.
        label: whose score is explained; None takes the one that the model says. Of no meaning where a number is predicted.

    Raises:
        ExplainedLabelError: the model does not know the label.
        ItemNotExplainedError: it reads no rows, or came without rows to compare with.
    """
    facts, background = artefact.facts, background_rows(artefact.tree)
    if not background:
        raise ItemNotExplainedError("The model reads no rows, or came without rows to compare with.")
    _kind_check(artefact, item)
    names = facts.label_set.names
    if label is not None and names and label not in names:
        raise ExplainedLabelError(label=label)
    predictor, row = _predictor(artefact.tree), predicted_items(facts).of_item(item)
    started = time.perf_counter()
    request = ExplainRequest(row, background, label if names else None, DEFAULT_EVALUATIONS, is_lenient=True)
    try:
        found = row_explain(predictor.run, cast("RowItems", predictor.items).reader, predictor.labels, request)
    except RuntimeFault as fault:
        raise ItemNotExplainedError(fault.detail) from fault

    def predicted(scores: Mapping[str, float]) -> str:
        answer = np.array([scores[name] for name in predictor.labels], np.float32)
        best, _ = predictor.judge(answer, artefact.answers_from)
        assert best is not None  # one of the labels
        return str(best["label"])

    took = {"latency_ms": (time.perf_counter() - started) * 1000}
    return explained_row(found.fields() | took, row, request.label, predicted)


def _kind_check(artefact: Artefact, item: Item) -> None:
    if kind_of(item.dataset.project) is not kind_of(artefact.project):
        raise ItemNotExplainedError("The model reads items of another kind.")


@lru_cache(maxsize=1)
def _predictor(tree: str) -> Predictor:
    """The model whose report was looked at last: loading it takes longer than an explanation."""
    predictor = Predictor()
    predictor.setup(blobs().fetch_tree(tree))
    return predictor
