"""The documentation in a browser: the help link leads to the page that fits, the search finds words of both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]


@pytest.mark.parametrize(
    ("language", "help_word", "title", "query", "found"),
    [
        ("en", "Help", "Deploy and roll out", "shadow", "Several models on one address"),
        ("zh", "帮助", "部署与灰度发布", "影子模型", "同一地址的多个模型"),
    ],
)
def test_help_leads_to_a_page_that_can_be_searched(
    page: Page, platform, complaints, language: str, help_word: str, title: str, query: str, found: str
):
    with Walk(platform) as walk:
        project = walk.project()
        sign_in(page, walk, language)
        open_address(page, walk, f"/projects/{project['id']}/deployments")
        with page.expect_popup() as opened:
            page.get_by_role("link", name=help_word, exact=True).click()
        docs = opened.value
        errors: list[str] = []
        docs.on("pageerror", lambda error: errors.append(str(error)))
        expect(docs.get_by_role("heading", level=1)).to_contain_text(title)
        docs.wait_for_load_state("networkidle")  # a page that is not alive yet takes no keys
        docs.keyboard.press("/")
        docs.get_by_role("searchbox").fill(query)
        docs.get_by_role("option").filter(has_text=found).first.click()
        expect(docs.get_by_role("heading", level=2).filter(has_text=found)).to_be_in_viewport()
        assert not errors
    assert not complaints
