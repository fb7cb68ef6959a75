"""Click to mask in a browser: the network runs in a worker, on a photograph with a thing whose true pixels are known."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter
from playwright.sync_api import Page, expect
from pycocotools import mask as coco
from sklearn.datasets import load_sample_images

from tests.e2e.pages import open_address, sign_in
from tests.e2e.test_canvas import Area
from tests.journeys.walk import Walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

LOAD_MS = 60_000
STAGE_MARGIN_PX = 16
FLOOR_ONE, FLOOR_THREE = 0.9, 0.85
"""Measured in Python with the same graphs: 0.98 and 0.94."""


@pytest.fixture(scope="module")
def walk(platform):
    with Walk(platform) as walking:
        yield walking


@pytest.fixture(scope="module")
def thing(tmp_path_factory) -> tuple[str, np.ndarray]:
    """A blossom laid over a temple, both photographs of scikit-learn: the file and the blossom's pixels."""
    temple, blossom = (Image.fromarray(picture) for picture in load_sample_images().images)
    outline = Image.new("L", temple.size, 0)
    ImageDraw.Draw(outline).ellipse((330, 215, 470, 345), fill=255)
    ImageDraw.Draw(outline).polygon([(340, 250), (400, 140), (460, 250)], fill=255)
    shifted = Image.new("RGB", temple.size)
    shifted.paste(blossom, (90, 0))
    laid = Image.composite(shifted, temple, outline.filter(ImageFilter.GaussianBlur(0.7)))
    path = tmp_path_factory.mktemp("pictures") / "blossom.png"
    laid.save(path)
    return str(path), np.asarray(outline) > 127


@pytest.fixture
def area(page: Page, walk, complaints, thing) -> Area:
    sign_in(page, walk)
    open_address(page, walk, "/playground")
    shown = Area(page)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a picture").click()
    chooser.value.set_files(thing[0])
    expect(page.locator("input[aria-label=Picture]")).to_have_value("Your file")
    expect(shown.stage).to_be_visible()
    return shown


def place_of(area: Area, truth: np.ndarray, x: float, y: float) -> tuple[float, float]:
    """Where a pixel of the picture stands when all of it is shown, as shares of the drawing area."""
    box = area.stage.bounding_box()
    assert box
    height, width = truth.shape
    zoom = min((box["width"] - 2 * STAGE_MARGIN_PX) / width, (box["height"] - 2 * STAGE_MARGIN_PX) / height)
    return 0.5 + (x - width / 2) * zoom / box["width"], 0.5 + (y - height / 2) * zoom / box["height"]


def overlap(annotation: dict, truth: np.ndarray) -> float:
    height, width = truth.shape
    assert (annotation["width"], annotation["height"]) == (width, height)
    found = coco.decode({"size": [height, width], "counts": annotation["counts"].encode()}).astype(bool)
    return (found & truth).sum() / (found | truth).sum()


def test_clicks_on_a_thing_make_its_mask_and_undo_takes_it_back(area: Area, thing, shot):
    page, (_, truth) = area.page, thing
    area.press("a")
    expect(page.get_by_role("button", name="Click to mask")).to_have_attribute("aria-pressed", "true")
    area.click(place_of(area, truth, 400, 260))
    accept = page.get_by_role("button", name="Accept")
    expect(accept).to_be_enabled(timeout=LOAD_MS)
    shot("click-mask-one-click")
    area.press("Enter")
    expect(area.rows()).to_have_count(1)
    [first] = area.drawn()
    assert (first["kind"], first["drawn_with"]) == ("mask", "click_mask")
    assert overlap(first, truth) > FLOOR_ONE
    area.stage.focus()
    area.press("Control+z")
    expect(area.rows()).to_have_count(0)


def test_further_clicks_and_one_taken_back_end_as_a_polygon(area: Area, thing, shot):
    page, (_, truth) = area.page, thing
    area.press("a")
    accept = page.get_by_role("button", name="Accept")
    area.click(place_of(area, truth, 400, 300), place_of(area, truth, 400, 190))
    expect(accept).to_be_enabled(timeout=LOAD_MS)
    page.keyboard.down("Alt")
    area.click(place_of(area, truth, 250, 330))
    page.keyboard.up("Alt")
    expect(accept).to_be_enabled(timeout=LOAD_MS)
    shot("click-mask-three-clicks")
    area.press("Enter")
    expect(area.rows()).to_have_count(1)
    [mask] = area.drawn()
    assert overlap(mask, truth) > FLOOR_THREE
    area.stage.focus()
    area.press("Control+z", "a")
    area.click(place_of(area, truth, 400, 300), place_of(area, truth, 100, 100))
    expect(accept).to_be_enabled(timeout=LOAD_MS)
    area.press("Backspace")
    expect(accept).to_be_enabled(timeout=LOAD_MS)
    page.get_by_role("button", name="As polygon").click()
    expect(area.rows()).to_have_count(1)
    parts = area.drawn()
    assert {(part["kind"], part["drawn_with"]) for part in parts} == {("polygon", "click_mask")}
    assert len({part["id"] for part in parts}) == 1
    area.stage.focus()
    area.press("Control+z")


def test_keys_alone_make_a_mask_and_escape_throws_one_away(area: Area, thing):
    accept = area.page.get_by_role("button", name="Accept")
    area.stage.focus()
    area.press("a", "Shift+ArrowRight", "ArrowDown", "Enter")
    expect(accept).to_be_enabled(timeout=LOAD_MS)
    area.press("Escape")
    expect(accept).to_have_count(0)
    expect(area.rows()).to_have_count(0)
    area.press("ArrowRight", "Enter")
    expect(accept).to_be_enabled(timeout=LOAD_MS)
    area.press("Enter")
    expect(area.rows()).to_have_count(1)
    area.press("Control+z")


def test_a_network_that_does_not_come_is_reported_and_tried_again(area: Area, thing):
    page, (_, truth) = area.page, thing
    page.context.route("**/*.wasm", lambda route: route.fulfill(status=404))
    area.press("a")
    alert = page.get_by_role("alert").filter(has_text="could not be loaded")
    expect(alert).to_contain_text("404", timeout=LOAD_MS)
    page.context.unroute("**/*.wasm")
    alert.get_by_role("button", name="Try again").click()
    expect(alert).to_have_count(0, timeout=LOAD_MS)
    area.click(place_of(area, truth, 400, 260))
    expect(page.get_by_role("button", name="Accept")).to_be_enabled(timeout=LOAD_MS)
    area.press("Escape")


def test_nothing_of_the_assist_is_loaded_before_it_is_picked_up(page: Page, walk, complaints):
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    sign_in(page, walk)
    open_address(page, walk, "/playground")
    Area(page)
    assert requests
    assert not [url for url in requests if url.endswith((".wasm", ".onnx")) or "worker" in url]
