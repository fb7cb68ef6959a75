"""Pictures."""

from engine.quality.items.image.work import look

__all__ = ["KIND"]

KIND = look
