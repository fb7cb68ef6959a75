"""Fixtures of the dataset tests."""

from tests.support.project_setup import home, setup, setup_of_several

__all__ = ["home", "setup", "setup_of_several"]
