"""Pictures."""

from engine.quality.items.image.work import inspect

__all__ = ["KIND"]

KIND = inspect
