"""Rows of a table."""

from engine.quality.items.row.work import look

__all__ = ["KIND"]

KIND = look
