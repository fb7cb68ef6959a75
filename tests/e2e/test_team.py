"""Work shared out among people: one makes a campaign, another labels a share and sees nothing else, a third looks it over."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk, digits, zipped

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


def person(walk: Walk, name: str, role: str) -> str:
    """Signs somebody up and takes them into the workspace; answers with the address."""
    with Walk(walk.platform) as other:
        other.call("PATCH", "/auth/me", json={"name": name})
        other.join(walk, role)
        return other.email


def page_of(browser: Browser, walk: Walk, email: str) -> Page:
    """A browser of their own for somebody."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US").new_page()
    page.goto(f"{walk.platform.url}/sign-in")
    page.locator("input[type=email]").fill(email)
    page.locator("input[type=password]").fill("a long pass phrase")
    page.locator("button[type=submit]").click()
    page.get_by_role("link", name="My tasks").wait_for()
    return page


def test_a_campaign_from_sharing_out_to_review(page: Page, browser: Browser, platform, complaints):
    with Walk(platform) as walk:
        project = walk.project()
        walk.upload(project["dataset"], zipped(digits(num_classes=2, per_class=3)), labels="none")
        walk.call("PUT", f"/projects/{project['id']}/labels", json={"labels": [{"name": "0"}, {"name": "1"}]})
        annotator = person(walk, "Nora", "annotator")
        reviewer = person(walk, "Rita", "engineer")
        base = f"/projects/{project['id']}"

        sign_in(page, walk)
        open_address(page, walk, f"{base}/team")
        page.get_by_role("button", name="New campaign").first.click()
        drawer = page.get_by_role("dialog")
        drawer.get_by_label("Name").fill("First digits")
        drawer.get_by_label("People").click()
        page.get_by_role("option", name="Nora").click()
        page.keyboard.press("Escape")
        drawer.get_by_role("button", name="Assign").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("First digits")

        labelling = page_of(browser, walk, annotator)
        labelling.get_by_role("link", name="My tasks").click()
        expect(labelling.get_by_role("heading", name="My tasks")).to_be_visible()
        labelling.get_by_role("link", name="Start").click()
        expect(labelling.get_by_text("First digits: 0 done, 6 open")).to_be_visible()
        expect(labelling.get_by_role("link", name="Data")).to_have_count(0)
        for _ in range(6):
            expect(labelling.get_by_role("button", name="Next")).to_be_enabled()
            labelling.keyboard.press("1")
        expect(labelling.get_by_text("You have finished your share")).to_be_visible()
        labelling.goto(f"{walk.platform.url}/tasks")
        # What was still on its way when the page was left is sent from this one.
        expect(labelling.get_by_text("You are done")).to_be_visible(timeout=30_000)

        open_address(page, walk, f"{base}/team")
        expect(page.get_by_text("6/6")).to_be_visible(timeout=20_000)

        looking = page_of(browser, walk, reviewer)
        open_address(looking, walk, f"{base}/team/review")
        looking.keyboard.press("a")
        expect(looking.get_by_text("1 reviewed")).to_be_visible()
        looking.get_by_role("textbox").fill("This is a one")
        looking.get_by_role("button", name="Return").click()
        expect(looking.get_by_text("2 reviewed")).to_be_visible()
        summary = walk.call("GET", f"/datasets/{project['dataset']}/summary")
        assert (summary["annotated"], summary["unlabelled"]) == (5, 1)
        workers = walk.call("GET", f"/labeling/workers?project={project['id']}")
        found = [(one["name"], one["num_changes"], one["num_approved"], one["num_returned"]) for one in workers]
        assert found == [("Nora", 6, 1, 1)]


def test_labels_are_merged_and_brought_back(page: Page, platform, complaints):
    with Walk(platform) as walk:
        project = walk.project()
        walk.upload(project["dataset"], zipped(digits(num_classes=3, per_class=3)))
        sign_in(page, walk)
        open_address(page, walk, f"/projects/{project['id']}/labelling/labels")
        page.get_by_role("checkbox", name="Choose 0").check()
        page.get_by_role("checkbox", name="Choose 1").check()
        page.get_by_role("button", name="Merge…").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Into").fill("binary")
        expect(dialog.get_by_text("6 pictures change")).to_be_visible()
        dialog.get_by_role("button", name="Merge 2 labels").click()
        expect(page.get_by_label("Name of binary")).to_have_value("binary")
        assert walk.call("GET", f"/datasets/{project['dataset']}/summary")["by_label"] == {"binary": 6, "2": 3}
        page.locator("section").get_by_role("button", name="Undo").click()
        expect(page.get_by_label("Name of 0")).to_have_value("0")
        assert walk.call("GET", f"/datasets/{project['dataset']}/summary")["by_label"] == {"0": 3, "1": 3, "2": 3}
        page.get_by_role("button", name="Move 0, now 1 of 3").press("End")
        handle = page.get_by_role("button", name="Move 0, now 3 of 3")
        handle.drag_to(page.get_by_role("button", name="Move 2, now 2 of 3"), target_position={"x": 8, "y": 2})
        expect(page.get_by_role("button", name="Move 0, now 2 of 3")).to_be_visible()
