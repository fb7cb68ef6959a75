"""A labeller's work against a real server and a real browser, while one or the other is killed at random points."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect, sync_playwright

from studio.config.supervisor import QUICK_S
from tests.e2e.browser import CHROMIUM_FLAGS, browser_program
from tests.e2e.pages import sign_in
from tests.journeys.walk import Walk, digits, zipped

pytestmark = [pytest.mark.journey, pytest.mark.timeout(900)]

LABELS = ("0", "1", "2")
NUM_KILLS = int(os.environ.get("MODELYARD_TEST_KILLS", "4"))
"""Twenty for the long variant."""
SLOW_START_S = 8.0
"""What a busy machine may take to bring the server back."""


@pytest.fixture
def work(killed_platform):
    """Pictures that nobody has labelled."""
    with Walk(killed_platform) as walk:
        pictures = digits(num_classes=3, per_class=20)
        project = walk.project()
        named = {f"{index:03}.png": data for index, data in enumerate(pictures.values())}
        assert walk.upload(project["dataset"], zipped(named), labels="none")["state"] == "succeeded"
        walk.call("PUT", f"/projects/{project['id']}/labels", json={"labels": [{"name": name} for name in LABELS]})
        walk.made = project
        yield walk


def open_editor(context: BrowserContext, walk: Walk) -> Page:
    page = context.new_page()
    deadline = time.monotonic() + 60
    while True:
        try:
            page.goto(f"{walk.platform.url}/projects/{walk.made['id']}/labelling")
            break
        except Error:  # the server that was killed is not back yet
            assert time.monotonic() < deadline
            time.sleep(0.3)
    expect(page.locator("main img").first).to_be_visible(timeout=60_000)
    return page


def label(page: Page, rng: random.Random) -> tuple[str, str]:
    """Labels the picture shown by key; answers with its name and label once the page shows the next."""
    picture = page.locator("main img").first
    name = picture.get_attribute("alt", timeout=5_000) or ""
    key = rng.randrange(len(LABELS))
    page.keyboard.press(str(key + 1))
    expect(picture).not_to_have_attribute("alt", name)
    return name, LABELS[key]


def kill_server(walk: Walk) -> None:
    for process in walk.platform.find("studio.config.asgi"):
        process.send_signal(signal.SIGKILL)


def kill_page(page: Page) -> None:
    """The tab's process dies."""
    with contextlib.suppress(Error):
        page.goto("chrome://crash", timeout=3_000)
    page.close()


def test_whatever_is_killed_every_label_arrives_once(work: Walk):
    rng = random.Random(11)
    written: dict[str, list[str]] = {}
    with sync_playwright() as player:
        context = player.chromium.launch(executable_path=browser_program(), args=CHROMIUM_FLAGS).new_context()
        first = context.new_page()
        sign_in(first, work)
        first.close()
        page = open_editor(context, work)
        killed_at = 0.0
        for _ in range(NUM_KILLS):
            for _ in range(rng.randrange(1, 4)):
                name, given = label(page, rng)
                before = written.setdefault(name, [])
                if before[-1:] != [given]:  # saying the same again is no change
                    before.append(given)
            page.wait_for_timeout(rng.randrange(60))
            # A server that dies again at once, again and again, is given up by whoever keeps it alive.
            if rng.randrange(2) and time.monotonic() - killed_at > QUICK_S + SLOW_START_S:
                kill_server(work)
                killed_at = time.monotonic()
            else:
                kill_page(page)
                page = open_editor(context, work)
        expect(page.get_by_text("Saved", exact=True)).to_be_visible(timeout=90_000)
        context.close()
    items = work.call("GET", f"/datasets/{work.made['dataset']}/items", params={"limit": 200, "state": "annotated"})["items"]
    assert {item["name"]: history_of(work, item["id"]) for item in items} == written


def history_of(walk: Walk, item: str) -> list[str]:
    """The labels that a picture was given, oldest first."""
    steps = walk.call("GET", "/labeling/history", params={"item": item})
    return [one["label"] for step in reversed(steps) for one in step["annotations"]]
