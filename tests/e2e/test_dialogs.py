"""What a person decides in dialogs and can take back: uploads broken off, quality's actions, versions, archives."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk, digits, zipped
from tests.support.platform_process import Platform

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

SLOW_MS = 60_000
"""What a busy machine may take for a step that is a moment elsewhere."""
CHECKED_MS = 180_000
MANY = 300
IN_A_REQUEST = 64


@pytest.fixture
def walk(platform):
    with Walk(platform) as walking:
        yield walking


@pytest.fixture
def folder(tmp_path) -> Path:
    """Small pictures, all different, in two folders that name their labels."""
    for number in range(MANY):
        path = tmp_path / "pets" / ("cat" if number % 2 else "dog") / f"{number:03}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 8), (number % 256, number // 256, 90)).save(path)
    return tmp_path / "pets"


def send_folder(page: Page, folder: Path) -> None:
    page.locator("input[webkitdirectory]").set_input_files(folder)


def test_an_upload_killed_with_its_page_goes_on_without_loss_or_repeat(browser: Browser, walk: Walk, folder: Path):
    project = walk.project()
    address = f"/projects/{project['id']}/data"
    context: BrowserContext = browser.new_context(locale="en-US")
    page = context.new_page()
    requests = 0

    def let_two_through(route: Route) -> None:
        nonlocal requests
        requests += 1
        if requests <= 2:
            route.continue_()
        else:
            route.abort("connectionfailed")  # one that is merely held goes out when its page closes

    page.route("**/uploads/batch?*", let_two_through)
    sign_in(page, walk)
    open_address(page, walk, address)
    send_folder(page, folder)
    expect(page.get_by_text(f"{2 * IN_A_REQUEST} of {MANY} files")).to_be_visible(timeout=SLOW_MS)
    page.close()

    page = context.new_page()
    open_address(page, walk, address)
    alert = page.get_by_role("alert").filter(has_text="The upload of pets was interrupted")
    expect(alert).to_contain_text(re.compile(r"\d+ pictures have arrived"))
    # A request that was on its way while the page closed may have got through.
    arrived = int(re.findall(r"(\d+) pictures have arrived", alert.inner_text())[0])
    assert 2 * IN_A_REQUEST <= arrived < MANY
    page.get_by_role("button", name="Upload", exact=True).click()
    send_folder(page, folder)
    panel = page.get_by_role("region", name="Upload finished")
    expect(panel).to_contain_text(f"{MANY} of {MANY} files", timeout=SLOW_MS)
    expect(panel).to_contain_text(f"{arrived} already existed and were not sent")
    expect(page.get_by_text(f"{MANY} labelled", exact=True)).to_be_visible()
    context.close()

    assert names_of(walk, project) == sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.png"))
    uploads = walk.call("GET", f"/datasets/{project['dataset']}/uploads")["items"]
    assert [(one["state"], one["num_items"]) for one in uploads] == [("done", MANY)]


def names_of(walk: Walk, project: dict[str, Any]) -> list[str]:
    """The names of all items, sorted; one that is there twice is named twice."""
    names: list[str] = []
    where: dict[str, Any] = {"limit": 200}
    while True:
        page = walk.call("GET", f"/datasets/{project['dataset']}/items", params=where)
        names += [item["name"] for item in page["items"]]
        if page["next_cursor"] is None:
            return sorted(names)
        where["cursor"] = page["next_cursor"]


def written_anew(data: bytes) -> bytes:
    """The same pixels in another file."""
    out = io.BytesIO()
    Image.open(io.BytesIO(data)).save(out, "PNG", compress_level=0)
    return out.getvalue()


def counts(walk: Walk, project: dict[str, Any]) -> tuple[int, int]:
    """Items that are there, and exact copies that wait for a decision."""
    report = walk.call("GET", f"/datasets/{project['dataset']}/quality")
    return walk.call("GET", f"/datasets/{project['dataset']}/summary")["items"], report["num_open"].get("exact_duplicate", 0)


def test_what_quality_finds_is_acted_on_and_taken_back(page: Page, walk: Walk, complaints):
    project = walk.project()
    pictures = digits(num_classes=2, per_class=5)
    twins = {name.replace(".png", "-twin.png"): written_anew(data) for name, data in list(pictures.items())[::5]}
    assert walk.upload(project["dataset"], zipped({**pictures, **twins}))["state"] == "succeeded"
    sign_in(page, walk)
    open_address(page, walk, f"/projects/{project['id']}/quality")
    page.get_by_role("button", name="Check the data").click()
    page.get_by_role("button", name=re.compile("^Exact copies")).click(timeout=CHECKED_MS)
    copies = page.get_by_role("listitem").get_by_role("button", pressed=False)
    expect(copies).to_have_count(4)
    before = counts(walk, project)
    assert before == (12, 4)

    for action, message, during in (
        ("Put aside", "1 picture put aside", (11, 2)),
        ("Delete", "1 picture deleted", (11, 2)),
        ("Not a fault", "1 finding dismissed", (12, 3)),
    ):
        copies.first.focus()
        page.keyboard.press("Space")
        bar = page.get_by_role("toolbar")
        expect(bar).to_contain_text("1 selected")
        bar.get_by_role("button", name=action, exact=True).click()
        notice = page.get_by_role("alert").filter(has_text=message)
        expect(notice).to_be_visible()
        expect(copies).to_have_count(during[1])
        assert counts(walk, project) == during, action
        notice.get_by_role("button", name="Undo").click()
        expect(copies).to_have_count(4)
        assert counts(walk, project) == before, action

    page.get_by_role("button", name="Put all aside").click()
    page.get_by_role("dialog").get_by_role("button", name="Put aside").click()
    expect(page.get_by_text("Nothing of this kind is open")).to_be_visible()
    assert counts(walk, project) == (10, 0)
    page.get_by_role("button", name="History", exact=True).click()
    page.get_by_role("row").filter(has_text="2 pictures put aside").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("2 pictures restored")).to_be_visible()
    assert counts(walk, project) == before


def label_of(walk: Walk, item: str) -> list[str]:
    return [one["label"] for one in walk.call("GET", f"/items/{item}")["annotations"]]


def test_a_version_is_restored_taken_back_and_branched_from(page: Page, walk: Walk, complaints):
    project = walk.project()
    assert walk.upload(project["dataset"], zipped(digits(num_classes=2, per_class=6)))["state"] == "succeeded"
    walk.snapshot(project["id"], note="as it came")
    item = walk.call("GET", f"/datasets/{project['dataset']}/items", params={"label": "0", "limit": 1})["items"][0]
    change = {"annotations": [{"kind": "class", "label": "1"}], "revision": item["revision"], "operation": "a-change-of-mind"}
    walk.call("PUT", f"/labeling/items/{item['id']}/annotations", json=change)

    sign_in(page, walk)
    open_address(page, walk, f"/projects/{project['id']}/versions")
    expect(page.get_by_role("link", name="1 picture has changed since")).to_be_visible()
    choose(page, 1, "Restore…")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 picture gets other annotations")
    dialog.get_by_role("button", name="Restore").click()
    notice = page.get_by_role("alert").filter(
        has_text="Version 1 was restored; what was before is version 2: 1 picture changed"
    )
    expect(notice).to_be_visible(timeout=SLOW_MS)
    assert label_of(walk, item["id"]) == ["0"]
    notice.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("alert").filter(has_text="Version 2 was restored")).to_be_visible(timeout=SLOW_MS)
    assert label_of(walk, item["id"]) == ["1"]

    choose(page, 1, "Branch from here…")
    name = page.get_by_role("textbox", name="Name of the branch")
    name.fill("main")
    expect(page.get_by_text("There is already a branch with this name.")).to_be_visible()
    name.fill("stricter")
    name.press("Enter")
    expect(follows(page)).to_contain_text("stricter", timeout=SLOW_MS)
    assert label_of(walk, item["id"]) == ["0"]
    walk.snapshot(project["id"], note="on the branch")
    page.get_by_role("button", name="Branches").click()
    page.get_by_role("menuitem", name=re.compile("main")).click()
    expect(follows(page)).to_contain_text("main", timeout=SLOW_MS)
    assert label_of(walk, item["id"]) == ["1"]


def choose(page: Page, version: int, action: str) -> None:
    page.get_by_role("button", name=f"More for version {version}").click()
    page.get_by_role("menuitem", name=action).click()


def follows(page: Page) -> Locator:
    """The line that says where the data stands."""
    return page.get_by_text(re.compile("^The data follows version")).locator("xpath=..")


def test_a_project_leaves_as_a_file_and_arrives_elsewhere(
    browser: Browser, page: Page, walk: Walk, killed_platform: Platform, tmp_path, complaints
):
    project = walk.project()
    walk.call("PATCH", f"/projects/{project['id']}", json={"name": "Ziffern 数字"})
    assert walk.upload(project["dataset"], zipped(digits(num_classes=2, per_class=6)))["state"] == "succeeded"
    version = walk.snapshot(project["id"])
    sign_in(page, walk)
    open_address(page, walk, f"/projects/{project['id']}/versions")
    page.get_by_role("link", name="Project archive").click()
    page.get_by_role("button", name="Make an archive").click()
    link = page.get_by_role("link", name="Download")
    expect(link).to_be_visible(timeout=SLOW_MS)
    with page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename.startswith("Ziffern-数字-")
    archive = tmp_path / download.value.suggested_filename
    download.value.save_as(archive)

    open_address(page, walk, "/projects")
    bring_in(page, archive)
    expect(page.get_by_role("dialog")).to_contain_text("This project is here already", timeout=SLOW_MS)

    with Walk(killed_platform) as other:  # any other platform
        context = browser.new_context(locale="en-US")
        there = context.new_page()
        sign_in(there, other)
        open_address(there, other, "/projects")
        bring_in(there, archive)
        expect(there.get_by_role("heading", name="Ziffern 数字")).to_be_visible(timeout=SLOW_MS)
        open_address(there, other, f"/projects/{project['id']}/versions/{version['id']}")
        expect(there.get_by_role("heading", name="Version 1")).to_be_visible()
        assert names_of(other, project) == names_of(walk, project)
        context.close()


def bring_in(page: Page, archive: Path) -> None:
    page.get_by_role("button", name="Import archive").click()
    dialog = page.get_by_role("dialog")
    page.locator("input[type=file]").set_input_files(archive)
    dialog.get_by_role("button", name="Import", exact=True).click()
