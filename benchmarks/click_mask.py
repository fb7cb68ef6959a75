"""Overlap of click-to-mask with the true mask after one and three clicks, against GrabCut from the same click policy.

Stamps of kinds and photographs that the training never saw, and real nuclei; the graphs are those that the page loads. The
anchor is OpenCV's GrabCut, region growing stands beside it. Overlaps are means with 95 % intervals by bootstrap; a claim holds
their ratio. The last claims are the processor time of a click and of a new window on one thread, in onnxruntime's native build.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.harness import Claim, Options, SkippedError, main
from engine.assets.fetch import AssetMissingError
from tests.support.photos import photo

MODEL_DIR = Path(__file__).parents[1] / "frontend" / "src" / "canvas" / "assist" / "model"
CLICKS = (1, 3)
PROMISED_MS = 150.0


def measure(options: Options) -> list[Claim]:
    """Both sets, then time."""
    import cv2

    from engine.click_mask.predict import ClickMaskModel

    cv2.setNumThreads(0)
    count = options.pick(100, smoke=2, quick=12, full=300)
    try:
        sets = _made() if options.is_smoke else _cases(count)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    model = ClickMaskModel(MODEL_DIR)
    claims = [claim for name, cases in sets.items() for claim in _overlaps(model, name, cases)]
    return [*claims, *_times(model, next(iter(sets.values())))]


def _cases(count: int) -> dict[str, list]:
    """Pictures with the true mask of one thing each; two packages are fetched for them."""
    from engine.click_mask.evaluate import nuclei, scenes
    from engine.click_mask.sources import material

    found = nuclei()
    return {
        "unseen stamps": list(scenes(material("test"), count)),
        "nuclei": found[:: max(1, len(found) // count)],
    }


def _made() -> dict[str, list]:
    """One picture by code: a dark disc on a photograph."""
    picture_HW3, mask_HW = np.array(photo((160, 120), 0)), np.hypot(*np.ogrid[-60:60, -80:80]) < 30
    picture_HW3[mask_HW] //= 4
    return {"disc": [(picture_HW3, mask_HW)]}


def _overlaps(model, name: str, cases: list) -> list[Claim]:
    from engine.click_mask.baselines import grabcut, region_growing
    from engine.click_mask.evaluate import interval, overlaps
    from engine.click_mask.predict import ClickSession

    def ours(picture):
        clicking = ClickSession(picture)
        return lambda clicks: model.answer(clicking, clicks)

    found = {
        which: overlaps(begin, iter(cases), max(CLICKS))
        for which, begin in (("ours", ours), ("GrabCut", grabcut), ("region growing", region_growing))
    }
    for which, iou in found.items():
        for clicks in CLICKS:
            mean, low, high = interval(iou[:, clicks - 1])
            sys.stderr.write(f"{name}, {len(cases)} cases, {which}, {clicks} click(s): {mean:.3f} [{low:.3f}, {high:.3f}]\n")
    means = {which: iou.mean(axis=0) for which, iou in found.items()}
    return [
        Claim(
            "click_mask",
            f"mean IoU after {clicks} click(s), {name}, against GrabCut",
            float(means["ours"][clicks - 1]),
            float(means["GrabCut"][clicks - 1]),
            float(means["ours"][clicks - 1] / max(means["GrabCut"][clicks - 1], 1e-9)),
            1.0,
        )
        for clicks in CLICKS
    ]


def _times(model, cases: list) -> list[Claim]:
    from engine.click_mask.clicks import Click
    from engine.click_mask.predict import ClickSession

    first, later = [], []
    for picture, mask in cases[:20]:
        clicking = ClickSession(picture)
        rows, columns = np.nonzero(mask)
        clicks = [Click(columns[0] + 0.5, rows[0] + 0.5)]
        start = time.process_time()
        model.answer(clicking, clicks)
        first.append(1000 * (time.process_time() - start))
        start = time.process_time()
        model.answer(clicking, clicks)
        later.append(1000 * (time.process_time() - start))
    rows = (("first click (up to three new windows)", first), ("further click", later))
    medians = ((what, float(np.median(times))) for what, times in rows)
    return [
        Claim("click_mask", f"processor ms, {what}, native", ms, PROMISED_MS, ms, PROMISED_MS, True) for what, ms in medians
    ]


if __name__ == "__main__":
    main(measure)
