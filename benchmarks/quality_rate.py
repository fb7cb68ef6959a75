"""How long the quality report takes: 10,000 pictures of 640 x 480 as JPEG (``--full``) on two threads, wall and processor time.

Pictures are pieces of photographs, cut anywhere and turned or not, with one of the stamps on each: many look alike, so the
search for copies has work to do. Photographs come from ``MODELYARD_PHOTOS`` where that is set, else they are made by code. A
tenth of the pictures has no stored embedding (``--full``: as the platform finds them after an upload); of the small sizes none
has. The baseline of the rate is Pillow: decode and shrink each picture once, which any check has to do.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import simplejpeg
from PIL import Image

from automl.contracts.dataset import Label, LabelSet, Split, blob_path
from automl.contracts.quality import ITEMS_FILE, LABELS_FILE, VECTORS_FILE, QualityItem, items_to_columns
from benchmarks._digits import ASSETS_DIR, CACHE_DIR, weights_file
from benchmarks._quality_job import photographs, ran, stamps
from benchmarks.harness import Claim, Options, Size, cpu_seconds, main
from engine.data.image import read_picture, resize_picture
from engine.frozen import pretrained
from engine.quality.items.image.measure import FEATURE_SIDE_PX
from engine.quality.items.image.vectors import FAMILY, SIZE

NUM_THREADS = 2
WIDTH_PX, HEIGHT_PX = 640, 480
STORED_FRACTION = 0.9
_BATCH = 32


def measure(options: Options) -> list[Claim]:
    """The rate and the minutes for 10,000 pictures."""
    num = options.pick(1_000, smoke=10, quick=100, full=10_000)
    weights_file("efficientnet_lite0")
    with tempfile.TemporaryDirectory() as scratch:
        workdir = Path(scratch)
        items = write_pictures(workdir / "data", num, seed=1)
        if options.size in {Size.FULL, Size.SMOKE}:
            _store_vectors(workdir, items, CACHE_DIR if options.is_smoke else workdir / "cache")
        baseline = _pillow_rate(workdir, items)
        cpu_start, wall_start, load = cpu_seconds(), time.monotonic(), os.getloadavg()[0]
        report, _ = ran(workdir, num_threads=NUM_THREADS, cache_dir=CACHE_DIR if options.is_smoke else None)
        cpu_s, wall_s = cpu_seconds() - cpu_start, time.monotonic() - wall_start
    sys.stderr.write(f"{num} pictures: {cpu_s:.0f} s of processor, {wall_s:.0f} s of wall clock at load {load:.1f}\n")
    sys.stderr.write(f"found: { ({kind.value: count for kind, count in report.num_found.items() if count}) }\n")
    rate, scale = num / cpu_s, 10_000 / num / 60
    cpu_minutes, wall_minutes = cpu_s / NUM_THREADS * scale, wall_s * scale
    return [
        Claim("quality_rate", f"pictures/s/core, {num} pictures", rate, baseline, rate / baseline, 0.05),
        Claim("quality_rate", "minutes of two cores for 10,000", cpu_minutes, 10, cpu_minutes, 10, is_at_most=True),
        Claim("quality_rate", f"wall minutes for 10,000, load {load:.0f}", wall_minutes, 10, wall_minutes, 10, is_at_most=True),
    ]


def write_pictures(data_dir: Path, num: int, *, seed: int) -> list[QualityItem]:
    """Writes blobs, items and labels; every picture carries the label of its stamp."""
    rng = np.random.default_rng(seed)
    backgrounds = [np.asarray(one) for one in photographs()]
    cutouts = [(label, np.asarray(_shrunk(picture))) for label, picture in stamps()]
    splits = (Split.TRAIN, Split.VALIDATION, Split.TEST)
    items = []
    for index in range(num):
        label, cutout_HWA = cutouts[index % len(cutouts)]
        data = simplejpeg.encode_jpeg(_picture(backgrounds[int(rng.integers(len(backgrounds)))], cutout_HWA, rng), quality=85)
        blob = hashlib.sha256(data).hexdigest()
        path = data_dir / blob_path(blob)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        item = QualityItem(
            item=f"itm_{index:08d}",
            name=f"{index}.jpg",
            blob=blob,
            width=WIDTH_PX,
            height=HEIGHT_PX,
            size_bytes=len(data),
            split=splits[int(rng.choice(3, p=[0.7, 0.15, 0.15]))],
            group=blob,
            is_annotated=True,
            labels=(label,),
        )
        items.append(item)
    LabelSet(labels=tuple(Label(name=name) for name in sorted({label for label, _ in cutouts}))).write(data_dir / LABELS_FILE)
    pq.write_table(pa.table(items_to_columns(items)), data_dir / ITEMS_FILE)
    return items


def _shrunk(picture: Image.Image) -> Image.Image:
    out = picture.copy()
    out.thumbnail((420, 420))
    return out


def _picture(background_HWC: np.ndarray, cutout_HWA: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    height, width = background_HWC.shape[:2]
    share = rng.uniform(0.4, 1.0) * min(width / WIDTH_PX, height / HEIGHT_PX)
    piece_w, piece_h = max(8, int(WIDTH_PX * share)), max(8, int(HEIGHT_PX * share))
    left, top = int(rng.integers(0, width - piece_w + 1)), int(rng.integers(0, height - piece_h + 1))
    piece_HWC = background_HWC[top : top + piece_h, left : left + piece_w]
    scene_HWC = cv2.resize(piece_HWC, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA if share > 1 else cv2.INTER_CUBIC)
    if rng.random() < 0.5:
        scene_HWC = scene_HWC[:, ::-1]
    scene_HWC = np.ascontiguousarray(scene_HWC)
    high, wide = cutout_HWA.shape[:2]
    x, y = int(rng.integers(0, WIDTH_PX - wide + 1)), int(rng.integers(0, HEIGHT_PX - high + 1))
    alpha_HW1 = cutout_HWA[..., 3:].astype(np.uint16)
    under_HWC = scene_HWC[y : y + high, x : x + wide]
    under_HWC[:] = (cutout_HWA[..., :3] * alpha_HW1 + under_HWC * (255 - alpha_HW1)) // 255
    return scene_HWC


def _store_vectors(workdir: Path, items: list[QualityItem], cache_dir: Path) -> None:
    """Embeddings of the first items, as the platform lays them beside the pictures."""
    backbone = pretrained(
        FAMILY,
        SIZE,
        resolution_px=FEATURE_SIDE_PX,
        assets_dir=ASSETS_DIR,
        cache_dir=cache_dir,
        num_threads=NUM_THREADS,
    )
    rows = []
    stored = items[: int(len(items) * STORED_FRACTION)]
    for start in range(0, len(stored), _BATCH):
        pixels = [
            read_picture(workdir / "data" / blob_path(item.blob), min_side_px=FEATURE_SIDE_PX)
            for item in stored[start : start + _BATCH]
        ]
        squares = [resize_picture(one, height_px=FEATURE_SIDE_PX, width_px=FEATURE_SIDE_PX) for one in pixels]
        rows.append(backbone.run(np.stack(squares)))
    found_ND = np.concatenate(rows)
    out_ND = np.full((len(items), found_ND.shape[1]), np.nan, dtype=np.float16)
    out_ND[: len(found_ND)] = found_ND
    np.save(workdir / "data" / VECTORS_FILE, out_ND)


def _pillow_rate(workdir: Path, items: list[QualityItem]) -> float:
    start = cpu_seconds()
    for item in items[:200]:
        with Image.open(workdir / "data" / blob_path(item.blob)) as picture:
            picture.convert("RGB").resize((192, 192), Image.Resampling.BILINEAR)
    return min(200, len(items)) / (cpu_seconds() - start)


if __name__ == "__main__":
    main(measure)
