"""A real Chromium against the real platform."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import CHROMIUM_FLAGS, browser_program
from tests.journeys.walk import Walk

SHOTS = os.environ.get("MODELYARD_TEST_SHOTS")
"""Where pictures for people to look at are put; none are taken without it, since nothing is asserted on them."""

# How long a page takes is a matter of the machine, never of what is tested.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": browser_program(), "args": CHROMIUM_FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    """As somebody who wants no motion: what moves is drawn by the processor, which others need meanwhile."""
    window = {"viewport": {"width": 1280, "height": 800}, "locale": "en-US"}
    return {**browser_context_args, **window, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def walk_and_model(platform):
    """Somebody with a project of 48 digits and a model, for modules that do not mind what others add to it."""
    with Walk(platform) as walking:
        yield walking, walking.trained(per_class=12)


@pytest.fixture
def complaints(page):
    """What the page logged on its console or threw; a test ends with none."""
    found: list[str] = []

    # A refused request is shown by the page itself; the browser's own line about it is no fault of ours.
    def listen(message):
        if message.type == "error" and "Failed to load resource" not in message.text:
            found.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: found.append(str(error)))
    yield found
    assert not found


@pytest.fixture
def shot_in():
    """Takes a picture of a page, if somebody wants them."""

    def take(page, name: str) -> None:
        if SHOTS is None:
            return
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(400)  # for transitions
        page.screenshot(path=Path(SHOTS) / f"{name}.png")

    return take


@pytest.fixture
def shot(page, shot_in):
    """The same for the one page of a test."""
    return lambda name: shot_in(page, name)
