"""Texts."""

from engine.quality.items.text.work import inspect

__all__ = ["KIND"]

KIND = inspect
