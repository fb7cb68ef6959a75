"""Fixtures of the data room."""

from tests.data_room import home, room, room_of_several

__all__ = ["home", "room", "room_of_several"]
