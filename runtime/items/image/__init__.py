"""Pictures."""

from .kind import Images

__all__ = ["KIND"]

KIND = Images
