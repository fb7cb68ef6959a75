"""Somebody without data: a project of another task by the dialog, filled by one click with boxes and pictures without any."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

SLOW_MS = 200_000
"""The packages of the examples may have to be fetched."""


def test_a_detection_project_is_filled_with_examples(page: Page, platform, complaints):
    with Walk(platform) as walk:
        sign_in(page, walk)
        open_address(page, walk, "/projects")
        page.get_by_role("button", name="New project").first.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name").fill("Things")
        dialog.get_by_role("radio", name="Object detection").first.click()
        dialog.get_by_role("button", name="Create project").click()
        expect(page.get_by_role("heading", name="Things")).to_be_visible()

        page.get_by_role("link", name="Data", exact=True).click()
        page.get_by_role("button", name="Use example pictures").click()
        expect(page.get_by_role("region", name="Running imports")).to_be_visible()
        expect(page.get_by_role("button", name="Use example pictures")).to_have_count(0)
        expect(page.get_by_text("240 labelled", exact=True)).to_be_visible(timeout=SLOW_MS)
        expect(page.get_by_role("option").first).to_be_visible()
        assert not complaints
        (project,) = walk.call("GET", "/projects")["items"]
        items = walk.call("GET", f"/datasets/{project['dataset']}/items", params={"limit": 100})["items"]
        assert all(one["kind"] == "box" for item in items for one in item["annotations"])
        assert any(not item["annotations"] for item in items)
        assert {item["state"] for item in items} == {"annotated"}
