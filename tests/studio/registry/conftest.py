"""Fixtures of the registry."""

import pytest

from tests.data_room import home, room
from tests.studio.studies.material import version_make

__all__ = ["home", "room", "version"]


@pytest.fixture
def version(room):
    """A version of forty pictures with two labels."""
    return version_make(room)
