"""Texts: how long they are, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from automl.contracts.dataset import ItemRecord
from automl.contracts.words import Words
from engine.slices.fact import Fact

words = Words(__file__)


class Texts:
    """See ``FactsKind``."""

    def facts(self, records: Sequence[ItemRecord], content: Any) -> list[Fact]:
        """Their length; a version knows it, so that no text is read again."""
        del content
        lengths_N = np.array([record.media.num_characters or 0 for record in records], dtype=np.float64)
        return [Fact("length", words("length"), lengths_N, "number", (words("short"), words("long")))]
