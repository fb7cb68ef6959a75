"""Fixtures of batch predictions."""

from tests.data_room import home, room

__all__ = ["home", "room"]
