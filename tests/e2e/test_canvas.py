"""The drawing area in a browser: every shape by mouse, a box by keys alone, undo, zoom, and what a reload brings back."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

Place = tuple[float, float]


@pytest.fixture(scope="module")
def walk(platform):
    with Walk(platform) as walking:
        yield walking


class Area:
    """The drawing area; places are shares of its width and height."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.stage = page.get_by_role("application", name="Drawing area")
        expect(self.stage).to_be_visible()
        self.zoom = page.get_by_role("button", name="Pixel by pixel")

    def at(self, place: Place) -> Place:
        box = self.stage.bounding_box()
        assert box
        return box["x"] + place[0] * box["width"], box["y"] + place[1] * box["height"]

    def click(self, *places: Place) -> None:
        for place in places:
            self.page.mouse.click(*self.at(place))

    def drag(self, start: Place, end: Place, button: str = "left") -> None:
        self.page.mouse.move(*self.at(start))
        self.page.mouse.down(button=button)
        self.page.mouse.move(*self.at(end), steps=4)
        self.page.mouse.up(button=button)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def drawn(self) -> list[dict]:
        """What the page says is drawn, in the platform's words."""
        self.page.get_by_role("button", name="JSON").click()
        text = self.page.get_by_role("textbox", name="What is drawn").input_value()
        self.page.get_by_role("dialog").get_by_role("button").first.click()
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        return json.loads(text)["annotations"]

    def rows(self) -> Locator:
        return self.page.get_by_role("list", name="Objects, the topmost first").get_by_role("listitem")


@pytest.fixture
def area(page: Page, walk, complaints) -> Area:
    sign_in(page, walk)
    open_address(page, walk, "/playground")
    return Area(page)


def draw_everything(area: Area) -> None:
    area.page.get_by_role("button", name="Box", exact=True).click()
    area.drag((0.10, 0.68), (0.28, 0.80))
    area.press("Escape", "r")
    area.drag((0.35, 0.80), (0.50, 0.74))
    area.click((0.46, 0.66))
    area.press("Escape", "2", "p")
    area.click((0.2, 0.2), (0.35, 0.2), (0.35, 0.4), (0.2, 0.4), (0.2, 0.2))
    area.press("Escape", "4", "l")
    area.click((0.1, 0.88), (0.4, 0.86), (0.9, 0.87))
    area.press("Enter", "Escape", "1", "o")
    area.click((0.5, 0.3))
    area.press("Escape", "3", "m")
    area.drag((0.60, 0.50), (0.70, 0.52))
    area.press("Escape", "k")
    area.click((0.8, 0.3), (0.8, 0.36), (0.76, 0.42), (0.84, 0.42), (0.8, 0.46), (0.77, 0.55), (0.83, 0.55))


def test_every_shape_is_drawn_by_mouse_and_comes_back_after_a_reload(area: Area, shot):
    draw_everything(area)
    expect(area.rows()).to_have_count(7)
    shot("canvas-light")
    before = area.drawn()
    kinds = ["box", "rotated_box", "polygon", "polyline", "keypoints", "mask", "keypoints"]
    assert [annotation["kind"] for annotation in before] == kinds
    assert len(before[2]["points"]) == 4
    assert len(before[6]["points"]) == 7
    area.page.get_by_role("button", name="Box", exact=True).click()
    area.drag((0.62, 0.70), (0.72, 0.80))
    area.page.reload()  # at once: what was drawn last is kept all the same
    expect(area.rows()).to_have_count(8)
    assert [one for one in area.drawn() if one not in before] == [area.drawn()[-1]]
    for _ in range(8):
        area.press("n", "Delete")
    expect(area.rows()).to_have_count(0)


def test_a_box_is_drawn_moved_and_taken_back_by_keys_alone(area: Area):
    area.stage.focus()
    area.press("b", "Shift+ArrowLeft", "Enter", "Shift+ArrowRight", "Shift+ArrowDown", "Enter")
    expect(area.rows()).to_have_count(1)
    [box] = area.drawn()
    area.stage.focus()
    area.press("v", "Shift+ArrowRight", "ArrowUp")
    [moved] = area.drawn()
    assert (moved["x"], moved["y"]) == pytest.approx((box["x"] + 10, box["y"] - 1))
    assert (moved["width"], moved["height"]) == (box["width"], box["height"])
    area.stage.focus()
    area.press("Control+z", "Control+z")
    assert area.drawn() == [box]
    area.stage.focus()
    area.press("Control+z")
    expect(area.rows()).to_have_count(0)
    area.press("Control+y")
    expect(area.rows()).to_have_count(1)
    area.press("Control+a", "Delete")


def test_the_picture_is_zoomed_and_moved_without_touching_what_is_drawn(area: Area):
    area.press("b")
    area.drag((0.3, 0.3), (0.5, 0.5))
    before = area.drawn()
    fitted = area.zoom.inner_text()
    area.page.mouse.move(*area.at((0.3, 0.3)))
    for _ in range(6):
        area.page.mouse.wheel(0, -120)
    expect(area.zoom).not_to_have_text(fitted)
    area.drag((0.8, 0.8), (0.7, 0.7), button="middle")
    area.page.keyboard.down("Space")
    area.drag((0.5, 0.5), (0.6, 0.6))
    area.page.keyboard.up("Space")
    area.page.mouse.wheel(40, 40)
    area.stage.focus()
    area.press("f")
    expect(area.zoom).to_have_text(fitted)
    assert area.drawn() == before


def test_thousands_of_shapes_are_listed_chosen_and_removed(area: Area):
    area.page.get_by_role("button", name="Shapes").click()
    area.page.get_by_role("menuitem", name="Add 2,000 shapes").click()
    expect(area.page.get_by_text("2,000 objects")).to_be_visible()
    area.stage.focus()
    area.press("Control+a")
    expect(area.page.get_by_text("2,000 chosen")).to_be_visible()
    area.press("Delete")
    expect(area.rows()).to_have_count(0)
