"""Why an item has no prediction, by code: as a file that an upload refuses, or for what only predicting brings about."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.datasets.files.reasons import REASONS as REASONS_OF_FILES

words = Words(__file__)

REASONS: Mapping[str, Text] = {**REASONS_OF_FILES, **{code: words(f"reason.{code}") for code in words.below("reason")}}
"""Every code that a result may carry."""
