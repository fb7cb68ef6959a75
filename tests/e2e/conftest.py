"""A real Chromium against the real platform."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.platform_process import ROOT

HERE = Path(__file__).parent
SHOTS = Path(os.environ.get("MODELYARD_TEST_SHOTS", ROOT / "var" / "shots"))

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def pytest_collection_modifyitems(items):
    """A browser, a platform and a machine that others share: what failed is tried once more, and named as unsteady."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert program, (
        "Chromium is not installed: `apt-get install chromium`, or set CHROMIUM to a browser, then run the tests again."
    )
    return {**browser_type_launch_args, "executable_path": program, "args": CHROMIUM_FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return {**browser_context_args, "viewport": {"width": 1280, "height": 800}, "locale": "en-US"}


@pytest.fixture
def complaints(page):
    """What the page said on its console or threw; a test ends with none."""
    found: list[str] = []

    # A refused request is told by the page itself; the browser's own line about it is no fault of ours.
    def listen(message):
        if message.type == "error" and "Failed to load resource" not in message.text:
            found.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: found.append(str(error)))
    yield found
    assert not found


@pytest.fixture
def shot_in():
    """Takes a picture of a page for people to look at."""

    def take(page, name: str) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(400)  # pictures and transitions, for the eye alone: nothing is asserted on it
        page.screenshot(path=SHOTS / f"{name}.png")

    return take


@pytest.fixture
def shot(page, shot_in):
    """The same for the one page of a test."""
    return lambda name: shot_in(page, name)
