"""What the rows on the quality report share: the job as the platform runs it, stamps as cut-outs, photographs."""

from __future__ import annotations

import io
import os
import zipfile
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
import pyarrow.parquet as pq
from PIL import Image

from automl.contracts.job import JobLimits, JobSpec
from automl.contracts.quality import FINDINGS_FILE, QUALITY_REPORT_FILE, Finding, FindingKind, QualityReport, finding_from_row
from benchmarks._digits import ASSETS_DIR
from benchmarks.harness import SkippedError
from engine import run
from engine.assets.fetch import AssetMissingError
from engine.assets.quickstart import pictures
from tests.engine.quality.planted_pictures import Cutout
from tests.support.photos import photo

_WHITE = 250
_MOST_SIDE_PX = 1600
"""Larger photographs are shrunk when they are read."""


def ran(
    workdir: Path, *, num_threads: int, cache_dir: Path | None = None
) -> tuple[QualityReport, dict[FindingKind, dict[str, Finding]]]:
    """Runs the job ``quality`` on ``workdir/data``: the report, and the findings by kind and item.

    Without a ``cache_dir`` the host's cache is empty.
    """
    JobSpec(
        id="job_quality",
        kind="quality",
        task="image_classification",
        cache_dir=str(cache_dir or workdir / "cache"),
        assets_dir=str(ASSETS_DIR),
        limits=JobLimits(num_threads=num_threads),
    ).write(workdir / "job.json")
    if run.run(workdir) != 0:
        raise RuntimeError((workdir / "events.jsonl").read_text().splitlines()[-1])
    found: dict[FindingKind, dict[str, Finding]] = defaultdict(dict)
    for row in pq.read_table(workdir / "artefact" / FINDINGS_FILE).to_pylist():
        finding = finding_from_row(row)
        found[finding.kind][finding.item] = finding
    return QualityReport.read(workdir / "artefact" / QUALITY_REPORT_FILE), found


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
            framed_HW = np.pad(
                np.where(np.asarray(picture.convert("L")) >= _WHITE, 255, 0).astype(np.uint8), 1, constant_values=255
            )
            cv2.floodFill(framed_HW, None, (0, 0), 128)
            clear = Image.fromarray(np.where(framed_HW[1:-1, 1:-1] == 128, 0, 255).astype(np.uint8))
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
    found = [Image.open(path).convert("RGB") for path in files]
    for picture in found:
        picture.thumbnail((_MOST_SIDE_PX, _MOST_SIDE_PX))
    return found
