"""Small shapes on large pictures: a segmenter that sees tiles beside one that sees whole pictures, same network and steps.

Circles, squares and triangles of 10 to 18 pixels lie on textured pictures of 1,280 x 960; U-Net's plain trunk sees 128 pixels.
Both are trained by the job ``train``; whole pictures get as many more epochs as tiles show parts of a picture, up to 100. The
anchor is the mIoU of whole pictures on the test split; the ratio is what tiles add in the worst of the seeds. A second claim is
the peak memory of a process that answers one picture of 10,000 x 10,000 pixels, in GB.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from automl.contracts.annotation import Mask
from automl.contracts.dataset import Split
from automl.contracts.family import ParamValue
from automl.contracts.job import JobSpec, TrainConfig
from automl.contracts.report import Report
from benchmarks._digits import CACHE_DIR
from benchmarks.harness import ROOT, Claim, Options, main
from engine import run
from engine.data.generated import SPLITS, Subject, write_version
from engine.tasks.semantic_segmentation.spec import TASK
from engine.tasks.shared.shapes_example import LABELS, GeneratedPicture, item_of
from runtime.run_lengths import counts_of

SIZE_PX = (1280, 960)
RESOLUTION_PX = 128
PARTS = 16
"""Of a picture that an epoch of tiles shows."""
GAIN = 0.2
"""Of the mIoU."""
LARGE_PX = 10_000
MOST_GB = 2.0
_ANSWER = """
import resource, sys
from pathlib import Path
from runtime.predictor import Predictor

predictor = Predictor()
predictor.setup(Path(sys.argv[1]))
decoded = predictor.decode(Path(sys.argv[2]).read_bytes())
print(len(predictor.encode(predictor.predict(decoded), decoded)), file=sys.stderr)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
"""


def measure(options: Options) -> list[Claim]:
    """What tiles add, by seed on standard error, and the memory of an answer."""
    seeds, num_items = range(options.pick(3, smoke=1, quick=2)), options.pick(20, smoke=5)
    epochs, size = options.pick(6, smoke=2), options.pick(SIZE_PX, smoke=(320, 240))
    found: dict[str, list[float]] = {"whole": [], "tiles": []}
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            for view, num_epochs in (("whole", epochs * PARTS), ("tiles", epochs)):
                place = Path(folder) / f"{view}-{seed}"
                found[view].append(
                    _trained(
                        place,
                        view,
                        min(100, num_epochs) if not options.is_smoke else epochs,
                        seed=seed,
                        num_items=num_items,
                        size=size,
                        cache_dir=CACHE_DIR if options.is_smoke else place / "cache",
                    )
                )
        memory_gb = _memory_gb(Path(folder) / "tiles-0" / "artefact", options.pick(LARGE_PX, smoke=1000))
    for seed, (whole, tiles) in enumerate(zip(*found.values(), strict=True)):
        sys.stderr.write(f"seed {seed}: whole {whole:.3f}, tiles {tiles:.3f}\n")
    gains = [tiles - whole for whole, tiles in zip(*found.values(), strict=True)]
    whole, tiles = (float(np.mean(each)) for each in found.values())
    name = "segmentation_tiles"
    return [
        Claim(name, "mIoU of tiles, means of the seeds; the least gain over whole pictures", tiles, whole, min(gains), GAIN),
        Claim(name, "GB at most while a large picture is answered", memory_gb, MOST_GB, memory_gb, MOST_GB, is_at_most=True),
    ]


def _trained(
    workdir: Path, view: str, epochs: int, *, seed: int, num_items: int, size: tuple[int, int], cache_dir: Path
) -> float:
    """The mIoU on the test split."""
    workdir.mkdir(parents=True)
    generator = np.random.default_rng(seed)
    items = [item_of(f"{number:03d}", SPLITS[number % len(SPLITS)], _picture(generator, size)) for number in range(num_items)]
    write_version(workdir / "data", items, Subject(TASK, LABELS))
    params: dict[str, ParamValue] = {"epochs": epochs, "resolution_px": RESOLUTION_PX, "view": view}
    JobSpec(
        id="job_tiles",
        kind="train",
        task=TASK.name,
        train=TrainConfig(family="unet", size="plain", params=params),
        seed=seed,
        device="cpu",
        cache_dir=str(cache_dir),
        assets_dir=str(workdir / "assets"),
    ).write(workdir / "job.json")
    if run.run(workdir) != 0:
        raise RuntimeError((workdir / "events.jsonl").read_text())
    report = Report.read(workdir / "artefact" / "report.json")
    return next(each.metrics["miou"] for each in report.splits if each.split is Split.TEST)


def _picture(generator: np.random.Generator, size_px: tuple[int, int]) -> GeneratedPicture:
    width, height = size_px
    rough = generator.integers(60, 150, size=(height // 4, width // 4, 3), dtype=np.uint8)
    picture = Image.fromarray(rough).resize((width, height), Image.Resampling.BICUBIC)
    areas = [Image.new("1", picture.size) for _ in LABELS]
    for _ in range(24):
        label, size = int(generator.integers(len(LABELS))), int(generator.integers(10, 19))
        x, y = (int(generator.integers(0, side - size)) for side in picture.size)
        color = tuple(int(value) for value in generator.integers(170, 255, 3))
        for pen, ink in (
            (ImageDraw.Draw(picture), color),
            *((ImageDraw.Draw(area), int(at == label)) for at, area in enumerate(areas)),
        ):
            if LABELS[label] == "circle":
                pen.ellipse((x, y, x + size, y + size), fill=ink)
            elif LABELS[label] == "square":
                pen.rectangle((x, y, x + size, y + size), fill=ink)
            else:
                pen.polygon([(x, y + size), (x + size, y + size), (x + size // 2, y)], fill=ink)
    shapes = tuple(
        Mask(label=name, width=width, height=height, counts=counts_of(np.asarray(area)))
        for name, area in zip(LABELS, areas, strict=True)
        if np.asarray(area).any()
    )
    return GeneratedPicture(picture_HWC=np.asarray(picture), shapes=shapes)


def _memory_gb(artefact: Path, side_px: int) -> float:
    """Peak memory of a process that answers one large picture."""
    buffer = io.BytesIO()
    noise = np.random.default_rng(0).integers(0, 255, (side_px // 50, side_px // 50, 3), dtype=np.uint8)
    Image.fromarray(noise).resize((side_px, side_px)).save(buffer, "JPEG", quality=85)
    picture = artefact.with_name("large.jpg")
    picture.write_bytes(buffer.getvalue())
    command = [sys.executable, "-c", _ANSWER, str(artefact), str(picture)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout)


if __name__ == "__main__":
    main(measure)
