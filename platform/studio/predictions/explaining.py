"""What a model's answer to an item of a data set hangs on, asked for while somebody looks at a report."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from runtime.errors import RuntimeFault
from runtime.explaining import box_of, item_explain
from runtime.predictor import Predictor
from studio.common.blobs import blobs
from studio.datasets.models import Item
from studio.predictions.errors import ItemNotExplainedError
from studio.predictions.items import predicted_items
from studio.registry.errors import ExplainedLabelError
from studio.registry.models import Artefact


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
    try:
        data = kind.data(kind.of_item(item))
        place = box_of(box)
        return item_explain(_predictor(artefact.tree), data, label=label, box=place, thresholds=artefact.answers_from)
    except RuntimeFault as fault:
        raise ItemNotExplainedError(fault.detail) from fault


@lru_cache(maxsize=1)
def _predictor(tree: str) -> Predictor:
    """The model whose report was looked at last: loading it takes longer than an explanation."""
    predictor = Predictor()
    predictor.setup(blobs().fetch_tree(tree))
    return predictor
