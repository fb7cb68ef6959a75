"""Texts."""

from engine.quality.items.text.work import look

__all__ = ["KIND"]

KIND = look
