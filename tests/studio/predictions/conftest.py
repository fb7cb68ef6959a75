"""Fixtures of batch predictions."""

from tests.support.project_setup import home, setup

__all__ = ["home", "setup"]
