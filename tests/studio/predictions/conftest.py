"""Fixtures of batch predictions."""

from tests.support.data_room import home, room

__all__ = ["home", "room"]
