"""What the JavaScript packages add to a run of the graph: ``predict`` against bare onnxruntime, in Node.js and in Chromium.

Both sides are given pixels of one picture, so that nothing is decoded, and take turns call by call. In Node.js what counts is
the processor time; in the browser, where ours also goes to its worker and back, the wall clock. The graph takes about as long
as a small network for phones does.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from benchmarks._photo_graph import SIDE_PX, photo_graph
from benchmarks._static_files import static_server
from benchmarks.harness import Claim, Options, SkippedError, main
from exporters._javascript.package import BUILT
from exporters.node_sdk.target import _assemble as assemble_node
from exporters.web_sdk.target import _assemble as assemble_web
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.node_runtime import runtime_modules

TARGET = 1.1
FRONTEND = Path(__file__).resolve().parents[1] / "frontend"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-sync"]
TURNS = """
const clock = globalThis.process
  ? () => Object.values(process.cpuUsage()).reduce((sum, time) => sum + time) / 1000
  : () => performance.now()

export async function turns(model, ort, session, { side, rounds, calls }) {
  const data = Uint8Array.from({ length: side * side * 3 }, (_, place) => (place * 7919) % 251)
  const item = { data, width: side, height: side }
  const sides = {
    ours: () => model.predict(item),
    bare: () => session.run({ picture: new ort.Tensor('uint8', data, [1, side, side, 3]) }),
  }
  const taken = []
  for (let round = 0; round <= rounds; round++) {
    const times = { ours: [], bare: [] }
    for (let call = 0; call < calls; call++) {
      for (const name of call % 2 ? ['ours', 'bare'] : ['bare', 'ours']) {
        const beganAt = clock()
        await sides[name]()
        times[name].push(clock() - beganAt)
      }
    }
    if (round) taken.push(times)
  }
  return taken
}
"""
OF_NODE = """
import { readFileSync } from 'node:fs'
import * as ort from 'onnxruntime-node'
import { load } from './package/dist/index.js'
import { turns } from './turns.mjs'

const threads = { executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1 }
const session = await ort.InferenceSession.create(new Uint8Array(readFileSync('package/model/model.onnx')), threads)
console.log(JSON.stringify(await turns(await load(), ort, session, JSON.parse(process.argv[2]))))
"""
OF_PAGE = """async (asked) => {
  const ort = await import('/ort/ort.wasm.bundle.min.mjs')
  ort.env.wasm.numThreads = 1
  ort.env.wasm.wasmPaths = '/ort/'
  const session = await ort.InferenceSession.create('/package/model/model.onnx', { executionProviders: ['wasm'] })
  const { load } = await import('/package/dist/index.js')
  const { turns } = await import('/turns.mjs')
  return turns(await load(), ort, session, asked)
}"""


def measure(options: Options) -> list[Claim]:
    """A claim for Node.js and one for Chromium."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    node = shutil.which("node")
    if program is None or node is None or not (FRONTEND / "node_modules").is_dir() or not BUILT.is_dir():
        raise SkippedError("Chromium, Node.js or the built front end is missing")
    settings = {"side": SIDE_PX, "rounds": options.num_rounds, "calls": options.pick(40, smoke=2, quick=15)}
    with tempfile.TemporaryDirectory() as scratch:
        artefact = artefact_write(Path(scratch) / "artefact", model=photo_graph(), min_side_px=SIDE_PX, num_samples=1)
        times = {
            "Node.js": _in_node(node, artefact, Path(scratch) / "node", settings),
            "Chromium": _in_page(program, artefact, Path(scratch) / "web", settings),
        }
    return [_claim(place, rounds) for place, rounds in times.items()]


def _claim(place: str, rounds: list[dict[str, list[float]]]) -> Claim:
    middle = {name: [statistics.median(each[name]) for each in rounds] for name in ("ours", "bare")}
    ratio = statistics.median(ours / bare for ours, bare in zip(middle["ours"], middle["bare"], strict=True))
    ours, bare = statistics.median(middle["ours"]), statistics.median(middle["bare"])
    return Claim(
        "web_sdk_overhead", f"ms a prediction in {place}; anchor: bare onnxruntime", ours, bare, ratio, TARGET, is_at_most=True
    )


def _in_node(node: str, artefact: Path, folder: Path, settings: dict[str, int]) -> list[dict[str, list[float]]]:
    assemble_node(artefact, folder / "package", "measured", "1.0.0")
    (folder / "node_modules").symlink_to(runtime_modules())
    (folder / "turns.mjs").write_text(TURNS)
    (folder / "measure.mjs").write_text(OF_NODE)
    command = [node, "measure.mjs", json.dumps(settings)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    rounds: list[dict[str, list[float]]] = json.loads(done.stdout)
    return rounds


def _in_page(program: str, artefact: Path, folder: Path, settings: dict[str, int]) -> list[dict[str, list[float]]]:
    try:
        from playwright.sync_api import sync_playwright  # the extra `dev` brings it
    except ImportError as error:
        raise SkippedError("playwright is not installed") from error
    assemble_web(artefact, folder / "package", "measured", "1.0.0", has_page=False)
    (folder / "ort").symlink_to(FRONTEND / "node_modules" / "onnxruntime-web" / "dist")
    (folder / "turns.mjs").write_text(TURNS)
    (folder / "index.html").write_text("<!doctype html><title>measured</title>")
    with static_server(folder) as url, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=program, args=FLAGS)
        page = browser.new_page()
        page.goto(url)
        rounds: list[dict[str, list[float]]] = page.evaluate(OF_PAGE, settings)
        browser.close()
    return rounds


if __name__ == "__main__":
    main(measure)
