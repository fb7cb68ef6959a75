"""Frames of the drawing area in Chromium: 2,000 shapes on one picture, panned, zoomed, one dragged; a brush on 12 megapixels.

The anchor is a plain Konva layer with one node a shape, in the same browser, and of the brush a stroke on an empty picture.
Browsers without a graphics card paint on the processor, so the frames that are seen also depend on what else runs here;
scripting time a frame depends on it less.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks._static_files import static_server
from benchmarks.harness import Claim, Options, SkippedError, main

NUM_SHAPES = 2_000
FRAME_MS = 1000 / 60
GESTURES = ("pan", "zoom", "drag")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-sync"]
FRONTEND = Path(__file__).resolve().parents[1] / "frontend"
BUILD = """
import { build } from 'vite'
const [root, outDir] = process.argv.slice(-2)
await build({ root, configFile: false, logLevel: 'error', base: './', build: { outDir, emptyOutDir: true, target: 'es2022' } })
"""


def measure(options: Options) -> list[Claim]:
    """Scripting time and frames a second of each gesture; medians over rounds in which the two take turns."""
    try:
        from playwright.sync_api import sync_playwright  # the extra `dev` brings it
    except ImportError as error:
        raise SkippedError("playwright is not installed") from error
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None or not (FRONTEND / "node_modules").is_dir():
        raise SkippedError("Chromium or the packages of the front end are not installed")
    num_shapes = options.pick(NUM_SHAPES, smoke=100)
    num_frames = options.pick(120, smoke=10, quick=60)
    rounds: list[dict] = []
    with tempfile.TemporaryDirectory() as folder, static_server(_built(Path(folder))) as url, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=program, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(url)
        page.wait_for_function("window.measure !== undefined")
        for _ in range(1 + options.num_rounds):
            ask = "([who, shapes, frames]) => window.measure(who, shapes, frames)"
            rounds.append({who: page.evaluate(ask, [who, num_shapes, num_frames]) for who in ("ours", "naive")})
        strokes = [
            {
                is_full: page.evaluate("([isFull, frames]) => window.paint(isFull, frames)", [is_full, num_frames])
                for is_full in (True, False)
            }
            for _ in range(1 + options.num_rounds)
        ]
        browser.close()
    return [
        *(claim for gesture in GESTURES for claim in _claims(rounds[1:], gesture, num_shapes)),
        *_stroke_claims(strokes[1:]),
    ]


def _stroke_claims(strokes: list[dict[bool, dict]]) -> Iterator[Claim]:
    """What a stroke on a full mask costs, beside one on nothing."""
    full, empty = ([_quantile(each[is_full]["scripts"], 0.95) for each in strokes] for is_full in (True, False))
    typical = statistics.median(full)
    metric = "ms of scripting a frame, 95th percentile, as a share of one at 60 a second, brush on a full mask of 12 megapixels"
    yield Claim("canvas", metric, typical, statistics.median(empty), typical / FRAME_MS, target=1.0, is_at_most=True)
    full, empty = ([each[is_full]["release"] for each in strokes] for is_full in (True, False))
    typical = statistics.median(full)
    metric = "ms until a stroke on the same mask is an annotation, as a share of 100"
    yield Claim("canvas", metric, typical, statistics.median(empty), typical / 100, target=1.0, is_at_most=True)


def _claims(rounds: list[dict], gesture: str, num_shapes: int) -> Iterator[Claim]:
    def typical(who: str, what: str, share: float) -> list[float]:
        return [_quantile(each[who][gesture][what], share) for each in rounds]

    scripts = {who: typical(who, "scripts", 0.5) for who in ("ours", "naive")}
    ratios = [naive / ours for ours, naive in zip(scripts["ours"], scripts["naive"], strict=True)]
    median = statistics.median
    metric = f"ms of scripting a frame, median, {gesture}, {num_shapes} shapes"
    yield Claim("canvas", metric, median(scripts["ours"]), median(scripts["naive"]), median(ratios), target=5.0)
    late = median(typical("ours", "scripts", 0.95))
    anchor = median(typical("naive", "scripts", 0.95))
    metric = f"the same, 95th percentile, as a share of a frame at 60 a second, {gesture}"
    yield Claim("canvas", metric, late, anchor, late / FRAME_MS, target=1.0, is_at_most=True)
    seen = {who: 1000 / median(typical(who, "intervals", 0.5)) for who in ("ours", "naive")}
    metric = f"frames a second as seen, median, as a share of 60, {gesture}"
    yield Claim("canvas", metric, seen["ours"], seen["naive"], seen["ours"] / 60, target=0.95)


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def _built(folder: Path) -> Path:
    script = folder / "build.mjs"
    (folder / "node_modules").symlink_to(FRONTEND / "node_modules")
    script.write_text(BUILD)
    out = folder / "page"
    subprocess.run(["node", script, FRONTEND / "benchmarks" / "canvas", out], check=True, stdout=sys.stderr)
    return out


if __name__ == "__main__":
    main(measure)
