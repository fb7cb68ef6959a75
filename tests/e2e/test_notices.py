"""Notices of what was done never lie over an action, whatever the window."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk, digits, zipped

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

REACHED_MS = 5_000


@pytest.fixture(scope="module")
def walk_and_project(platform):
    with Walk(platform) as walk:
        project = walk.project()
        job = walk.upload(project["dataset"], zipped(digits(num_classes=3, per_class=4)))
        assert job["state"] == "succeeded", job
        yield walk, project


def reach_all(actions: Locator) -> None:
    """Each can be pressed where it is: nothing lies over its middle once it is scrolled to."""
    assert actions.count()
    for action in actions.all():
        action.click(trial=True, timeout=REACHED_MS)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (1024, 540), (390, 800)])
def test_notices_leave_the_bar_and_the_rail_free(page: Page, walk_and_project, complaints, shot, width: int, height: int):
    walk, project = walk_and_project
    page.set_viewport_size({"width": width, "height": height})
    sign_in(page, walk)
    open_address(page, walk, f"/projects/{project['id']}/data")
    pictures = page.get_by_role("option")
    for place in (0, 1):
        pictures.nth(place).click(modifiers=["Control"])
    for label in ("2", "1"):
        page.keyboard.press(label)
        expect(page.get_by_role("alert").last).to_contain_text("2 pictures labelled")
        page.wait_for_timeout(400)  # the next key would be the same notice to the eye
    expect(page.get_by_role("alert")).to_have_count(2)
    page.get_by_role("alert").first.hover()  # while somebody points at them, they stay
    shot(f"notices-{width}x{height}")
    bar = page.get_by_role("toolbar", name="Selected pictures")
    reach_all(bar.get_by_role("button"))
    if width > 768:
        reach_all(page.get_by_role("navigation").get_by_role("link"))
    reach_all(page.get_by_role("alert").get_by_role("button", name="Undo"))
