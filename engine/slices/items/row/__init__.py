"""Rows of a table."""

from engine.slices.items.row.facts import Rows

KIND = Rows()
