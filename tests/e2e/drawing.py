"""Drawing on a picture in a real browser, as tests of boxes and of masks do it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import open_address
from tests.journeys.walk import Walk

SLOW_MS = 30_000


class Drawing:
    """The page on which pictures are drawn on; places are in the picture's pixels, all pictures of ``size``."""

    def __init__(self, page: Page, size: tuple[int, int]) -> None:
        self.page = page
        self.size = size
        self.stage = page.get_by_role("application", name="Drawing area")
        self.standing = page.locator("aside").get_by_role("status")
        self.rows: Locator = page.get_by_role("list", name="Objects, the topmost first").get_by_role("listitem")

    def open(self, walk: Walk, item: str) -> None:
        open_address(self.page, walk, f"/projects/{walk.made['id']}/labelling?item={item}")
        self.saved()
        expect(self.stage).to_be_visible(timeout=SLOW_MS)
        expect(self.page.get_by_label("Loading")).to_have_count(0, timeout=SLOW_MS)

    def name(self) -> str:
        return self.page.locator("aside [title$='.png']").inner_text()

    def at(self, x: float, y: float) -> tuple[float, float]:
        """On the screen; the picture is fitted into the middle of the drawing area."""
        box = self.stage.bounding_box()
        assert box
        percent = self.page.get_by_role("button", name="Pixel by pixel").inner_text()
        zoom = float(percent.removesuffix("%")) / 100
        return (
            box["x"] + box["width"] / 2 + (x - self.size[0] / 2) * zoom,
            box["y"] + box["height"] / 2 + (y - self.size[1] / 2) * zoom,
        )

    def drag(self, x: float, y: float, width: float, height: float) -> None:
        self.page.mouse.move(*self.at(x, y))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(x + width, y + height), steps=4)
        self.page.mouse.up()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def next(self) -> str:
        before = self.name()
        self.press("w")
        expect(self.page.locator("aside [title$='.png']")).not_to_have_text(before)
        expect(self.standing).to_contain_text("Not labelled")
        return self.name()

    def saved(self) -> None:
        expect(self.page.get_by_text("Saved", exact=True)).to_be_visible(timeout=SLOW_MS)
