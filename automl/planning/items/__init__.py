"""What a trial needs, by the kind of its items. A module each, found by listing."""

from __future__ import annotations

from automl.contracts.listing import kind_in
from automl.contracts.modality import Modality
from automl.planning.items._batches import FORWARD_SHARE
from automl.planning.items.kind import Needs, PlannedItems

__all__ = ["FORWARD_SHARE", "Needs", "PlannedItems", "planned_items"]


def planned_items(modality: Modality) -> PlannedItems:
    """The kind of the items of a modality.

    Raises:
        ValueError: trials of it are not planned yet; the message names it.
    """
    kind: PlannedItems = kind_in(__name__, modality.items)
    return kind
