"""Fixtures of the data room."""

from tests.support.data_room import home, room, room_of_several

__all__ = ["home", "room", "room_of_several"]
