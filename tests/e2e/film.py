"""The film of the README: a newcomer's way from pictures to an answer, as an animated picture of the real pages."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Locator, Page

from engine.tasks.image_classification import quickstart
from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk
from tests.support.platform_process import ASSETS

WINDOW = {"width": 1200, "height": 750}
SIZE = (960, 600)
QUALITY = 82
NUM_UNLABELLED = 12
MOST_OF_TRAINING = 14
"""Frames, however long it takes."""
POINTER = """
addEventListener('DOMContentLoaded', () => {
  const dot = document.createElement('div')
  dot.style.cssText = 'position:fixed;z-index:99999;width:22px;height:22px;margin:-11px;border-radius:50%;pointer-events:none;'
    + 'left:-99px;background:rgb(37 99 235 / 35%);border:2px solid rgb(37 99 235)'
  document.body.append(dot)
  addEventListener('mousemove', (event) => { dot.style.left = event.clientX + 'px'; dot.style.top = event.clientY + 'px' })
})
"""
WORDS = MappingProxyType(
    {
        "en": {
            "create": "New project",
            "name": "Name",
            "project": "Stamps",
            "submit": "Create project",
            "choose": "Choose files",
            "listed": "Files to upload",
            "upload": "Upload",
            "sample": "Take one from the data",
            "answered": "answered in",
        },
        "zh": {
            "create": "新建项目",
            "name": "名称",
            "project": "邮票",
            "submit": "创建项目",
            "choose": "选择文件",
            "listed": "待上传文件",
            "upload": "上传",
            "sample": "从数据中取一张",
            "answered": "用时",
        },
    }
)
"""What is pressed and read, by language."""


class Film:
    """Frames of a page, each with how long it is shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[NDArray[np.uint8]] = []
        self.durations_ms: list[int] = []

    def shoot(self, shown_ms: int = 1200, *, wait_ms: int = 400) -> None:
        """Takes a frame once what moves has come to rest."""
        self.page.wait_for_timeout(wait_ms)
        frame = cv2.imdecode(np.frombuffer(self.page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
        assert frame is not None
        self.frames.append(np.asarray(cv2.resize(frame, SIZE, interpolation=cv2.INTER_AREA), np.uint8))
        self.durations_ms.append(shown_ms)

    def press(self, target: Locator) -> None:
        """Shows the pointer on a button, and presses it."""
        target.hover()
        self.shoot(700, wait_ms=200)
        target.click()

    def thin(self, first: int, most: int) -> None:
        """Keeps at most so many of the frames from one on, evenly spread."""
        kept = sorted(set(np.linspace(first, len(self.frames) - 1, most).round().astype(int).tolist()))
        self.frames = self.frames[:first] + [self.frames[number] for number in kept]
        self.durations_ms = self.durations_ms[:first] + [self.durations_ms[number] for number in kept]

    def write(self, path: Path) -> None:
        """Writes an animated WebP that is shown again and again."""
        film = cv2.Animation()
        film.frames, film.durations = self.frames, np.array(self.durations_ms)
        assert cv2.imwriteanimation(str(path), film, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


def film_take(browser: Browser, walk: Walk, language: str, path: Path) -> None:
    """Walks from an empty list of projects to an answered call, and writes the film.

    Args:
        browser: draws the pages.
        walk: somebody without a project.
        language: ``en`` or ``zh``.
        path: the file.
    """
    context = browser.new_context(viewport=WINDOW, locale=language, reduced_motion="reduce")
    context.add_init_script(POINTER)
    page = context.new_page()
    sign_in(page, walk, language)
    film, words = Film(page), WORDS[language]
    project = _data_comes(film, walk, words)
    _labels_are_given(film, walk, project)
    _model_is_trained(film, walk, project)
    _model_answers(film, walk, project, words)
    film.write(path)
    context.close()


def _data_comes(film: Film, walk: Walk, words: dict[str, str]) -> dict[str, Any]:
    page = film.page
    open_address(page, walk, "/projects")
    film.press(page.get_by_role("button", name=words["create"]).first)
    page.get_by_role("dialog").get_by_label(words["name"]).fill(words["project"])
    film.shoot(1600)
    film.press(page.get_by_role("dialog").get_by_role("button", name=words["submit"]))
    page.wait_for_url("**/projects/prj_*")
    project = walk.call("GET", f"/projects/{page.url.split('/projects/')[1].split('/')[0]}")
    open_address(page, walk, f"/projects/{project['id']}/data")
    with tempfile.TemporaryDirectory() as folder:
        stamps = Path(folder) / "stamps.zip"
        quickstart.write_zip(stamps, ASSETS)
        with page.expect_file_chooser() as chooser:
            film.press(page.get_by_role("button", name=words["choose"], exact=True))
        chooser.value.set_files(stamps)
        listed = page.get_by_role("region", name=words["listed"])
        listed.wait_for()
        film.shoot(1200)
        film.press(listed.get_by_role("button", name=words["upload"], exact=True))
        walk.until(lambda: _num_items(walk, project) or None, "nothing was uploaded", 60)
        film.shoot(1000, wait_ms=1500)
    for kind in ("ingest", "embed"):  # suggestions need the second
        found = walk.until(lambda kind=kind: _jobs(walk, project, kind) or None, f"no job {kind!r} began", 60)
        walk.job(found[0]["id"])
    open_address(page, walk, f"/projects/{project['id']}/data")
    film.shoot(2000, wait_ms=1500)
    return project


def _jobs(walk: Walk, project: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    jobs = walk.call("GET", "/jobs", params={"project": project["id"]})["items"]
    return [job for job in jobs if job["kind"] == kind]


def _num_items(walk: Walk, project: dict[str, Any]) -> int:
    return int(walk.call("GET", f"/projects/{project['id']}")["counts"]["items"])


def _labels_are_given(film: Film, walk: Walk, project: dict[str, Any]) -> None:
    page = film.page
    labels = [one["name"] for one in walk.call("GET", f"/projects/{project['id']}")["label_set"]["labels"]]
    kept: dict[str, str] = {}
    for number in range(NUM_UNLABELLED):
        label = labels[number % len(labels)]
        listed = walk.call("GET", f"/datasets/{project['dataset']}/items", params={"label": label, "limit": 1})["items"]
        item = listed[0]
        change = {"annotations": None, "revision": item["revision"], "operation": f"0000-{item['id']}"}
        walk.call("PUT", f"/labeling/items/{item['id']}/annotations", json=change)
        kept[item["id"]] = str(1 + labels.index(label))
    open_address(page, walk, f"/projects/{project['id']}/labelling")
    film.shoot(1600, wait_ms=2500)
    for _ in range(NUM_UNLABELLED):
        shown = page.url.partition("item=")[2]
        page.keyboard.press(kept.get(shown, "1"))
        film.shoot(450, wait_ms=500)


def _model_is_trained(film: Film, walk: Walk, project: dict[str, Any]) -> None:
    page = film.page
    version = walk.snapshot(project["id"])
    open_address(page, walk, f"/projects/{project['id']}/studies/new")
    film.shoot(2000, wait_ms=2500)
    study = walk.study(project["id"], version["id"], name="", max_trials=4)
    open_address(page, walk, f"/projects/{project['id']}/studies/{study['id']}")
    first = len(film.frames)
    while walk.call("GET", f"/studies/{study['id']}")["state"] == "running":
        film.shoot(500, wait_ms=1500)
    film.thin(first, MOST_OF_TRAINING)
    film.shoot(1600, wait_ms=2500)
    ended, trials = walk.study_ended(study["id"])
    project["artefact"] = next(trial["artefact"] for trial in trials if trial["id"] == ended["best_trial"])
    open_address(page, walk, f"/projects/{project['id']}/models/{project['artefact']}")
    film.shoot(1800, wait_ms=1500)
    page.mouse.move(WINDOW["width"] / 2, WINDOW["height"] / 2)
    for _ in range(2):
        page.mouse.wheel(0, 550)
        film.shoot(1500, wait_ms=700)


def _model_answers(film: Film, walk: Walk, project: dict[str, Any], words: dict[str, str]) -> None:
    page = film.page
    deployed = walk.deploy(project["id"], project["artefact"], name=words["project"])
    open_address(page, walk, f"/projects/{project['id']}/deployments/{deployed['id']}")
    film.press(page.get_by_role("button", name=words["sample"]))
    page.get_by_text(words["answered"]).first.wait_for()
    film.shoot(3500, wait_ms=800)
