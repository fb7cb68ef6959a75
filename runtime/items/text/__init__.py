"""Texts."""

from .kind import Texts

__all__ = ["KIND"]

KIND = Texts
