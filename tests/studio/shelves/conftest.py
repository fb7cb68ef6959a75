"""Fixtures of shelves."""

from tests.support.project_setup import home

__all__ = ["home"]
