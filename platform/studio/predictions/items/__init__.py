"""How items become results: a module for each kind of items that models read, found by the name in the manifest."""

from __future__ import annotations

from typing import cast

from automl.contracts.artefact import ArtefactManifest
from runtime.listing import kind_of, modules_in
from studio.predictions.items.kind import PredictedItems

NAMES = modules_in(__path__)


def predicted_items(manifest: ArtefactManifest) -> PredictedItems:
    """The kind of items that a model reads.

    Raises:
        ValueError: there is no such kind.
    """
    return cast("PredictedItems", kind_of(__name__, NAMES, manifest.decode.kind, of="items"))
