"""Rows of a query of somebody's database; a file an engine."""
