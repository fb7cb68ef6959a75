"""Rows of a table."""

from .kind import RowItems

__all__ = ["KIND"]

KIND = RowItems
