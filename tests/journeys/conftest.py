"""People who walk through the house, and a platform for those who kill processes."""

from __future__ import annotations

import pytest

from tests.journeys.walk import Walk
from tests.platform_process import Platform


@pytest.fixture(scope="session")
def killed_platform(tmp_path_factory, assets):
    """A platform whose processes may be killed: what they do meanwhile is nobody else's work."""
    running = Platform(tmp_path_factory.mktemp("killed-platform")).start()
    yield running
    left = running.stop()
    assert not left, f"left running after the end: {left}"


@pytest.fixture
def walk(platform, assets):
    """A new person with an empty workspace."""
    with Walk(platform) as walking:
        yield walking
