"""Deployments of models that read texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.deployments.fact_drift import Direction
from studio.deployments.logs import input_text_excerpt
from studio.deployments.models import PredictionLog

words = Words(__file__)


class Texts:
    """See ``DeployedItems``."""

    input_type: ClassVar[str | None] = "text/plain; charset=utf-8"

    def snippet_values(self, manifest: ArtefactManifest) -> Mapping[str, str]:
        """None."""
        del manifest
        return {}

    def fact_title(self, name: str) -> Text:
        """See ``DeployedItems``."""
        return words(f"{name}.title")

    def fact_changed(self, name: str, direction: Direction) -> Text:
        """See ``DeployedItems``."""
        if direction in (Direction.LESS, Direction.MORE):
            return words(f"{name}.{direction}")
        return words("varied", title=self.fact_title(name))

    def log_fields(self, call: PredictionLog) -> Mapping[str, Any]:
        """The beginning of a kept text."""
        return {"input_text": input_text_excerpt(call.input_sha256) if call.input_sha256 else None}


KIND = Texts()
