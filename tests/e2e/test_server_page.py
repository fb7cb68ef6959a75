"""The page of the on-premise server in a real browser: pictures, boxes, areas, texts and rows are tried, a key is asked for."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from automl.contracts.task import OutputKind
from exporters.onprem_server.target import assemble
from runtime.run_lengths import runs_bounds, runs_unpack
from tests.exporters.artefact_factory import artefact_write, picture_bytes
from tests.exporters.prediction_server import wait_for
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.support.platform_process import free_ports

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]


@contextmanager
def served(artefact: Path, folder: Path, *arguments: str) -> Iterator[str]:
    """Puts the server of an artefact together and starts it; other tests check the whole product."""
    assemble(artefact, folder / "things-server", {"name": "things", "port": 8099, "easydl_path": True})
    (port,) = free_ports(1)
    environment = {**os.environ, "VENV": sys.prefix, "PYTHONPATH": ""}
    command = ["sh", str(folder / "things-server" / "start"), "--port", str(port), *arguments]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: _is_up(url), "the bundle's server")
        yield url
    finally:
        process.terminate()
        assert process.wait(30) == 0


def _is_up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health").status_code == 200
    except httpx.TransportError:
        return False


def _annotations(url: str, picture: bytes) -> list[dict[str, float]]:
    return httpx.post(f"{url}/v1/deployments/things/predict", content=picture).json()["predictions"][0]["annotations"]


def test_a_picture_is_tried_with_a_key(page: Page, tmp_path: Path, shot):
    artefact = artefact_write(tmp_path / "artefact")
    (tmp_path / "keys.txt").write_text("a-secret\n")
    with served(artefact, tmp_path, "--keys", str(tmp_path / "keys.txt")) as url:
        page.goto(url)
        expect(page.get_by_text("Drop a picture here, or click to choose", exact=True)).to_be_visible()
        page.locator("#file").set_input_files(artefact / "samples" / "0.png")
        key = page.get_by_label("API key", exact=True)
        expect(key).to_be_visible()
        key.fill("a-secret")
        key.press("Tab")
        expect(page.get_by_role("listitem").first).to_contain_text("%")
        expect(page.locator("#drawn rect")).to_have_count(0)
        shot("95-server-picture")


def test_boxes_are_drawn_on_the_picture(page: Page, tmp_path: Path, shot):
    artefact = artefact_write(tmp_path / "artefact", output=OutputKind.BOXES)
    with served(artefact, tmp_path) as url:
        picture, annotations = next(
            (data, found) for data in map(picture_bytes, range(50)) if (found := _annotations(url, data))
        )
        page.goto(url)
        page.locator("#file").set_input_files({"name": "0.png", "mimeType": "image/png", "buffer": picture})
        rows = page.get_by_role("listitem")
        expect(rows.first).to_contain_text("%")
        expect(page.locator("#drawn rect")).to_have_count(rows.count())
        drawn = page.locator("#drawn rect").evaluate_all("all => all.map(one => Number(one.getAttribute('width')))")
        assert drawn == [box["width"] for box in annotations]
        frame, shown = page.locator("#drawn").bounding_box(), page.locator("#picture").bounding_box()
        assert frame == shown
        # EasyDL's own address of a detector.
        body = {"image": base64.b64encode(picture).decode()}
        answer = httpx.post(f"{url}/things/ObjectDetection", json=body).json()
        assert answer["results"][0]["location"]["width"] == pytest.approx(annotations[0]["width"], abs=1)
        shot("96-server-boxes")


def test_areas_are_drawn_on_the_picture(page: Page, tmp_path: Path, shot):
    artefact = artefact_write(tmp_path / "artefact", output=OutputKind.MASK)
    with served(artefact, tmp_path) as url:
        picture = (artefact / "samples" / "0.png").read_bytes()
        annotations = _annotations(url, picture)
        page.goto(url)
        page.locator("#file").set_input_files({"name": "0.png", "mimeType": "image/png", "buffer": picture})
        expect(page.locator("#drawn path")).to_have_count(len(annotations))
        drawn = page.locator("#drawn path").evaluate_all("all => all.map(one => one.getAttribute('d'))")
        sizes = [sum(int(length) for length in re.findall(r"v(\d+)", path)) for path in drawn]
        assert sizes == [sum(runs_unpack(each["counts"])[1::2]) for each in annotations]
        answer = httpx.post(f"{url}/things/ImageSegmentation", json={"image": base64.b64encode(picture).decode()}).json()
        assert answer["results"][0]["mask"] == annotations[0]["counts"]
        assert tuple(answer["results"][0]["location"].values()) == runs_bounds(
            annotations[0]["counts"], height=annotations[0]["height"]
        )
        shot("98-server-areas")


def test_a_text_and_a_row_are_tried(page: Page, tmp_path: Path, shot):
    for folder, write in ((tmp_path / "text", text_artefact_write), (tmp_path / "row", row_artefact_write)):
        folder.mkdir()
        with served(write(folder / "artefact"), folder) as url:
            page.goto(url)
            if folder.name == "text":
                page.get_by_label("Write or paste a text").fill("Delivered a day early")
            page.get_by_role("button", name="Predict", exact=True).click()
            expect(page.get_by_role("listitem").first).to_contain_text("%")
            expect(page.locator("#curl")).to_contain_text("curl --json")
            shot(f"97-server-{folder.name}")


def test_a_wrong_cell_is_marked(page: Page, tmp_path: Path):
    with served(row_artefact_write(tmp_path / "artefact", output=OutputKind.NUMBER), tmp_path) as url:
        page.goto(url)
        age = page.get_by_label("age", exact=True)
        age.fill("many")
        expect(page.locator("#curl")).to_contain_text('"many"')
        page.get_by_role("button", name="Predict", exact=True).click()
        expect(age).to_have_attribute("aria-invalid", "true")
        age.fill("40")
        page.get_by_role("button", name="Predict", exact=True).click()
        expect(page.locator(".number")).to_be_visible()
        expect(age).not_to_have_attribute("aria-invalid", "true")
