"""Texts in a real browser: a table comes in or lines are pasted, keys label, words are searched for, a version is cut."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

SLOW_MS = 30_000
GOOD = (
    "The room was spotless and quiet",
    "服务很好，房间很干净，下次还会来",
    "Kind staff, and a breakfast worth getting up for",
)
BAD = ("The shower stayed cold all week", "隔音很差，一夜没有睡好", "Rude at the desk, and the bill was wrong")
OPEN = {
    "Lovely view, soft bed, would stay again": "good",
    "空调坏了，没有人来修": "bad",
    "前台热情，位置方便": "good",
    "Nothing worked and nobody cared": "bad",
}
"""Nobody has labelled them; with the truth."""
MORE = {
    f"Room {number}: {words}": label for number in range(101, 121) for words, label in (("a joy", "good"), ("a sorrow", "bad"))
}
"""So many that no split is left without."""
KNOWN = {**dict.fromkeys(GOOD, "good"), **dict.fromkeys(BAD, "bad"), **MORE}


@pytest.fixture
def texts(platform):
    """Somebody with an empty project of texts."""
    with Walk(platform) as walk:
        fields = {"workspace": walk.workspace, "name": "Reviews", "task": "text_classification", "task_options": {}}
        walk.made = walk.call("POST", "/projects", json=fields)
        yield walk


def table() -> bytes:
    """A sheet as people have it: texts with commas and quotes, and labels where somebody knew."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["text", "label"])
    rows.writerows(KNOWN.items())
    rows.writerows([text, ""] for text in OPEN)
    return written.getvalue().encode()


def items_of(walk: Walk) -> list[dict[str, Any]]:
    return walk.call("GET", f"/datasets/{walk.made['dataset']}/items", params={"limit": 200})["items"]


def labels_by_text(walk: Walk) -> dict[str, list[str]]:
    return {item["text"]: [one["label"] for one in item["annotations"]] for item in items_of(walk)}


def open_data(page: Page, walk: Walk) -> None:
    sign_in(page, walk)
    open_address(page, walk, f"/projects/{walk.made['id']}/data")


STAGE = 'main [role=region][tabindex="0"]'
"""Where an item is read: unlike the list of uploads, which is a region of the page too, it scrolls by keys."""


def shown_text(page: Page) -> str:
    return page.locator(STAGE).inner_text().strip()


def test_a_table_of_texts_is_labelled_searched_and_frozen(page: Page, texts: Walk, complaints, shot):
    open_data(page, texts)
    expect(page.get_by_text("Drop texts or tables of texts here")).to_be_visible()
    shot("80-texts-empty")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose files").click()
    chooser.value.set_files({"name": "reviews.csv", "mimeType": "text/csv", "buffer": table()})
    page.get_by_role("region", name="Files to upload").get_by_role("button", name="Upload").click()
    expect(page.get_by_text(f"{len(KNOWN) + len(OPEN)} texts").first).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_text(f"{len(KNOWN)} labelled", exact=True)).to_be_visible(timeout=SLOW_MS)
    assert labels_by_text(texts) == {**{text: [label] for text, label in KNOWN.items()}, **{text: [] for text in OPEN}}
    shot("81-texts-data")

    search = page.get_by_role("searchbox", name="Search in names and texts")
    search.fill("干净")
    expect(page.get_by_role("option")).to_have_count(1)
    expect(page.get_by_role("option").locator("mark")).to_have_text("干净")
    search.fill("")
    expect(page.get_by_role("option").filter(has_text=GOOD[0])).to_be_visible()

    label_by_keys(page, texts, shot)
    cut_version(page, shot)
    assert not complaints


def label_by_keys(page: Page, texts: Walk, shot) -> None:
    """Answers what is open by number keys; the first answer is wrong and taken back."""
    names = [label["name"] for label in texts.call("GET", f"/projects/{texts.made['id']}")["label_set"]["labels"]]
    keys = {text: str(names.index(label) + 1) for text, label in OPEN.items()}
    page.get_by_role("link", name="Labelling", exact=True).click()
    expect(page.locator(STAGE)).not_to_be_empty(timeout=SLOW_MS)
    shot("82-texts-labelling")
    first = shown_text(page)
    page.keyboard.press("1" if keys[first] == "2" else "2")
    expect(page.locator(STAGE)).not_to_have_text(first)
    page.keyboard.press("u")
    expect(page.locator(STAGE)).to_have_text(first)
    for _ in OPEN:
        text = shown_text(page)
        page.keyboard.press(keys[text])
        expect(page.locator(STAGE, has_text=text)).to_have_count(0)
    total = len(KNOWN) + len(OPEN)
    expect(page.get_by_text(f"{total} of {total} labelled")).to_be_visible(timeout=SLOW_MS)
    found = labels_by_text(texts)
    assert {text: found[text] for text in OPEN} == {text: [label] for text, label in OPEN.items()}


def cut_version(page: Page, shot) -> None:
    """Freezes what is labelled and looks at it as it was frozen."""
    page.get_by_role("link", name="Versions", exact=True).click()
    page.get_by_role("button", name="New version").first.click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Freeze")).click()
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_text(f"{len(KNOWN) + len(OPEN)} texts").first).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=GOOD[0])).to_have_count(1)
    shot("83-texts-version")


def test_pasted_lines_become_texts_and_long_ones_are_shown_whole(page: Page, texts: Walk, complaints, shot):
    long = "。".join(f"第{number}段：房间很干净，服务员很热情" for number in range(300))
    open_data(page, texts)
    page.get_by_role("button", name="Paste texts").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="One text a line").fill(
        f'Said "hi", then left\tgood\n\n{long}\tgood\nNever again\tbad\n'
    )
    expect(dialog.get_by_text("3 texts · 3 with a label")).to_be_visible()
    shot("84-texts-paste")
    dialog.get_by_role("button", name="Take them").click()
    expect(page.get_by_text("3 labelled", exact=True)).to_be_visible(timeout=SLOW_MS)
    assert set(labels_by_text(texts)) == {'Said "hi", then left', "Never again", long[:2000]}

    item = next(item for item in items_of(texts) if item["text"] == long[:2000])
    open_address(page, texts, f"/projects/{texts.made['id']}/labelling?item={item['id']}")
    stage = page.get_by_role("region", name=item["name"])
    expect(stage).to_have_text(long, timeout=SLOW_MS)
    page.keyboard.press("PageDown")
    assert stage.evaluate("view => view.scrollTop") > 0
    assert not complaints
