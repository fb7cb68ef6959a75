"""From the address typed to the first page usable, on a cold cache: the sign-in form takes what is typed.

Every round is a new browser profile against the real platform here. Wall time counts, since it is what a person waits; so do
the bytes of JavaScript as they were sent, since they decide how long somebody with a slow line waits.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import time

from benchmarks._platform import walking
from benchmarks.harness import Claim, Options, SkippedError, main

TARGET_MS = 1500.0
TARGET_KB = 250.0
SCRIPT_BYTES = """performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith(".js"))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""
NUM_ROUNDS = 5
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def measure(options: Options) -> list[Claim]:
    """Median over fresh profiles of one browser; the browser's own start is not counted."""
    try:
        from playwright.sync_api import sync_playwright  # the extra `dev` brings it
    except ImportError as error:
        raise SkippedError("playwright is not installed") from error
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        raise SkippedError("Chromium is not installed")
    with walking("efficientnet_lite0") as walk, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=program, args=FLAGS)
        rounds = [_opened(browser, walk.platform.url) for _ in range(1 + options.pick(NUM_ROUNDS, smoke=1, quick=3))][1:]
        browser.close()
    waits_ms = [wait_ms for wait_ms, _ in rounds]
    sys.stderr.write("ms: " + ", ".join(f"{wait:.0f}" for wait in sorted(waits_ms)) + "\n")
    median_ms = statistics.median(waits_ms)
    metric = f"wall ms to a usable first page, cold cache, median of {len(waits_ms)}"
    size_kb = max(script_kb for _, script_kb in rounds)
    return [
        Claim("first_page", metric, median_ms, 0.0, median_ms, TARGET_MS, is_at_most=True),
        Claim("first_page", "kB of JavaScript as sent (gzip)", size_kb, 0.0, size_kb, TARGET_KB, is_at_most=True),
    ]


def _opened(browser, url: str) -> tuple[float, float]:
    """Milliseconds until the form takes what is typed, and kB of scripts until nothing more is fetched."""
    context = browser.new_context()
    page = context.new_page()
    started = time.perf_counter()
    page.goto(url)
    email = page.locator("input[type=email]")
    email.fill("ada@example.org")
    assert email.input_value() == "ada@example.org"
    wait_ms = (time.perf_counter() - started) * 1000
    page.wait_for_load_state("networkidle")
    script_kb = page.evaluate(SCRIPT_BYTES) / 1000
    assert script_kb > 0
    context.close()
    return wait_ms, script_kb


if __name__ == "__main__":
    main(measure)
