"""Batch prediction in a real browser: over what nobody has labelled, over files; results, downloads and suggestions."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk, digits, zipped

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

SLOW_MS = 60_000


@pytest.fixture(scope="module")
def new(platform):
    """Pictures that nobody has labelled."""
    return digits(num_classes=4, per_class=2, skip=30)


@pytest.fixture(scope="module")
def walk_and_model(platform, new):
    """Somebody with a model and these pictures."""
    with Walk(platform) as walk:
        made = walk.trained(per_class=12)
        flat = {name.replace("/", "-"): data for name, data in new.items()}
        assert walk.upload(made["project"]["dataset"], zipped(flat), name="new.zip", labels="none")["state"] == "succeeded"
        yield walk, made


def base(made: dict[str, Any]) -> str:
    return f"/projects/{made['project']['id']}"


def expect_done(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text("done", timeout=SLOW_MS)


def test_what_nobody_labelled_is_predicted_and_becomes_suggestions(page: Page, walk_and_model, new, complaints, shot):
    walk, made = walk_and_model
    sign_in(page, walk)
    open_address(page, walk, base(made))
    page.get_by_role("navigation").get_by_role("link", name="Batch prediction").click()
    page.get_by_role("link", name="New batch prediction").click()
    expect(page.get_by_role("radio", name="Model 1", exact=True)).to_be_checked()
    page.get_by_text("Not labelled", exact=True).click()
    shot("prediction-form")
    page.get_by_role("button", name="Start prediction").click()
    expect_done(page)
    results = page.get_by_role("region", name="Results")
    expect(results.get_by_role("listitem")).to_have_count(len(new))
    shot("prediction-results")

    results.get_by_role("button", name=re.compile("^Show .* large$")).first.click()
    dialog = page.get_by_role("dialog")
    first = dialog.get_by_role("heading").first.inner_text()
    expect(dialog.get_by_role("img", name=first)).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("heading").first).not_to_have_text(first)
    shot("prediction-large")
    page.keyboard.press("Escape")

    page.get_by_role("button", name="Use as suggestions").click()
    message = f"{len(new)} unlabelled pictures have suggestions"
    expect(page.get_by_role("region", name="Suggestions for labelling")).to_contain_text(message, timeout=SLOW_MS)
    page.get_by_role("link", name="Go to labelling").click()
    expect(page.get_by_role("button", name="Accept")).to_be_visible()


def test_files_are_predicted_and_what_cannot_be_read_says_why(page: Page, walk_and_model, new, complaints, shot, tmp_path):
    walk, made = walk_and_model
    whole = next(iter(new.values()))
    archive = tmp_path / "holiday.zip"
    archive.write_bytes(zipped({**{f"{n}.png": data for n, data in enumerate(new.values())}, "torn.png": whole[:60]}))
    sign_in(page, walk)
    open_address(page, walk, f"{base(made)}/predictions/new")
    page.get_by_role("radio", name="Files").check()
    expect(page.get_by_role("button", name="Start prediction")).to_be_disabled()
    page.locator("input[type=file]:not([webkitdirectory])").set_input_files(archive)
    expect(page.get_by_text("1 file, ")).to_be_visible()
    page.get_by_role("button", name="Start prediction").click()
    expect_done(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("holiday.zip")
    expect(page.get_by_role("region", name="Progress")).to_contain_text("1 failed")
    expect(page.get_by_role("button", name="Use as suggestions")).to_have_count(0)
    page.get_by_role("radiogroup", name="Which results").get_by_text("Failed (1)").click()
    results = page.get_by_role("region", name="Results")
    expect(results.get_by_role("listitem")).to_have_count(1)
    expect(results).to_contain_text("The picture is cut off or damaged.")
    shot("prediction-failed")

    page.get_by_role("button", name="Download").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=re.compile("^CSV")).click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8-sig"))))
    assert [row["file"] for row in rows] == [*(f"{n}.png" for n in range(len(new))), "torn.png"]
    assert [row["error"] for row in rows] == [*("" for _ in new), "damaged_picture"]
    assert {row["predicted"] for row in rows[:-1]} <= {"0", "1", "2", "3"}
    assert all(row["predicted"] for row in rows[:-1])

    once = page.url
    page.get_by_role("button", name="Run again").click()
    page.get_by_role("dialog").get_by_role("button", name="Start prediction").click()
    page.wait_for_url(lambda url: "/predictions/" in url and url.split("?")[0] != once.split("?")[0])
    expect_done(page)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/predictions")
    expect(page.get_by_role("table").get_by_text("holiday.zip")).to_have_count(1)
    shot("predictions")


def test_a_report_shows_what_counted_in_a_picture(page: Page, walk_and_model, complaints, shot):
    walk, made = walk_and_model
    items = walk.call("GET", f"/artefacts/{made['artefact']}/report/items", params={"split": "test", "order": "loss"})["items"]
    sign_in(page, walk)
    open_address(page, walk, f"{base(made)}/models/{made['artefact']}?one={items[0]['item']}&item={items[0]['item']}")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Show explanation")).to_be_visible()
    page.keyboard.press("v")
    shade = dialog.get_by_role("img", name=re.compile("^What influenced"))
    expect(shade).to_be_visible(timeout=SLOW_MS)
    shot("report-explained")
    dialog.get_by_role("button", name="Hide explanation").click()
    expect(shade).to_have_count(0)
