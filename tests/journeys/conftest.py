"""People who walk through the product."""

from __future__ import annotations

import pytest

from tests.journeys.walk import Walk


@pytest.fixture
def walk(platform, assets):
    """A new person with an empty workspace."""
    with Walk(platform) as walking:
        yield walking
