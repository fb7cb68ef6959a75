"""Deployments of models that read pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from automl.contracts.artefact import ArtefactManifest
from studio.deployments.models import PredictionLog


class Pictures:
    """See ``DeployedItems``."""

    input_type: ClassVar[str | None] = None

    def snippet_values(self, manifest: ArtefactManifest) -> Mapping[str, str]:
        """None."""
        del manifest
        return {}

    def log_fields(self, call: PredictionLog) -> Mapping[str, Any]:
        """None: a kept picture is fetched from its own address."""
        del call
        return {}


KIND = Pictures()
