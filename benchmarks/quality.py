"""The quality report on planted faults: what it finds, what it accuses wrongly, and how many pictures a second it looks at.

Clean pictures are stamps laid over photographs: the stamps come from their card, the photographs from ``MODELYARD_PHOTOS`` (a
folder of JPEG and PNG files) where that is set, else they are made by code. The set is ruled by a seed. The baseline of the
rate is Pillow: decode and shrink each picture once, which any check has to do.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from PIL import Image, ImageDraw

from automl.contracts.dataset import blob_path
from automl.contracts.job import JobLimits, JobSpec
from automl.contracts.quality import FINDINGS_FILE, QUALITY_REPORT_FILE, Finding, FindingKind, QualityReport, finding_from_row
from benchmarks._digits import ASSETS_DIR, weights_file
from benchmarks._photos import photo
from benchmarks._planted import Cutout, Planted, plant
from benchmarks.harness import Claim, Options, SkippedError, cpu_seconds, main
from engine import run
from engine.assets.fetch import AssetMissingError
from engine.assets.quickstart import pictures

NUM_THREADS = 2
SIZES = {"quick": (240, 8), "usual": (1500, 40), "full": (8400, 170)}
"""Clean pictures and faults of each kind; full makes 10,000 pictures."""
RECALL, PRECISION = 0.95, 0.9
PAIR_PRECISION = 0.98
JUDGED = (
    FindingKind.EXACT_DUPLICATE,
    FindingKind.LEAK,
    FindingKind.BLURRED,
    FindingKind.DARK,
    FindingKind.BRIGHT,
    FindingKind.LOW_INFORMATION,
    FindingKind.ODD_ASPECT,
    FindingKind.ODD_SIZE,
    FindingKind.ODD_COLOUR,
)


def measure(options: Options) -> list[Claim]:
    """Recall and precision by kind, the share of wrong labels near the top, and the rate."""
    num_clean, num_faults = SIZES["full" if options.is_full else "quick" if options.is_quick else "usual"]
    weights_file("efficientnet_lite0")
    with tempfile.TemporaryDirectory() as scratch:
        workdir = Path(scratch)
        planted = plant(
            workdir / "data",
            cutouts=stamps(),
            backgrounds=photographs(),
            num_clean=num_clean,
            num_faults=num_faults,
            seed=1,
        )
        baseline = _pillow_rate(workdir, planted)
        start = cpu_seconds()
        report, found = _ran(workdir)
        rate = report.num_items / (cpu_seconds() - start)
    claims = _rate(report, rate, baseline)
    for kind in JUDGED:
        truth, items = planted.truth[kind], set(found[kind])
        claims += _judged(kind.value, len(truth & items), len(truth), len(items), PRECISION)
    near = (FindingKind.EXACT_DUPLICATE, FindingKind.NEAR_DUPLICATE)
    pairs = {frozenset((one.item, str(one.detail["other"]))) for kind in near for one in found[kind].values()}
    claims += _judged("pairs of copies", len(pairs & planted.pairs), len(planted.pairs), len(pairs), PAIR_PRECISION)
    # A few hundred pictures of eleven labels teach no model that could accuse anybody.
    return claims if options.is_quick else claims + _labels(planted, found)


def _judged(what: str, num_right: int, num_true: int, num_found: int, precision: float) -> list[Claim]:
    recalled, precise = num_right / max(1, num_true), num_right / max(1, num_found)
    return [
        Claim("quality", f"recall, {what}", num_right, num_true, recalled, RECALL),
        Claim("quality", f"precision, {what}", num_right, num_found, precise, precision),
    ]


def _labels(planted: Planted, found: Mapping[FindingKind, Mapping[str, Finding]]) -> list[Claim]:
    """Wrong labels among the surest suspects; as many suspects as 5 % of the labelled items."""
    truth = planted.truth[FindingKind.WRONG_LABEL]
    suspects = sorted(found[FindingKind.WRONG_LABEL].values(), key=lambda one: -one.severity)
    top = {one.item for one in suspects[: sum(item.is_annotated for item in planted.items) // 20]}
    right = len(truth & {one.item for one in suspects})
    sys.stderr.write(f"wrong labels: {len(suspects)} suspects, {right} of {len(truth)} found\n")
    return [
        Claim("quality", "wrong labels in the surest 5 %", len(truth & top), len(truth), len(truth & top) / len(truth), 0.5)
    ]


def _rate(report: QualityReport, rate: float, baseline: float) -> list[Claim]:
    """The rate of a core, and what 10,000 pictures take of two: processor time, since the wall's is the neighbours' too."""
    minutes = 10_000 / rate / NUM_THREADS / 60
    return [
        Claim("quality", f"pictures/s/core, {report.num_items} pictures", rate, baseline, rate / baseline, 0.05),
        Claim("quality", "minutes of two cores for 10,000 pictures", minutes, 10, minutes, 10, is_at_most=True),
    ]


def _ran(workdir: Path) -> tuple[QualityReport, dict[FindingKind, dict[str, Finding]]]:
    JobSpec(
        id="job_quality",
        kind="quality",
        task="image_classification",
        cache_dir=str(workdir / "cache"),
        assets_dir=str(ASSETS_DIR),
        limits=JobLimits(num_threads=NUM_THREADS),
    ).write(workdir / "job.json")
    if run.run(workdir) != 0:
        raise RuntimeError((workdir / "events.jsonl").read_text().splitlines()[-1])
    found: dict[FindingKind, dict[str, Finding]] = defaultdict(dict)
    for row in pq.read_table(workdir / "artefact" / FINDINGS_FILE).to_pylist():
        finding = finding_from_row(row)
        found[finding.kind][finding.item] = finding
    return QualityReport.read(workdir / "artefact" / QUALITY_REPORT_FILE), found


def _pillow_rate(workdir: Path, planted: Planted) -> float:
    items = planted.items[:200]
    start = cpu_seconds()
    for item in items:
        with Image.open(workdir / "data" / blob_path(item.blob)) as picture:
            picture.convert("RGB").resize((192, 192), Image.Resampling.BILINEAR)
    return len(items) / (cpu_seconds() - start)


def stamps() -> list[Cutout]:
    """The quick-start stamps, the white around them made clear, in an order of its own.

    Raises:
        SkippedError: the package cannot be had.
    """
    try:
        path = pictures("tuxpaint_stamps", ASSETS_DIR)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    out = []
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            picture = Image.open(io.BytesIO(archive.read(name))).convert("RGB")
            white = picture.convert("L").point(lambda level: 255 if level >= 250 else 0)
            framed = Image.new("L", (picture.width + 2, picture.height + 2), 255)
            framed.paste(white, (1, 1))
            ImageDraw.floodfill(framed, (0, 0), 128)
            clear = framed.crop((1, 1, picture.width + 1, picture.height + 1)).point(lambda level: 0 if level == 128 else 255)
            picture.putalpha(clear)
            out.append((name.split("/")[0], picture))
    order = np.random.default_rng(0).permutation(len(out))
    return [out[index] for index in order]


def photographs() -> list[Image.Image]:
    """Real photographs where a folder of them is named, else made ones."""
    folder = os.environ.get("MODELYARD_PHOTOS")
    if folder is None:
        return [photo((640, 480), seed) for seed in range(12)]
    files = sorted(path for path in Path(folder).iterdir() if path.suffix.lower() in {".jpg", ".png"})
    return [Image.open(path).convert("RGB") for path in files]


if __name__ == "__main__":
    main(measure)
