"""Masks in a real browser: painted, wiped and marked as nothing, stored as pixels, and shown among the data."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from automl.contracts.annotation import IGNORED_LABEL, Mask
from labeling.geometry import mask_pixels
from tests.e2e.drawing import Drawing
from tests.e2e.pages import open_address, sign_in
from tests.exporters.artefact_factory import picture_bytes
from tests.journeys.walk import Walk, zipped

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

SIZE = (480, 360)
ROW, FROM, TO = 180, 120, 360
"""Where the brush is drawn along."""
MIDDLE = 260
"""Where another label crosses it."""


@pytest.fixture
def work(platform):
    with Walk(platform) as walk:
        fields = {"workspace": walk.workspace, "name": "Plates", "task": "semantic_segmentation"}
        walk.made = walk.call("POST", "/projects", json=fields)
        labels = [{"name": "scratch"}, {"name": "stain"}]
        walk.call("PUT", f"/projects/{walk.made['id']}/labels", json={"labels": labels})
        pictures = {f"{number}.png": picture_bytes(number, width=SIZE[0], height=SIZE[1]) for number in range(2)}
        job = walk.upload(walk.made["dataset"], zipped(pictures), name="plates.zip", labels="none")
        assert job["state"] == "succeeded", job
        yield walk


def items_of(walk: Walk) -> dict[str, dict]:
    page = walk.call("GET", f"/datasets/{walk.made['dataset']}/items", params={"limit": 200})
    return {item["name"]: item for item in page["items"]}


def wand(page: Page, drawing: Drawing) -> None:
    """Clicks a colour with the magic wand, sees what it would take, and throws it away."""
    drawing.press("Escape", "Shift+W")
    page.mouse.click(*drawing.at(40, 40))
    expect(page.get_by_role("button", name="Accept")).to_be_enabled()
    drawing.press("Escape")
    expect(page.get_by_role("button", name="Accept")).to_have_count(0)
    expect(drawing.rows).to_have_count(3)


def superpixels(page: Page, drawing: Drawing) -> None:
    """Paints the superpixels that a drag passes over, and takes them back with one step."""
    drawing.press("Escape", "Shift+A")
    expect(page.get_by_role("slider", name="Size of superpixels")).to_be_visible()
    expect(page.get_by_label("Computing superpixels")).to_have_count(0)
    drawing.drag(30, 40, 90, 0)
    expect(drawing.rows).to_have_count(4)
    drawing.press("u")
    expect(drawing.rows).to_have_count(3)


def ignored(page: Page, drawing: Drawing) -> None:
    """Paints an area that does not count."""
    page.get_by_role("region", name="Labels").get_by_role("button", name="Ignored area").click()
    drawing.press("Escape", "m")
    drawing.drag(FROM, ROW + 80, TO - FROM, 40)
    expect(drawing.rows).to_have_count(3)
    expect(drawing.rows.first).to_contain_text("Ignored area")


def test_masks_are_painted_kept_and_shown(page: Page, work: Walk, complaints, shot):
    sign_in(page, work)
    drawing = Drawing(page, SIZE)
    drawing.open(work, items_of(work)["0.png"]["id"])
    drawing.press("2")
    drawing.drag(FROM, ROW, TO - FROM, 0)
    expect(drawing.rows).to_have_count(1)
    expect(drawing.standing).to_contain_text("1 area")
    shot("33-masks-painted")
    drawing.press("e")
    drawing.drag(FROM - 40, ROW, 80, 0)
    drawing.press("m", "1")
    drawing.drag(MIDDLE, ROW - 60, 0, 120)
    expect(drawing.rows).to_have_count(2)
    ignored(page, drawing)
    wand(page, drawing)
    superpixels(page, drawing)
    drawing.saved()
    shot("33-masks-ignored")
    drawing.next()
    drawing.press("Shift+E")
    expect(drawing.standing).to_contain_text("Nothing here")
    drawing.saved()

    found = items_of(work)
    painted, above, aside = found["0.png"]["annotations"]
    pixels_HW, above_HW = (mask_pixels(Mask.model_validate(annotation)) for annotation in (painted, above))
    rows, columns = np.nonzero(pixels_HW)
    assert [painted["label"], above["label"], aside["label"]] == ["stain", "scratch", IGNORED_LABEL]
    assert not (pixels_HW & above_HW).any(), "what is painted over others takes their pixels"
    assert above_HW[ROW, MIDDLE]
    assert not pixels_HW[ROW, MIDDLE]
    assert pixels_HW.shape == (SIZE[1], SIZE[0])
    assert abs(rows.mean() - ROW) < 4
    assert FROM + 30 < columns.min() < FROM + 80
    assert abs(columns.max() - TO - 12) < 6
    assert (found["1.png"]["state"], found["1.png"]["annotations"]) == ("annotated", [])

    open_address(page, work, f"/projects/{work.made['id']}/data")
    shown = page.get_by_role("option", name="0.png")
    expect(shown.locator("svg path[fill-rule=evenodd]")).to_have_count(3)
    expect(page.get_by_role("option", name="1.png").locator("svg path[fill-rule=evenodd]")).to_have_count(0)
    shot("34-masks-gallery")
    assert not complaints
