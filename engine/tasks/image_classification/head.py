"""The last layer: as for every classification."""

from engine.tasks.classification.head import build

__all__ = ["build"]
