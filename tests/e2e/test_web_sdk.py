"""The package for browsers in a real one: its module answers as Python's runtime does, its page works from a disk."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from exporters.web_sdk.target import _assemble
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import artefact_write, picture_bytes
from tests.exporters.javascript_items import KINDS, answer_of, difference, items_of
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

ASK = """async (items) => {
  const { load } = await import('/dist/index.js')
  const model = await load()
  const bytes = (item) => (item.base64 === undefined ? item : Uint8Array.from(atob(item.base64), (sign) => sign.charCodeAt(0)))
  const answers = await model.predictBatch(items.map(bytes), { threshold: 0 })
  const shown = await model.selftest()
  const bench = await model.bench({ numRuns: 2 })
  await model.close()
  return { answers, shown, bench, facing: [model.reads, model.output, ...model.labels] }
}"""
OTHERS = """async (base64) => {
  const { load, ModelError } = await import('/dist/index.js')
  const model = await load('/model')
  const address = `data:image/png;base64,${base64}`
  const image = Object.assign(new Image(), { src: address })
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
  canvas.getContext('2d').drawImage(image, 0, 0)
  const pixels = canvas.getContext('2d').getImageData(0, 0, image.width, image.height)
  const blob = await (await fetch(address)).blob()
  const given = [address, blob, await blob.arrayBuffer(), image, canvas, await createImageBitmap(image), pixels]
  const answers = []
  for (const item of given) answers.push(await model.predict(item))
  const codeOf = async (call) => call().then(() => null, (error) => (error instanceof ModelError ? error.code : String(error)))
  const codes = [
    await codeOf(() => model.predict(new Uint8Array(9))),
    await codeOf(() => model.predict('/no-such-file')),
    await codeOf(() => model.predict(7)),
    await codeOf(() => model.predict(() => 1)),
    await codeOf(() => model.predict(address, { top: 0 })),
    await codeOf(() => load('/nothing/')),
    await codeOf(() => load('/model/', { runtimeUrl: '/nothing' })),
  ]
  await model.close()
  return { answers, codes: [...codes, await codeOf(() => model.predict(address))] }
}"""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    (folder / "blank.html").write_text("<!doctype html><title>shop</title>")
    handler = partial(_Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass


@pytest.mark.parametrize("kind", KINDS)
def test_the_module_answers_as_python_does(kind: str, page: Page, complaints: list[str], tmp_path: Path) -> None:
    artefact = KINDS[kind](tmp_path / kind)
    _assemble(artefact, tmp_path / "made", "birds", "1.0.0", has_page=False)
    predictor = Predictor()
    predictor.setup(artefact)
    items = items_of(predictor)
    with served(tmp_path / "made") as url:
        page.goto(f"{url}/blank.html")
        found = page.evaluate(ASK, [item for _, item in items])
    assert found["facing"] == [predictor.items.name, predictor.manifest["output"], *predictor.labels]
    assert (found["shown"]["isPassed"], found["bench"]["numRuns"]) == (True, 2)
    assert "onnxruntime-web" in found["shown"]["environment"]
    expected = [answer_of(predictor, item) for _, item in items]
    assert sum(map(bool, expected)) > 1
    apart = {name: difference(ours, theirs) for (name, _), ours, theirs in zip(items, found["answers"], expected, strict=True)}
    assert max(apart.values()) <= predictor.tolerance, apart


def test_pictures_of_a_page_and_what_is_wrong(page: Page, tmp_path: Path) -> None:
    _assemble(artefact_write(tmp_path / "artefact"), tmp_path / "made", "birds", "1.0.0", has_page=False)
    with served(tmp_path / "made") as url:
        page.goto(f"{url}/blank.html")
        found = page.evaluate(OTHERS, base64.b64encode(picture_bytes(4)).decode())
    first, *others = found["answers"]
    assert first
    assert max(difference(first, other) for other in others) <= 1e-4
    assert found["codes"] == [
        *("picture_unreadable", "picture_unreadable", "item_invalid", "item_invalid", "argument_invalid"),
        *("artefact_unreadable", "artefact_unreadable", "model_closed"),
    ]


def _opened(page: Page, folder: Path) -> None:
    page.goto((folder / "index.html").as_uri())
    expect(page.locator("#selftest")).to_be_enabled()


def test_the_page_works_from_a_disk(page: Page, complaints: list[str], tmp_path: Path, shot) -> None:
    artefact = artefact_write(tmp_path / "artefact")
    _assemble(artefact, tmp_path / "made", "birds", "1.0.0", has_page=True)
    _opened(page, tmp_path / "made")
    page.get_by_role("button", name="Replay the samples").click()
    expect(page.get_by_role("status")).to_contain_text("Answers as the trained model does: 3 samples")
    page.locator("#file").set_input_files(artefact / "samples" / "0.png")
    expect(page.get_by_role("listitem").first).to_contain_text("%")
    page.get_by_role("button", name="Measure the speed").click()
    expect(page.get_by_role("status")).to_contain_text("Median of 20 predictions")
    shot("99-web-sdk-picture")
    page.locator("#file").set_input_files({"name": "no.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(page.locator("#note")).to_contain_text("(picture_unreadable)")


def test_the_page_reads_a_text_and_marks_a_wrong_cell(page: Page, complaints: list[str], tmp_path: Path, shot) -> None:
    _assemble(text_artefact_write(tmp_path / "texts"), tmp_path / "text", "birds", "1.0.0", has_page=True)
    _opened(page, tmp_path / "text")
    page.get_by_label("Write or paste a text").fill("good!")
    page.get_by_role("button", name="Predict").click()
    expect(page.get_by_role("listitem").first).to_contain_text("%")
    shot("99-web-sdk-text")
    _assemble(row_artefact_write(tmp_path / "rows"), tmp_path / "row", "birds", "1.0.0", has_page=True)
    _opened(page, tmp_path / "row")
    age = page.get_by_label("age", exact=True)
    age.fill("many")
    page.get_by_role("button", name="Predict").click()
    expect(age).to_have_attribute("aria-invalid", "true")
    age.fill("40")
    page.get_by_role("button", name="Predict").click()
    expect(page.get_by_role("listitem").first).to_contain_text("%")
    shot("99-web-sdk-row")
