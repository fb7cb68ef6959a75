"""The job ``quality`` on pictures: looks once at every picture of a dataset as it stands, and says what it found.

Shapes: N items, S side of the small copies, F frequencies, C channels, D features of the backbone, E features made by
hand.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from automl.contracts.dataset import blob_path
from automl.contracts.items.image import KIND as IMAGE
from automl.contracts.quality import Finding, FindingKind, Histogram, QualityItem
from engine.data.image import PictureUnreadableError, Pixels, read_picture
from engine.data.mapped import mapped_array
from engine.errors import DataInvalidError
from engine.job import Job
from engine.quality import outliers, summary
from engine.quality.clusters import clusters
from engine.quality.doubts import doubts
from engine.quality.items.image import rules
from engine.quality.items.image.duplicates import candidates, exact_marked, findings_of_copies, verified
from engine.quality.items.image.measure import MIN_SIDE_PX, SMALL_SIDE_PX, MeasuredPicture, PictureMeasures, measure_picture
from engine.quality.items.image.orientation import waves_of
from engine.quality.items.image.vectors import StoredVectors, handmade, stored
from engine.quality.neighbours import unit_rows
from engine.quality.progress import within
from engine.quality.writing import HANDMADE, Outcome

_BATCH = 32
_LOOK_TO, _PAIRS_TO, _LABELS_TO = 0.75, 0.92, 0.98
_EXPLAINING = {FindingKind.BLURRED, FindingKind.ODD_ASPECT, FindingKind.ODD_SIZE}
"""What explains why a picture lies far from the others: it is not reported twice."""


@dataclass(frozen=True)
class _ReadPictures:
    """All readable items and what was kept of their pictures."""

    items: list[QualityItem]
    measures: list[PictureMeasures]
    small_NSSC: NDArray[np.uint8]
    waves_NFF: NDArray[np.float32]
    vectors_ND: NDArray[np.float32]
    handmade_NE: NDArray[np.float32]
    unreadable: list[QualityItem]


def inspect(job: Job, items: Sequence[QualityItem]) -> Outcome:
    """All that is found on pictures.

    Raises:
        StoppedError: the job was asked to stop.
        DataInvalidError: there are no items, or none can be read.
    """
    cv2.setNumThreads(1)  # pictures are looked at in parallel already
    vectors = stored(job, len(items))
    seen = _measure_all(job, items, vectors)
    if not seen.items:
        raise DataInvalidError("The dataset has no picture that can be read.")
    limits = rules.limits_of(seen.items, seen.measures)
    findings = rules.findings_of_measures(seen.items, seen.measures, limits)
    findings += [Finding(item=item.item, kind=FindingKind.UNREADABLE, severity=1.0, detail={}) for item in seen.unreadable]
    copies, cluster_of = _copies(job, seen)
    suspects = {one.item for one in findings if one.kind in _EXPLAINING}
    suspected = doubts(
        seen.items,
        [seen.handmade_NE] if vectors.name == HANDMADE else [seen.vectors_ND, seen.handmade_NE],
        cluster_of,
        is_handmade=vectors.name == HANDMADE,
        seed=job.spec.seed,
        on_progress=within(job, "labels", _PAIRS_TO, _LABELS_TO),
    )
    strange = _outliers(seen, cluster_of, suspects, limits)
    return Outcome(
        findings=[*findings, *copies, *suspected.findings, *strange],
        kinds=IMAGE.findings,
        features=vectors.name,
        histograms=_histograms(seen.items, seen.measures),
        notes=suspected.notes,
        limits={**limits, **suspected.limits},
        label_error_fraction=suspected.error_fraction,
        label_error_interval=suspected.error_interval,
    )


def _measure_all(job: Job, items: Sequence[QualityItem], vectors: StoredVectors) -> _ReadPictures:
    readable: list[QualityItem] = []
    unreadable: list[QualityItem] = []
    measures: list[PictureMeasures] = []
    scratch = job.workdir / "small.npy"
    shape = (max(1, len(items)), SMALL_SIDE_PX, SMALL_SIDE_PX, 3)
    small_NSSC = mapped_array(scratch, dtype=np.uint8, shape=shape)
    waves, rows, by_hand = [], [], []
    started_s = time.monotonic()

    def measure(item: QualityItem) -> tuple[MeasuredPicture, NDArray[np.float32]] | None:
        pixels_HWC = _pixels(job, item, MIN_SIDE_PX)
        if pixels_HWC is None:
            return None
        found = measure_picture(pixels_HWC)
        return found, handmade(found.square_HWC)

    with ThreadPoolExecutor(job.spec.limits.num_threads) as pool:
        for start in range(0, len(items), _BATCH):
            job.control.raise_if_stopped()
            batch = items[start : start + _BATCH]
            found = list(pool.map(measure, batch))
            unreadable += [item for item, one in zip(batch, found, strict=True) if one is None]
            read = [(start + place, *one) for place, one in enumerate(found) if one is not None]
            for row, one, vector_E in read:
                small_NSSC[len(readable)] = one.small_SSC
                waves.append(waves_of(one.small_SSC))
                measures.append(one.measures)
                by_hand.append(vector_E)
                readable.append(items[row])
            if read:
                rows.append(vectors.of([row for row, _, _ in read], [one.square_HWC for _, one, _ in read]))
            done = start + len(batch)
            fraction = _LOOK_TO * done / len(items)
            job.progress("look", fraction, (time.monotonic() - started_s) * (1.0 - fraction) / fraction)
    scratch.unlink()  # the map lives on until it is let go
    if not readable:
        none_ND = np.zeros((0, 1), np.float32)
        return _ReadPictures([], [], small_NSSC[:0], none_ND[..., None], none_ND, none_ND, unreadable)
    vectors_ND, handmade_NE = np.concatenate(rows), np.stack(by_hand)
    return _ReadPictures(readable, measures, small_NSSC[: len(readable)], np.stack(waves), vectors_ND, handmade_NE, unreadable)


def _pixels(job: Job, item: QualityItem, min_side_px: int | None) -> Pixels | None:
    try:
        return read_picture(job.data_dir / blob_path(item.blob), min_side_px=min_side_px, sha256=item.blob)
    except PictureUnreadableError:
        return None


def _copies(job: Job, seen: _ReadPictures) -> tuple[list[Finding], list[int]]:
    """Findings of copies, and a number for each item that its copies share."""
    # Blank and burnt-out pictures are all alike; that they are is reported elsewhere.
    rows = [
        row
        for row, measured in enumerate(seen.measures)
        if not rules.is_plain(measured)
        and measured.contrast > 0.015
        and not (rules.is_badly_lit(measured) and measured.contrast < 0.03)
    ]
    items = [seen.items[row] for row in rows]
    small_NSSC = seen.small_NSSC[rows] if len(rows) < len(seen.items) else seen.small_NSSC
    pairs = candidates(seen.waves_NFF[rows], unit_rows(seen.vectors_ND[rows]))
    copies = verified(
        pairs, small_NSSC, num_threads=job.spec.limits.num_threads, on_progress=within(job, "compare", _LOOK_TO, _PAIRS_TO)
    )
    copies = exact_marked(copies, items, lambda item: _pixels(job, item, None))
    cluster_of = list(range(len(seen.items)))
    for members, keeper in clusters(copies, items):
        for row in members:
            cluster_of[rows[row]] = rows[keeper]
    return findings_of_copies(copies, items), cluster_of


def _outliers(seen: _ReadPictures, cluster_of: Sequence[int], suspects: Set[str], limits: dict[str, float]) -> list[Finding]:
    single = [
        row
        for row, measured in enumerate(seen.measures)
        if cluster_of[row] == row
        and seen.items[row].item not in suspects
        and not rules.is_plain(measured)
        and not rules.is_badly_lit(measured)
    ]
    found, limit = outliers.outliers([seen.items[row] for row in single], seen.vectors_ND[single])
    if limit is not None:
        limits[FindingKind.OUTLIER.value] = limit
    return found


def _histograms(items: Sequence[QualityItem], measures: Sequence[PictureMeasures]) -> Mapping[str, Histogram]:
    """Distributions of pictures for the plots."""
    sides = [item.width * item.height / 1e6 for item in items]
    return {
        "megapixels": summary.histogram(sides, is_log=True),
        "aspect": summary.histogram([item.width / item.height for item in items], is_log=True),
        "file_kb": summary.histogram([max(item.size_bytes, 1) / 1e3 for item in items], is_log=True),
        "brightness": summary.histogram([measured.brightness for measured in measures], span=(0.0, 1.0)),
        "contrast": summary.histogram([measured.contrast for measured in measures], span=(0.0, 0.5)),
        "sharpness": summary.histogram([measured.sharpness for measured in measures], span=(0.0, 1.0)),
    }
