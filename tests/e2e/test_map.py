"""The map in a real browser with real pictures: select by lasso, label, put aside, delete, undo, and search by any picture.

Comments are walked here too: they need a platform, a picture and two pages, and nothing of the map.
"""

from __future__ import annotations

import re
import signal
import time
import zipfile

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk, zipped
from tests.support.platform_process import ASSETS

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(420)]

NUM_LABELS = 4
PER_LABEL = 10
SLOW_MS = 60_000


def stamps() -> dict[str, bytes]:
    """Pictures of four kinds from the quick-start set: ``label/name`` -> bytes."""
    with zipfile.ZipFile(ASSETS / "tuxpaint_stamps" / "pictures.zip") as archive:
        names = sorted(name for name in archive.namelist() if not name.endswith("/"))
        kinds = sorted({name.split("/")[-2] for name in names})[:NUM_LABELS]
        chosen = [name for kind in kinds for name in [one for one in names if one.split("/")[-2] == kind][:PER_LABEL]]
        return {"/".join(name.split("/")[-2:]): archive.read(name) for name in chosen}


@pytest.fixture
def work(platform):
    """A project whose map is drawn."""
    with Walk(platform) as walk:
        project = walk.project()
        assert walk.upload(project["dataset"], zipped(stamps()), labels="folder")["state"] == "succeeded"
        walk.made = walk.call("GET", f"/projects/{project['id']}")
        deadline = time.monotonic() + 180
        while walk.call("GET", "/labeling/map", params={"project": project["id"]})["map"] is None:
            assert time.monotonic() < deadline, "no map was drawn"
            time.sleep(0.5)
        yield walk


def items(walk: Walk, **query: str) -> list[dict]:
    return walk.call("GET", f"/datasets/{walk.made['dataset']}/items", params={"limit": 200, **query})["items"]


def open_map(page: Page, walk: Walk) -> None:
    open_address(page, walk, f"/projects/{walk.made['id']}/map")
    expect(page.get_by_role("application")).to_be_visible(timeout=SLOW_MS)


def lasso(page: Page) -> int:
    """Draws a line around the left half of the map; returns how many pictures it holds."""
    page.get_by_text("Lasso", exact=True).click()
    box = page.get_by_role("application").bounding_box()
    left, top, width, height = box["x"], box["y"], box["width"], box["height"]
    corners = [(0.02, 0.1), (0.5, 0.1), (0.5, 0.95), (0.02, 0.95), (0.02, 0.12)]
    page.mouse.move(left + corners[0][0] * width, top + corners[0][1] * height)
    page.mouse.down()
    for x, y in corners[1:]:
        page.mouse.move(left + x * width, top + y * height, steps=6)
    page.mouse.up()
    selected = page.get_by_text(re.compile(r"^\d+ pictures? selected$"))
    expect(selected).to_be_visible()
    return int(selected.inner_text().split()[0])


def undo(page: Page) -> None:
    page.get_by_role("button", name="Undo").last.click()
    page.mouse.move(2, 2)  # a notice stays while the pointer is on it
    expect(page.get_by_text("Undone")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_text("Undone")).to_have_count(0, timeout=SLOW_MS)


def test_what_a_lasso_holds_is_labelled_put_aside_and_deleted_and_each_is_undone(page, work, complaints, shot):
    sign_in(page, work)
    open_map(page, work)
    before = {item["id"]: (item["state"], item["annotations"]) for item in items(work)}
    label = work.made["label_set"]["labels"][0]["name"]

    num = lasso(page)
    assert 0 < num < len(before)
    shot("map-lasso")
    page.get_by_role("combobox", name="Label them as").click()
    page.get_by_role("option", name=label, exact=True).click()
    page.get_by_role("button", name="Label", exact=True).click()
    expect(page.get_by_text(re.compile(rf"^\d+ pictures? labelled as {label}$"))).to_be_visible(timeout=SLOW_MS)
    now = {item["id"]: [one["label"] for one in item["annotations"]] for item in items(work)}
    was = {item: [one["label"] for one in annotations] for item, (_, annotations) in before.items()}
    assert sum(now[item] == [label] for item in now) >= num
    assert {item for item in now if now[item] != was[item]}
    shot("map-labelled")
    undo(page)
    assert {item["id"]: (item["state"], item["annotations"]) for item in items(work)} == before

    for button, word, where in (("Put aside", "put aside", "quarantined"), ("Delete", "deleted", "deleted")):
        num = lasso(page)
        page.get_by_role("button", name=button, exact=True).click()
        expect(page.get_by_text(re.compile(rf"^{num} pictures? {word}$"))).to_be_visible(timeout=SLOW_MS)
        assert len(items(work)) == len(before) - num
        assert len(items(work, where=where)) == num
        expect(page.get_by_text(f"{len(before) - num} pictures", exact=True)).to_be_visible(timeout=SLOW_MS)
        shot(f"map-{where}")
        undo(page)
        assert {item["id"]: (item["state"], item["annotations"]) for item in items(work)} == before
        expect(page.get_by_text(f"{len(before)} pictures", exact=True)).to_be_visible(timeout=SLOW_MS)


def test_a_picture_from_anywhere_finds_what_looks_like_it(page, work, complaints, shot):
    sign_in(page, work)
    open_map(page, work)
    name, data = next(iter(stamps().items()))
    page.get_by_role("button", name="Search by picture").click()
    drawer = page.get_by_role("dialog", name="Search by picture")
    drawer.locator("input[type=file]").set_input_files({"name": "query.png", "mimeType": "image/png", "buffer": data})
    first = drawer.get_by_role("button", name=re.compile("^Select (?!all)")).first
    expect(first).to_have_accessible_name(f"Select {name}", timeout=SLOW_MS)
    expect(drawer.get_by_text(re.compile(r"^(100|99)(\.\d)?\s?%$")).first).to_be_visible()
    shot("map-search")
    first.click()
    expect(page.get_by_text("1 picture selected")).to_be_attached()

    drawer.locator("input[type=file]").set_input_files({"name": "broken.png", "mimeType": "image/png", "buffer": data[:300]})
    expect(drawer.get_by_role("alert")).to_contain_text("The picture is cut off or damaged.", timeout=SLOW_MS)
    shot("map-search-broken")
    assert len(items(work)) == NUM_LABELS * PER_LABEL  # nothing of it was kept


def test_a_comment_is_seen_at_once_kept_while_the_server_is_dead_and_never_lost(page, work, complaints, context, shot, shot_in):
    sign_in(page, work)
    item = items(work)[0]
    open_address(page, work, f"/projects/{work.made['id']}/labelling?item={item['id']}")
    other = context.new_page()
    open_address(other, work, f"/projects/{work.made['id']}/data")
    page.keyboard.press("c")
    field = page.get_by_role("textbox", name="Write a comment")
    expect(field).to_be_focused()
    page.keyboard.type("Is this one right?")
    page.keyboard.press("Control+Enter")
    panel = page.get_by_role("region", name="Comments")
    expect(panel.get_by_text("Is this one right?")).to_be_visible(timeout=SLOW_MS)
    badge = other.get_by_role("button", name="1 open comment", exact=True)
    expect(badge).to_be_visible(timeout=SLOW_MS)
    badge.click()
    expect(other.get_by_role("dialog").get_by_text("Is this one right?")).to_be_visible(timeout=SLOW_MS)
    shot_in(other, "comments-gallery")

    context.set_offline(True)
    field.fill("Said without a network")
    field.press("Control+Enter")
    expect(panel.get_by_text("Not sent", exact=True)).to_be_visible(timeout=SLOW_MS)
    shot("comments-not-sent")
    context.set_offline(False)
    expect(panel.get_by_text("Not sent", exact=True)).to_have_count(0, timeout=SLOW_MS)

    for process in work.platform.find("studio.config.asgi"):
        process.send_signal(signal.SIGKILL)
    field.fill("Said to a dead server")
    field.press("Control+Enter")
    field.fill("half a sen")
    expect(panel.get_by_text("Said to a dead server")).to_be_visible()
    expect(panel.get_by_text("Not sent", exact=True)).to_have_count(0, timeout=SLOW_MS)
    page.reload()
    expect(page.get_by_role("textbox", name="Write a comment")).to_have_value("half a sen", timeout=SLOW_MS)
    texts = [one["text"] for one in work.call("GET", "/labeling/comments", params={"item": item["id"]})]
    assert texts == ["Is this one right?", "Said without a network", "Said to a dead server"]

    panel.get_by_role("button", name="More").first.click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(panel.get_by_text("Is this one right?")).to_have_count(0, timeout=SLOW_MS)
    page.get_by_role("button", name="Undo").last.click()
    expect(panel.get_by_text("Is this one right?")).to_be_visible(timeout=SLOW_MS)
    panel.get_by_role("button", name="Resolve").first.click()
    expect(panel.get_by_text("Show 1 resolved")).to_be_visible(timeout=SLOW_MS)
    shot("comments-labelling")
