"""What a study may improve besides its metric.

In a file of its own, so that whoever only needs the words does not load Optuna.
"""

from __future__ import annotations

from enum import StrEnum


class SideObjective(StrEnum):
    """What a model takes of whoever uses it, by its name in a report; the less the better."""

    LATENCY_MS = "latency_ms"
    """Median time of one answer of the shipped graph, on one thread of the training host."""
    MODEL_BYTES = "model_bytes"
    """Size of the shipped graph."""
