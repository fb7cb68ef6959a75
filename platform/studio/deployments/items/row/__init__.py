"""Deployments of models that read rows of a table."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any, ClassVar

from automl.contracts.artefact import ArtefactManifest, RowDecode
from automl.contracts.base import Text
from automl.contracts.words import Words
from exporters.items.row import row_example
from studio.deployments.fact_drift import Direction
from studio.deployments.logs import input_row_excerpt
from studio.deployments.models import PredictionLog

words = Words(__file__)
_MOST_COLUMNS = 50
"""Of the row in a program: a model may read thousands."""


class Rows:
    """See ``DeployedItems``."""

    input_type: ClassVar[str | None] = "application/json"

    def snippet_values(self, manifest: ArtefactManifest) -> Mapping[str, str]:
        """A row with the model's columns and cells that are typical of them."""
        assert isinstance(manifest.decode, RowDecode)
        row = row_example(manifest.decode, _MOST_COLUMNS)
        return {
            "request": shlex.quote(json.dumps({"rows": [row]}, ensure_ascii=False)),
            "rows": f"    {row!r},",
            "json_rows": f"  {json.dumps(row, ensure_ascii=False)},",
        }

    def fact_title(self, name: str) -> Text:
        """The column, and what of it is looked at."""
        aspect, _, column = name.partition(":")
        return words(f"{aspect}.title", column=column)

    def fact_changed(self, name: str, direction: Direction) -> Text:
        """See ``DeployedItems``."""
        aspect, _, column = name.partition(":")
        return words(f"{aspect}.{direction}", column=column)

    def log_fields(self, call: PredictionLog) -> Mapping[str, Any]:
        """The first cells of a kept row, and the numbers that were predicted."""
        return {
            "values": [best.get("value") if best else None for best in call.top],
            "input_row": input_row_excerpt(call.input_sha256) if call.input_sha256 else None,
        }


KIND = Rows()
