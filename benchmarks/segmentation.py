"""Mean IoU of U-Net from ImageNet weights against the same network from scratch, and against one click an object.

Two sets with true masks. *Metal*: plates with stains, scratches and holes; new plates judge. *Subjects*: cut-outs on
photographs; stamps and photographs that were never learned from judge. Few pictures are learned from, twenty a label, and
training is that of the job ``train`` with its defaults but for the epochs. Intervals are Student's over the seeds, 95 %; the
ratio of the first claims is what the start gains at least, the mean less its interval.

Click-to-mask alone is given the true label of each object and one click within it; the masks of a picture together are judged
as an answer is. It learns nothing from the pictures.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Mask
from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec, TrainConfig
from automl.contracts.report import Report
from benchmarks._digits import ASSETS_DIR, CACHE_DIR
from benchmarks.harness import ROOT, Claim, Options, SkippedError, main
from engine import run
from engine.assets.fetch import AssetMissingError
from engine.click_mask.clicks import first_click
from engine.click_mask.predict import ClickMaskModel, ClickSession
from engine.data.generated import Subject, write_version
from engine.models.unet import network
from engine.tasks.semantic_segmentation import scenes as metal
from engine.tasks.semantic_segmentation import subject_scenes
from engine.tasks.semantic_segmentation.quickstarts import cutouts
from engine.tasks.semantic_segmentation.spec import TASK
from engine.tasks.shared.scenes import material
from engine.tasks.shared.shapes_example import GeneratedPicture, item_of
from runtime.run_lengths import pixels_of, runs_unpack

PER_LABEL = 20
SIZE_PX = (480, 360)
HELD_OUT_SEED = 900
CLICK_MODEL = ROOT / "frontend" / "src" / "canvas" / "assist" / "model"
_T_95 = 4.303
"""Of Student's distribution with two degrees of freedom."""
Draw = Callable[[int, int, bool], list[GeneratedPicture]]
"""So many pictures of a seed, held out or not."""


@dataclass(frozen=True)
class Case:
    """A set of pictures."""

    labels: tuple[str, ...]
    draw: Draw


def _metal(number: int, seed: int, is_held_out: bool) -> list[GeneratedPicture]:
    generator = np.random.default_rng(seed)
    return [metal.scene(at, generator, width_px=SIZE_PX[0], height_px=SIZE_PX[1]) for at in range(number)]


def _subjects(number: int, seed: int, is_held_out: bool) -> list[GeneratedPicture]:
    source, generator = material(ASSETS_DIR, is_held_out=is_held_out), np.random.default_rng(seed)
    return [subject_scenes.scene(source, cutouts.LAYOUT, generator) for _ in range(number)]


CASES: Mapping[str, Case] = {"metal": Case(metal.LABELS, _metal), "subjects": Case((cutouts.LABEL,), _subjects)}


def measure(options: Options) -> list[Claim]:
    """Two claims a set: what the pretrained start gains, and what learning from twenty pictures a label gains over a click."""
    names = options.pick(tuple(CASES), smoke=("metal",))
    num_seeds, epochs, num_judged = options.pick((3, 16, 60), smoke=(1, 2, 4), quick=(2, 8, 30), full=(3, 30, 120))
    claims = []
    for name in names:
        case = CASES[name]
        try:
            judged = case.draw(num_judged, HELD_OUT_SEED, True)
            found: dict[str, list[float]] = {"pretrained": [], "scratch": []}
            for seed in range(num_seeds):
                for start, values in found.items():
                    if options.is_smoke and start == "pretrained":
                        continue  # nothing is fetched
                    values.append(_trained(case, start, judged, seed=seed, epochs=epochs, is_small=options.is_smoke))
                    sys.stderr.write(f"{name}, seed {seed}, {start}: {values[-1]:.3f}\n")
        except AssetMissingError as error:
            raise SkippedError(str(error)) from error
        ours = found["pretrained"] or found["scratch"]
        clicked = _clicked(case, judged)
        claims += _claims(name, ours, found["scratch"], clicked, epochs)
    return claims


def _claims(name: str, ours: list[float], scratch: list[float], clicked: float, epochs: int) -> list[Claim]:
    gains = [one - other for one, other in zip(ours, scratch, strict=True)]
    half = _T_95 * statistics.stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else 0.0
    mean, anchor, gain = statistics.mean(ours), statistics.mean(scratch), statistics.mean(gains)
    trained = f"mIoU, {name}, {PER_LABEL} a label, {epochs} epochs, {len(gains)} seeds"
    what = f"{trained}, gained {gain:.3f} +- {half:.3f}; anchor from scratch"
    click = f"{trained}; anchor one click an object"
    return [
        Claim("segmentation", what, mean, anchor, gain - half, 0.0),
        Claim("segmentation", click, mean, clicked, mean / max(clicked, 1e-3), 1.0),
    ]


def _trained(case: Case, start: str, judged: list[GeneratedPicture], *, seed: int, epochs: int, is_small: bool) -> float:
    """The mIoU on what is held out."""
    number = 4 if is_small else PER_LABEL * len(case.labels)
    drawn = [(Split.TRAIN, each) for each in case.draw(number, seed, False)]
    drawn += [(Split.VALIDATION, each) for each in case.draw(max(2, number // 4), seed + 100, False)]
    drawn += [(Split.TEST, each) for each in judged]
    start_of = nullcontext() if start == "pretrained" else patch.object(network, "load_pretrained", lambda *_: None)
    with tempfile.TemporaryDirectory() as folder, start_of:
        workdir = Path(folder)
        items = [item_of(f"{at:04d}", split, each) for at, (split, each) in enumerate(drawn)]
        write_version(workdir / "data", items, Subject(TASK, case.labels))
        size, params = ("plain", {"resolution_px": 64}) if is_small else ("lite0", {})
        JobSpec(
            id="job_segmentation",
            kind="train",
            task=TASK.name,
            train=TrainConfig(family="unet", size=size, params={"epochs": epochs, **params}),
            seed=seed,
            device="cpu",
            cache_dir=str(CACHE_DIR if is_small else workdir / "cache"),
            assets_dir=str(ASSETS_DIR),
        ).write(workdir / "job.json")
        if run.run(workdir) != 0:
            raise RuntimeError((workdir / "events.jsonl").read_text())
        report = Report.read(workdir / "artefact" / "report.json")
    return next(each.metrics["miou"] for each in report.splits if each.split is Split.TEST)


def _clicked(case: Case, judged: list[GeneratedPicture]) -> float:
    """The mIoU of click-to-mask: pixels of all pictures together, by label, as reports count them."""
    model, rng = ClickMaskModel(CLICK_MODEL), np.random.default_rng(1)
    both, either = np.zeros(len(case.labels)), np.zeros(len(case.labels))
    for drawn in judged:
        session = ClickSession(drawn.picture_HWC)
        for shape in drawn.shapes:
            assert isinstance(shape, Mask)
            true_HW = pixels_of(runs_unpack(shape.counts), width=shape.width, height=shape.height) != 0
            found_HW = np.zeros_like(true_HW)
            for object_HW in _objects(true_HW):
                found_HW |= model.answer(session, [first_click(rng, object_HW)])
            place = case.labels.index(shape.label)
            both[place] += (true_HW & found_HW).sum()
            either[place] += (true_HW | found_HW).sum()
    return float((both / np.maximum(either, 1)).mean())


def _objects(true_HW: NDArray[np.bool_]) -> Iterator[NDArray[np.bool_]]:
    """The parts of a mask that hang together."""
    number, marks_HW = cv2.connectedComponents(true_HW.astype(np.uint8))
    for mark in range(1, number):
        yield marks_HW == mark


if __name__ == "__main__":
    main(measure)
