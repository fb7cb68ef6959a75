"""Projects from outside, in a real browser: renamed, deleted, brought back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]


def test_a_project_is_renamed_deleted_and_comes_back(page: Page, platform, complaints, shot):
    with Walk(platform) as walk:
        made = walk.project()
        sign_in(page, walk)
        open_address(page, walk, "/projects")
        page.get_by_role("button", name=f"Actions for {made['name']}").click()
        page.get_by_role("menuitem", name="Rename").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name").fill("Housings")
        dialog.get_by_role("button", name="Save").click()
        card = page.get_by_role("link", name="Housings")
        expect(card).to_be_visible()

        page.get_by_role("button", name="Actions for Housings").click()
        page.get_by_role("menuitem", name="Delete").click()
        expect(card).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(card).to_be_visible()

        page.get_by_role("button", name="Actions for Housings").click()
        page.get_by_role("menuitem", name="Delete").click()
        expect(card).to_have_count(0)
        page.get_by_role("button", name="Deleted projects").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text("Housings")).to_be_visible()
        shot("60-projects-deleted")
        dialog.get_by_role("button", name="Restore").click()
        expect(dialog.get_by_text("There is none.")).to_be_visible()
        page.keyboard.press("Escape")
        expect(card).to_be_visible()
        shot("61-projects-menu")
