"""Pictures."""

from engine.items.image.kind import Images

__all__ = ["KIND"]

KIND = Images()
