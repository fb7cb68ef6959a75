"""The browser that tests drive."""

from __future__ import annotations

import os
import shutil

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
PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
"""The first shows the same pages without a browser's own window, which takes most of a second to draw for each new person."""


def browser_program() -> str:
    """Chromium's program: the one that ``CHROMIUM`` names, else the lightest that is installed."""
    program = os.environ.get("CHROMIUM") or next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    assert program, (
        "Chromium is not installed: `apt-get install chromium-headless-shell` (or chromium), or set CHROMIUM to a browser, "
        "then run the tests again."
    )
    return program
