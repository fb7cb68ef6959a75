"""``make screenshots``: the pictures and the films of the README, taken in a real browser of real projects.

The example pictures are brought, a dozen of them left without a label, and a small study is run.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.browser import CHROMIUM_FLAGS, browser_program
from tests.e2e.film import film_take
from tests.e2e.pages import addresses, open_address, sign_in
from tests.journeys.walk import Walk
from tests.support.platform_process import ROOT, Platform

PICTURES = ROOT / "docs" / "pictures"
TAKEN = (
    ("report", "en", "light"),
    ("report", "zh", "light"),
    ("labelling", "en", "light"),
    ("labelling", "zh", "light"),
    ("study", "en", "dark"),
    ("data", "en", "light"),
)


def main() -> None:
    """Takes all pictures and films into ``docs/pictures``."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="modelyard-shots-") as home:
        platform = Platform(Path(home)).start()
        try:
            with sync_playwright() as player:
                browser = player.chromium.launch(executable_path=browser_program(), args=CHROMIUM_FLAGS)
                with Walk(platform) as walk:
                    made = _walk(walk)
                    for name, language, scheme in TAKEN:
                        _take(browser, walk, made, (name, language, scheme))
                for language in ("en", "zh"):
                    with Walk(platform) as walk:
                        film_take(browser, walk, language, PICTURES / f"walk-{language}.webp")
        finally:
            platform.stop()


def _walk(walk: Walk) -> dict[str, Any]:
    project = walk.project()
    walk.call("PATCH", f"/projects/{project['id']}", json={"name": "Things that children paint with"})
    ordered = walk.call("POST", f"/datasets/{project['dataset']}/examples")
    assert walk.job(ordered["job"]["id"])["state"] == "succeeded"
    version = walk.snapshot(project["id"])
    study, trials = walk.study_ended(
        walk.study(project["id"], version["id"], name="First look", max_trials=4, refits=False)["id"],
        timeout_s=1500,
    )
    artefact = next(trial["artefact"] for trial in trials if trial["id"] == study["best_trial"])
    items = walk.call("GET", f"/datasets/{project['dataset']}/items", params={"label": "fruit", "limit": 12})["items"]
    for item in items:
        change = {"annotations": None, "revision": item["revision"], "operation": f"0000-{item['id']}"}
        walk.call("PUT", f"/labeling/items/{item['id']}/annotations", json=change)
    return {"project": project, "version": version, "study": study, "trials": trials, "artefact": artefact}


def _take(browser: Browser, walk: Walk, made: dict[str, Any], shot: tuple[str, str, str]) -> None:
    name, language, scheme = shot
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme, locale=language)
    page = context.new_page()
    sign_in(page, walk, language)
    open_address(page, walk, addresses(made)[name])
    page.wait_for_load_state("load")
    page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / f"{name}-{language}-{scheme}.png")
    context.close()


if __name__ == "__main__":
    main()
