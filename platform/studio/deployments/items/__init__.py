"""What a deployment must know of the items that its model reads: a folder for each kind, found by the name in the manifest.

A folder holds ``KIND``, the programs in ``snippets/``, and what the try-out page needs beside the call with files: its own
``api.py`` with a ``router``, forms, explanations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Protocol, cast

from ninja import Router

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.base import Text
from runtime.listing import kind_of, modules_in
from studio.deployments.fact_drift import Direction
from studio.deployments.models import PredictionLog

FOLDER = Path(__file__).parent
NAMES = modules_in([str(FOLDER)])
"""Kinds of items that deployments know."""


class DeployedItems(Protocol):
    """What each folder calls ``KIND``."""

    input_type: ClassVar[str | None]
    """Media type by which a browser shows a kept input; None where it is a file to save."""

    def snippet_values(self, manifest: ArtefactManifest) -> Mapping[str, str]:
        """Values for the kind's example programs, besides the address and the fields of an annotation."""

    def fact_title(self, name: str) -> Text:
        """What a fact of the model's ``reference.json`` is called."""

    def fact_changed(self, name: str, direction: Direction) -> Text:
        """A sentence that callers' items differ in a fact from those that the model was judged on."""

    def log_fields(self, call: PredictionLog) -> Mapping[str, Any]:
        """Fields of ``PredictionLogOut`` that only calls about such items have."""


def deployed_items(manifest: ArtefactManifest) -> DeployedItems:
    """The kind of items that a model reads.

    Raises:
        ValueError: there is no such kind.
    """
    return cast("DeployedItems", kind_of(__name__, NAMES, manifest.decode.kind, of="items"))


def routers() -> Iterator[Router]:
    """What kinds add to the API."""
    for name in NAMES:
        if (FOLDER / name / "api.py").exists():
            yield import_module(f"{__name__}.{name}.api").router
