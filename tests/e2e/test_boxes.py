"""Boxes in a real browser: by mouse and by keys, suggested, copied, nothing at all; what a reload brings back."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect

from tests.e2e.drawing import Drawing
from tests.e2e.pages import sign_in
from tests.journeys.walk import Walk, zipped

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

LABELS = ("ball", "crate")
SIZE = (480, 360)
BALL, CRATE = (60, 60, 100, 100), (280, 160, 120, 90)
"""Where things stand in every picture: x, y, width, height."""
SLOW_MS = 30_000


def scene(shade: int) -> bytes:
    """A ball and a crate on a floor."""
    picture = Image.new("RGB", SIZE, (150 + shade, 170, 190))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 230, *SIZE), fill=(120, 110 + shade, 90))
    for (x, y, width, height), draw, colour in ((BALL, pen.ellipse, (200, 70, 50)), (CRATE, pen.rectangle, (150, 110, 50))):
        draw((x, y, x + width, y + height), fill=colour, outline=(40, 30, 20), width=3)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def archive() -> bytes:
    """Four pictures, and what a detector found in the first, as pycocotools takes it."""
    pictures = {f"{number}.png": scene(10 * number) for number in range(4)}
    listed = {
        "images": [
            {"id": index, "file_name": name, "width": SIZE[0], "height": SIZE[1]} for index, name in enumerate(pictures, 1)
        ],
        "categories": [{"id": index, "name": name} for index, name in enumerate(LABELS, 1)],
    }
    found = [(BALL, 1, 0.9), (CRATE, 2, 0.6), ((10, 250, 60, 60), 2, 0.1)]
    results = [{"image_id": 1, "category_id": of, "bbox": list(box), "score": score} for box, of, score in found]
    return zipped(pictures | {"info.json": json.dumps(listed).encode(), "results.json": json.dumps(results).encode()})


@pytest.fixture
def work(platform):
    with Walk(platform) as walk:
        fields = {"workspace": walk.workspace, "name": "Yard", "task": "object_detection"}
        walk.made = walk.call("POST", "/projects", json=fields)
        labels = [{"name": name} for name in LABELS]
        walk.call("PUT", f"/projects/{walk.made['id']}/labels", json={"labels": labels})
        job = walk.upload(walk.made["dataset"], archive(), name="yard.zip", labels="auto")
        assert job["state"] == "succeeded", job
        yield walk


def items_of(walk: Walk) -> dict[str, dict]:
    page = walk.call("GET", f"/datasets/{walk.made['dataset']}/items", params={"limit": 200})
    return {item["name"]: item for item in page["items"]}


def assert_near(annotation: dict, label: str, box: tuple[int, int, int, int]) -> None:
    assert annotation["label"] == label
    assert [annotation[side] for side in ("x", "y", "width", "height")] == pytest.approx(box, abs=4)


def test_boxes_are_drawn_taken_over_copied_and_come_back(page: Page, work: Walk, complaints, shot):
    sign_in(page, work)
    boxes = Drawing(page, SIZE)
    boxes.open(work, items_of(work)["0.png"]["id"])

    # Suggested: a click takes one, a key the others that are sure enough.
    expect(page.get_by_text("2 suggested")).to_be_visible(timeout=SLOW_MS)
    shot("30-boxes-suggested")
    boxes.press("v")
    page.mouse.click(*boxes.at(BALL[0] + 50, BALL[1] + 50))
    expect(boxes.rows).to_have_count(1)
    boxes.press("y")
    expect(boxes.rows).to_have_count(2)

    drawn = boxes.next()
    boxes.press("b", "1")
    boxes.drag(*BALL)
    expect(boxes.rows).to_have_count(1)
    boxes.press("Escape", "2")
    boxes.drag(*CRATE)
    expect(boxes.rows).to_have_count(2)
    boxes.press("Escape", "Shift+ArrowLeft", "Enter", "Shift+ArrowRight", "Shift+ArrowUp", "Enter")
    expect(boxes.rows).to_have_count(3)
    expect(boxes.standing).to_contain_text("3 boxes")
    shot("31-boxes-drawn")

    copied = boxes.next()
    boxes.press("d")
    expect(boxes.rows).to_have_count(3)

    empty = boxes.next()
    boxes.press("Shift+E")
    expect(boxes.standing).to_contain_text("Nothing here")
    shot("32-boxes-nothing")
    boxes.saved()

    found = items_of(work)
    accepted = found["0.png"]["annotations"]
    assert_near(accepted[0], "ball", BALL)
    assert_near(accepted[1], "crate", CRATE)
    assert [one.get("score") for one in accepted] == [None, None]
    ball, crate, third = found[drawn]["annotations"]
    assert_near(ball, "ball", BALL)
    assert_near(crate, "crate", CRATE)
    assert third["label"] == "crate"
    assert len({one["id"] for one in (ball, crate, third)}) == 3
    without = [{key: one[key] for key in ("label", "x", "y", "width", "height")} for one in found[copied]["annotations"]]
    assert without == [{key: one[key] for key in ("label", "x", "y", "width", "height")} for one in (ball, crate, third)]
    assert (found[empty]["state"], found[empty]["annotations"]) == ("annotated", [])

    boxes.open(work, found[drawn]["id"])
    expect(boxes.rows).to_have_count(3)
    boxes.open(work, found[empty]["id"])
    expect(boxes.standing).to_contain_text("Nothing here")
    boxes.press("Shift+E")
    expect(boxes.standing).to_contain_text("Not labelled")
    boxes.saved()
    assert items_of(work)[empty]["state"] == "unlabelled"
