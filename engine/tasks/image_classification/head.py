"""The last layer: as for every classification."""

from engine.tasks.shared.classification.head import build

__all__ = ["build"]
