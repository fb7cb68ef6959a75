"""Fixtures of the study tests."""

import pytest

from tests.studio.studies.material import version_make
from tests.support.project_setup import home, setup

__all__ = ["home", "setup", "version"]


@pytest.fixture
def version(setup):
    """A version of forty pictures with two labels."""
    return version_make(setup)
