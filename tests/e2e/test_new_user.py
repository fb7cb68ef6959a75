"""A newcomer's day in the browser: from sign-up to an answered call, by mouse and keyboard, with no shell."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.journeys.walk import digits, zipped

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]

TRAINED_MS = 180_000


@pytest.fixture
def pictures(tmp_path) -> Path:
    """A zip of three digits, labelled by folder, and a few more that nobody labelled."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "digits.zip").write_bytes(zipped(digits(num_classes=3, per_class=20)))
    for name, data in digits(num_classes=3, per_class=2, skip=30).items():
        (folder / f"new-{name.replace('/', '-')}").write_bytes(data)
    return folder


def open_page(page: Page, name: str) -> None:
    """Goes to a page by the rail."""
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()


def sign_up(page: Page, url: str) -> None:
    page.goto(f"{url}/")
    # Whoever comes first to a new platform is led here by itself.
    link, name = page.get_by_role("link", name="Create account"), page.get_by_label("Name")
    expect(link.or_(name)).to_be_visible()
    if link.is_visible():
        link.click()
    name.fill("Grace")
    page.get_by_label("E-mail").fill(f"grace-{abs(hash(page))}@example.org")
    page.get_by_role("textbox", name="Password").fill("a long pass phrase")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()


def test_from_sign_up_to_an_answered_call(page: Page, platform, pictures: Path, complaints, shot):
    sign_up(page, platform.url)
    shot("01-projects-empty")

    page.get_by_role("button", name="New project").click()
    page.get_by_label("Name").fill("Digits")
    shot("02-new-project")
    page.get_by_role("dialog").get_by_role("button", name="Create project").click()
    expect(page.get_by_role("heading", name="Digits")).to_be_visible()
    shot("03-guide")

    upload(page, pictures / "digits.zip")
    expect(page.get_by_text("60 labelled", exact=True)).to_be_visible(timeout=60_000)
    upload(page, *sorted(pictures.glob("new-*.png")))
    expect(page.get_by_text("6 not labelled", exact=True)).to_be_visible(timeout=30_000)
    shot("04-data")

    label_the_rest_by_keyboard(page, shot)
    make_a_version(page, shot)
    train(page, shot)
    read_the_report(page, shot)
    url, key = publish(page, shot)

    picture = next(iter(digits(num_classes=1, per_class=1, skip=40).values()))
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/octet-stream"}
    reply = httpx.post(url, content=picture, headers=headers, timeout=30)
    assert reply.status_code == 200, reply.text
    assert reply.json()["predictions"][0]["annotations"][0]["label"] in {"0", "1", "2"}

    open_page(page, "Overview")
    expect(page.get_by_text("All steps are done")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("listitem").filter(has_text="%")).to_have_count(3)
    expect(page.get_by_role("table", name="Newest deployments").get_by_role("row").nth(1)).to_contain_text("running")
    shot("14-guide-done")
    page.get_by_role("table", name="Models").get_by_role("row").nth(1).press("Enter")
    expect(page.get_by_role("heading", name=re.compile(r"^Model \d+$"))).to_be_visible()


def upload(page: Page, *files: Path) -> None:
    open_page(page, "Data")
    with page.expect_file_chooser() as chooser:
        if page.get_by_role("button", name="Choose files").count() == 0:
            page.get_by_role("button", name="Upload", exact=True).first.click()
        page.get_by_role("button", name="Choose files").click()
    chooser.value.set_files(list(files))
    if any(file.suffix == ".zip" for file in files):  # it may hold labels in many ways
        page.get_by_role("region", name="Files to upload").get_by_role("button", name="Upload", exact=True).click()


def label_the_rest_by_keyboard(page: Page, shot) -> None:
    open_page(page, "Labelling")
    expect(page.get_by_text("60 of 66 labelled")).to_be_visible()
    shot("05-labelling")
    for done in range(61, 67):
        expect(page.get_by_text("Not labelled", exact=True)).to_be_visible()  # keys are for the picture that is shown
        page.keyboard.press("1")
        expect(page.get_by_text(f"{done} of 66 labelled")).to_be_visible()
    expect(page.get_by_text("Nothing is left to label")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text("65 of 66 labelled")).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_text("66 of 66 labelled")).to_be_visible()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()


def make_a_version(page: Page, shot) -> None:
    open_page(page, "Versions")
    page.get_by_role("button", name="New version").first.click()
    shot("06-new-version")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Freeze")).click()
    expect(page.get_by_text("Version 1", exact=True).first).to_be_visible(timeout=30_000)
    shot("07-versions")


def train(page: Page, shot) -> None:
    open_page(page, "Studies")
    page.get_by_role("link", name="New study").or_(page.get_by_role("button", name="New study")).first.click()
    page.get_by_text("Own choice").click()
    for family in page.get_by_role("checkbox").all():
        if (
            family.is_checked()
            and "probe"
            not in (family.get_attribute("value") or family.evaluate("box => box.closest('label, div').innerText")).lower()
        ):
            family.click()
    page.get_by_role("button", name="Advanced").click()
    page.get_by_label("Trials at most").fill("2")  # the others would go on behind the tests that follow
    shot("08-new-study")
    page.get_by_role("button", name="Start training").click()
    expect(page.get_by_text("Best so far")).to_be_visible(timeout=30_000)
    shot("09-study-running")
    expect(page.get_by_role("link", name="Open the model").first).to_be_visible(timeout=TRAINED_MS)
    shot("10-study")


def read_the_report(page: Page, shot) -> None:
    page.get_by_role("link", name="Open the model").first.click()
    expect(page.get_by_text("test pictures are too few to say how good this model is")).to_be_visible(timeout=30_000)
    shot("11-report")


def publish(page: Page, shot) -> tuple[str, str]:
    page.get_by_role("button", name="Deploy", exact=True).or_(page.get_by_role("link", name="Deploy", exact=True)).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Deploy").click()
    expect(page.get_by_role("heading", name="Try it")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("running", exact=True)).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Take one from the data").click()
    expect(page.get_by_text("answered in")).to_be_visible(timeout=30_000)
    shot("12-try-out")
    page.get_by_role("button", name="Make a key").click()
    snippet = page.locator("pre").first
    expect(snippet).to_contain_text("my_")
    shot("13-deployment")
    program = snippet.inner_text()
    url, key = re.search(r"https?://[^\s\"']+", program), re.search(r"my_[\w-]+", program)
    assert url, program
    assert key, program
    return url[0], key[0]
