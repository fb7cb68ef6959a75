"""Blurred photographs that the quality report finds, and sound ones that it accuses, where few or many are blurred.

Photographs are those of ``_photo_packages.py``, whole, at many sizes, with grain and compression; blurred are copies of them
(``_blurring.py``). Limits were chosen on half A; this row judges on half B, of which nothing was chosen. Sets are drawn at a
stated share of blurred pictures, as the limit follows the set; recall and precision are those of all draws together. Stamps
lie on white; of them none but a star that is drawn blurred may be accused.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat

import cv2
import numpy as np
from PIL import Image

from automl.contracts.dataset import Split
from automl.contracts.quality import FindingKind, QualityItem
from benchmarks._blurring import KINDS, rendition
from benchmarks._digits import ASSETS_DIR
from benchmarks._photo_packages import photographs_of, without_copies
from benchmarks.harness import Claim, Options, SkippedError, main
from engine.assets.fetch import AssetMissingError
from engine.assets.quickstart import pictures
from engine.data.image import decode_picture
from engine.quality.items.image.measure import MIN_SIDE_PX, PictureMeasures, measure_picture
from engine.quality.items.image.rules import findings_of_measures, limits_of
from tests.support.photos import photo

HALF = "B"
LEAST_PERCENT = 1.4
"""The smallest blur that is claimed to be found: standard deviation in per cent of the short side."""
STRENGTHS_PERCENT = (1.0, LEAST_PERCENT, 2.0, 3.0)
RATES = (1 / 50, 1 / 5)
NUM_DRAWS = 40
RECALL, PRECISION = 0.95, 0.9
GROUPS = {"photographs": ("[!@]*", "@[vc]*"), "foods on plain ground": ("@ifct*",)}
NUM_RENDITIONS = {"photographs": 2, "foods on plain ground": 1}
_NUM_THREADS = 4


@dataclass(frozen=True)
class _Rendition:
    kind: str | None
    percent: float
    width: int
    height: int
    measures: PictureMeasures


def measure(options: Options) -> list[Claim]:
    """Recall and precision by rate on each group, recall by kind and strength on standard error."""
    cv2.setNumThreads(1)
    claims = []
    for group, patterns in GROUPS.items():
        num = options.pick(NUM_RENDITIONS[group], smoke=1, quick=1)
        sources = _made() if options.is_smoke else _photographs(patterns, step=options.pick(1, smoke=1, quick=10))
        with ThreadPoolExecutor(_NUM_THREADS) as pool:
            found = pool.map(_renditions, sources, range(len(sources)), repeat(num))
            seen = [one for renditions in found for one in renditions]
        claims += _claims(group, seen)
    accused = _accused(_stamps(options.pick(1, smoke=60, quick=8)))
    what = f"stamps on white accused (of {len(accused)}, one a star that is drawn blurred)"
    return [*claims, Claim("quality_blur", what, int(accused.sum()), len(accused), int(accused.sum()), 1, is_at_most=True)]


def _photographs(patterns: Sequence[str], *, step: int) -> list[np.ndarray]:
    """Every so many of those to judge on, ``HWC``."""
    chosen = [one for pattern in patterns for one in photographs_of(pattern) if one.half == HALF][::step]
    return [pixels_HWC for _, pixels_HWC in without_copies(chosen)]


def _made() -> list[np.ndarray]:
    """Two by code, for which no package has to be fetched."""
    return [np.asarray(photo((320, 240), seed)) for seed in range(2)]


def _renditions(pixels_HWC: np.ndarray, at: int, num: int) -> list[_Rendition]:
    settings: list[tuple[str | None, float]] = [
        (None, 0.0),
        *((kind, percent) for kind in KINDS for percent in STRENGTHS_PERCENT),
    ]
    out = []
    for at_copy in range(num):
        for index, (kind, percent) in enumerate(settings):
            rng = np.random.default_rng([at, at_copy, index])
            out.append(_seen(rendition(pixels_HWC, kind, percent, rng), kind, percent))
    return out


def _seen(data: bytes, kind: str | None = None, percent: float = 0.0) -> _Rendition:
    with Image.open(io.BytesIO(data)) as picture:
        width, height = picture.size
    return _Rendition(kind, percent, width, height, measure_picture(decode_picture(data, min_side_px=MIN_SIDE_PX)).measures)


def _claims(group: str, seen: Sequence[_Rendition]) -> list[Claim]:
    sound = [one for one in seen if one.kind is None]
    spoiled = [one for one in seen if one.kind is not None and one.percent >= LEAST_PERCENT]
    claims = []
    for rate in RATES:
        rng = np.random.default_rng(0)
        num = max(1, round(len(sound) * rate / (1 - rate)))
        found = num_planted = num_accused = 0
        for _ in range(NUM_DRAWS):
            drawn = [spoiled[int(row)] for row in rng.choice(len(spoiled), num, replace=num > len(spoiled))]
            is_accused_N = _accused([*sound, *drawn])
            found += int(is_accused_N[len(sound) :].sum())
            num_accused += int(is_accused_N.sum())
            num_planted += num
        where = f"{group}, {len(sound)} sound, 1 in {round(1 / rate)} blurred by {LEAST_PERCENT} % or more"
        for what, number, whole, target in (
            ("recall", found, num_planted, RECALL),
            ("precision", found, num_accused, PRECISION),
        ):
            claims.append(Claim("quality_blur", f"{what}, {where}", number, whole, number / max(1, whole), target))
    sys.stderr.write(f"{group}: {int(_accused(sound).sum())} of {len(sound)} sound ones accused where none is blurred\n")
    limit = limits_of(_items(sound), [one.measures for one in sound])[FindingKind.BLURRED.value]
    for percent in STRENGTHS_PERCENT:
        shares = {kind: _recall(seen, kind, percent, limit) for kind in KINDS}
        listing = ", ".join(f"{kind} {share:.3f}" for kind, share in shares.items())
        sys.stderr.write(f"{group}, {percent} %: found {listing}\n")
    return claims


def _recall(seen: Sequence[_Rendition], kind: str, percent: float, limit: float) -> float:
    return float(np.mean([one.measures.sharpness < limit for one in seen if one.kind == kind and one.percent == percent]))


def _accused(seen: Sequence[_Rendition]) -> np.ndarray:
    """Which pictures of a set are called blurred."""
    items, measures = _items(seen), [one.measures for one in seen]
    found = {
        one.item for one in findings_of_measures(items, measures, limits_of(items, measures)) if one.kind == FindingKind.BLURRED
    }
    return np.array([item.item in found for item in items])


def _items(seen: Sequence[_Rendition]) -> list[QualityItem]:
    return [
        QualityItem(
            item=f"itm_{row:08d}",
            name=f"{row}.jpg",
            blob="0" * 64,
            width=one.width,
            height=one.height,
            size_bytes=1,
            split=Split.TRAIN,
            group=str(row),
            is_annotated=False,
            labels=(),
        )
        for row, one in enumerate(seen)
    ]


def _stamps(step: int) -> list[_Rendition]:
    try:
        path = pictures("tuxpaint_stamps", ASSETS_DIR)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    with zipfile.ZipFile(path) as archive:
        out = []
        for name in archive.namelist()[::step]:
            with Image.open(io.BytesIO(archive.read(name))) as picture:
                buffer = io.BytesIO()
                picture.convert("RGB").save(buffer, "JPEG", quality=90)
            out.append(_seen(buffer.getvalue()))
        return out


if __name__ == "__main__":
    main(measure)
