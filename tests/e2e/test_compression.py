"""A model is compressed in a real browser: a budget, the front that was measured, and one press that keeps a candidate."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import open_address, sign_in

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

SLOW_MS = 300_000


def test_a_model_is_compressed_and_a_candidate_is_kept(page: Page, walk_and_model, complaints, shot):
    trained, made = walk_and_model
    project, model = made["project"]["id"], made["artefact"]
    address = f"/projects/{project}/models/{model}?tab=compression"
    sign_in(page, trained)
    open_address(page, trained, address)
    expect(page.get_by_text("Not compressed yet")).to_be_visible()
    shot("98-compression-empty")
    page.get_by_label("Loses at most").fill("50")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    shot("98-compression-running")
    front = page.get_by_role("table", name="What was measured")
    expect(front.get_by_role("row", name="16-bit weights")).to_be_visible(timeout=SLOW_MS)
    expect(front.get_by_role("row", name=re.compile("^Original"))).to_contain_text("ms")
    expect(page.get_by_role("img", name=re.compile("Quality and answer time"))).to_be_visible()
    shot("98-compression-front")
    page.get_by_label("One answer at most").fill("0")
    expect(page.get_by_role("button", name="Start")).to_be_disabled()
    half_row = front.get_by_role("row", name="16-bit weights")
    half_row.get_by_role("button", name="Keep").click()
    half_row.get_by_role("link", name=re.compile(r"^Model \d+$")).click()
    expect(page.get_by_text("16-bit weights, from model 1")).to_be_visible()
    shot("98-compression-kept")
    page.get_by_role("tab", name="Compression").click()
    expect(page.get_by_text("already. Compress the model that it was made from.")).to_be_visible()
    open_address(page, trained, f"/projects/{project}/models")
    expect(page.get_by_text("16-bit weights, from model 1")).to_be_visible()
    shot("98-compression-models")
    trained.call("PATCH", "/auth/me", json={"language": "zh"})
    open_address(page, trained, address)
    expect(page.get_by_role("table", name="测量结果")).to_be_visible()
    page.get_by_role("table", name="测量结果").scroll_into_view_if_needed()
    shot("98-compression-zh")
    assert not complaints
