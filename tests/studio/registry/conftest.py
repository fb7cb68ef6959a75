"""Fixtures of the registry."""

import pytest

from tests.studio.studies.material import version_make
from tests.support.data_room import home, room

__all__ = ["home", "room", "version"]


@pytest.fixture
def version(room):
    """A version of forty pictures with two labels."""
    return version_make(room)
