"""Rows of a table."""

from engine.quality.items.row.work import inspect

__all__ = ["KIND"]

KIND = inspect
