"""Texts."""

from engine.items.text.kind import Texts

__all__ = ["KIND"]

KIND = Texts()
