"""Labelling in a real browser: by keyboard with live suggestions, while the server dies, without a network, by two people."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk, digits, zipped

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

LABELS = ("0", "1", "2")
PER_CLASS = 12
SLOW_MS = 30_000
"""What a busy machine may take for a step that is a moment elsewhere."""


@pytest.fixture
def work(platform):
    """Digits that nobody has labelled, with their true classes by item."""
    with Walk(platform) as walk:
        pictures = digits(num_classes=len(LABELS), per_class=PER_CLASS)
        # Classes in turn, as the queue shows the oldest first.
        order = sorted(pictures, key=lambda name: list(pictures).index(name) % PER_CLASS)
        renamed = {f"{rank:03}-{name.split('/')[0]}.png": pictures[name] for rank, name in enumerate(order)}
        project = walk.project()
        assert walk.upload(project["dataset"], zipped(renamed), labels="none")["state"] == "succeeded"
        labels = [{"name": name} for name in LABELS]
        walk.call("PUT", f"/projects/{project['id']}/labels", json={"labels": labels})
        walk.made = project
        yield walk


def items_of(walk: Walk) -> dict[str, dict]:
    """Every item by id, as the server has it."""
    page = walk.call("GET", f"/datasets/{walk.made['dataset']}/items", params={"limit": 200})
    return {item["id"]: item for item in page["items"]}


def truth(name: str) -> str:
    """The class that a picture's name ends with."""
    return name.removesuffix(".png")[-1]


def labels_of(item: dict) -> list[str]:
    return [one["label"] for one in item["annotations"]]


def open_editor(page: Page, walk: Walk, item: str | None = None) -> None:
    open_address(page, walk, f"/projects/{walk.made['id']}/labelling" + (f"?item={item}" if item else ""))
    expect(page.get_by_text("Saved", exact=True)).to_be_visible(timeout=SLOW_MS)
    expect(page.locator("main img").first).to_be_visible(timeout=SLOW_MS)


def shown_truth(page: Page) -> str:
    return truth(page.locator("main img").first.get_attribute("alt") or "")


def label_shown(page: Page) -> str:
    """Gives the picture shown its true label by key; returns its name."""
    name = page.locator("main img").first.get_attribute("alt") or ""
    page.keyboard.press(str(LABELS.index(truth(name)) + 1))
    expect(page.locator("main img").first).not_to_have_attribute("alt", name, timeout=SLOW_MS)
    return name


def kill_web(platform) -> None:
    """The web process and its children die at once; the supervisor starts it anew."""
    for process in platform.find("studio.config.asgi"):
        process.send_signal(signal.SIGKILL)


def test_labelling_by_keyboard_with_live_suggestions(page: Page, work: Walk, complaints, shot):
    sign_in(page, work)
    open_editor(page, work)
    for _ in range(9):
        label_shown(page)
    accept = page.get_by_role("button", name="Accept")
    expect(accept).to_be_visible(timeout=90_000)
    shot("20-labelling-suggestion")
    page.set_viewport_size({"width": 1024, "height": 640})
    for name in ("Back", "Next"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 800})
    before = page.locator("main img").first.get_attribute("alt")
    page.keyboard.press("Space")
    expect(page.locator("main img").first).not_to_have_attribute("alt", before or "")
    page.keyboard.press("u")
    expect(page.locator("main img").first).to_have_attribute("alt", before or "")
    label_shown(page)
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert all(labels_of(item) == [truth(item["name"])] for item in items_of(work).values() if item["state"] == "annotated")

    page.keyboard.press("h")
    expect(page.get_by_text("History", exact=True)).to_be_visible()
    shot("21-labelling-history")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").get_by_text("Accept the suggestion")).to_be_visible()
    shot("22-labelling-keys")


def test_many_with_the_same_suggestion_are_labelled_at_once_and_taken_back(page: Page, work: Walk, complaints, shot):
    sign_in(page, work)
    for index, item in enumerate(items_of(work).values()):
        if index % 4 == 0:
            body = {
                "annotations": [{"kind": "class", "label": truth(item["name"])}],
                "revision": 0,
                "operation": f"seed-{item['id']}",
            }
            work.call("PUT", f"/labeling/items/{item['id']}/annotations", json=body)
    open_editor(page, work)
    expect(page.get_by_role("button", name=re.compile("^Label many"))).to_be_visible(timeout=90_000)
    page.keyboard.press("b")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Confidence at least").fill("50")
    first = dialog.get_by_role("checkbox").first
    expect(first).to_be_visible(timeout=30_000)
    shot("23-labelling-batch")
    num_found = dialog.locator("[role=checkbox]").count()
    first.click()
    dialog.get_by_role("button", name=re.compile(rf" for {num_found - 1}\b")).click()
    expect(page.get_by_text(re.compile(rf"^{num_found - 1} pictures? labelled"))).to_be_visible()
    expect(page.get_by_text(f"{9 + num_found - 1} of 36 labelled")).to_be_visible(timeout=15_000)
    page.get_by_role("button", name="Undo", exact=True).last.click()
    expect(page.get_by_text("9 of 36 labelled")).to_be_visible(timeout=15_000)


def test_the_server_is_killed_in_mid_labelling_and_nothing_is_lost(page: Page, work: Walk, platform, shot):
    sign_in(page, work)
    open_editor(page, work)
    done = [label_shown(page) for _ in range(2)]
    kill_web(platform)
    done += [label_shown(page) for _ in range(4)]
    shot("24-labelling-server-down")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible(timeout=60_000)
    found = {item["name"]: item for item in items_of(work).values()}
    assert [labels_of(found[name]) for name in done] == [[truth(name)] for name in done]
    assert [found[name]["revision"] for name in done] == [1] * len(done)


def test_without_a_network_labels_wait_also_through_a_reload(page: Page, work: Walk, shot):
    sign_in(page, work)
    open_editor(page, work)
    page.route("**/api/labeling/changes", lambda route: route.abort())
    done = [label_shown(page) for _ in range(3)]
    expect(page.get_by_text("Offline, 3 waiting")).to_be_visible(timeout=SLOW_MS)
    shot("25-labelling-offline")
    assert all(item["state"] == "unlabelled" for item in items_of(work).values())
    page.reload()
    expect(page.get_by_text("Offline, 3 waiting")).to_be_visible(timeout=SLOW_MS)
    page.unroute("**/api/labeling/changes")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible(timeout=30_000)
    found = {item["name"]: item for item in items_of(work).values()}
    assert [labels_of(found[name]) for name in done] == [[truth(name)] for name in done]


def test_a_session_that_ends_keeps_the_work_and_takes_it_up_after_signing_in(page: Page, work: Walk, shot):
    sign_in(page, work)
    open_editor(page, work)
    page.context.clear_cookies(name="sessionid")
    name = label_shown_blindly(page)
    page.get_by_role("button", name="Sign in").click()
    dialog = page.get_by_role("dialog")
    shot("26-labelling-signed-out")
    dialog.get_by_role("textbox", name="Password").fill("a long pass phrase")
    dialog.get_by_role("button", name="Sign in and save").click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible(timeout=30_000)
    found = {item["name"]: item for item in items_of(work).values()}
    assert labels_of(found[name]) == [truth(name)]


def test_a_label_on_its_way_while_somebody_signs_in_again_is_kept(page: Page, work: Walk):
    """It left with the token of the old session and arrives with the cookie of the new one."""
    sign_in(page, work)
    open_editor(page, work)
    page.context.clear_cookies(name="sessionid")
    name = label_shown_blindly(page)
    page.get_by_role("button", name="Sign in").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Password").fill("a long pass phrase")
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/api/labeling/changes", hold, times=1)
    with page.expect_request("**/api/labeling/changes"):
        pass
    with page.expect_response("**/api/auth/sign-in"):
        dialog.get_by_role("button", name="Sign in and save").click()
    with page.expect_response("**/api/labeling/changes") as first:
        waiting[0].continue_()
    assert first.value.status == 403
    expect(page.get_by_text("Saved", exact=True)).to_be_visible(timeout=30_000)
    found = {item["name"]: item for item in items_of(work).values()}
    assert labels_of(found[name]) == [truth(name)]


def label_shown_blindly(page: Page) -> str:
    name = page.locator("main img").first.get_attribute("alt") or ""
    page.keyboard.press(str(LABELS.index(truth(name)) + 1))
    expect(page.get_by_text("Signed out, 1 waiting")).to_be_visible(timeout=15_000)
    return name


def test_two_people_on_one_picture_see_each_other_and_decide(browser: Browser, page: Page, work: Walk, platform, shot):
    with Walk(platform) as wei:
        wei.call("PATCH", "/auth/me", json={"name": "Wei"})
        wei.join(work, "labeller")
        wei.made = work.made
        item = next(iter(items_of(work)))
        sign_in(page, work)
        open_editor(page, work, item)
        page.route("**/api/labeling/changes", lambda route: route.abort())
        other = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        sign_in(other, wei)
        open_editor(other, wei, item)
        expect(page.get_by_text("Wei is on this picture too")).to_be_visible(timeout=30_000)
        shot("27-labelling-presence")
        page.get_by_role("switch", name="Go on after each label").uncheck(force=True)
        page.keyboard.press("1")
        other.keyboard.press("2")
        expect(other.get_by_text("Saved", exact=True)).to_be_visible()
        page.unroute("**/api/labeling/changes")
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text("Wei")).to_be_visible(timeout=30_000)
        shot("28-labelling-conflict")
        assert labels_of(items_of(work)[item]) == ["1"]
        dialog.get_by_role("button", name="Keep mine").click()
        expect(page.get_by_text("Saved", exact=True)).to_be_visible()
        assert labels_of(items_of(work)[item]) == ["0"]
        history = work.call("GET", "/labeling/history", params={"item": item})
        assert [[one["label"] for one in step["annotations"]] for step in history] == [["0"], ["1"]]
        other.context.close()
