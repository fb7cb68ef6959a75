"""The quality report on planted faults: what it finds and what it accuses wrongly, by kind of finding.

Clean pictures are stamps laid over photographs: the stamps come from their card, the photographs from ``MODELYARD_PHOTOS`` (a
folder of JPEG and PNG files) where that is set, else they are made by code. The set is ruled by a seed. Limits were chosen on
seed 1 and on other photographs than those of the recorded run; this row judges on ``SEED``. Wrong labels have a row of their
own (``quality_labels``), and so has the time it takes (``quality_rate``).
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from automl.contracts.quality import FindingKind
from benchmarks._digits import CACHE_DIR, weights_file
from benchmarks._quality_job import photographs, ran, stamps
from benchmarks.harness import Claim, Options, main
from tests.engine.quality.planted import plant

SEED = 20
NUM_THREADS = 2
RECALL, PRECISION = 0.95, 0.9
PAIR_PRECISION = 0.98
JUDGED = (
    FindingKind.EXACT_DUPLICATE,
    FindingKind.LEAK,
    FindingKind.OUTLIER,
    FindingKind.BLURRED,
    FindingKind.DARK,
    FindingKind.BRIGHT,
    FindingKind.LOW_INFORMATION,
    FindingKind.ODD_ASPECT,
    FindingKind.ODD_SIZE,
    FindingKind.ODD_COLOUR,
)


def measure(options: Options) -> list[Claim]:
    """Recall and precision by kind."""
    # Clean pictures and faults of each kind; --full makes 10,000 pictures.
    num_clean, num_faults = options.pick((900, 24), smoke=(24, 1), quick=(240, 8), full=(8400, 170))
    weights_file("efficientnet_lite0")
    with tempfile.TemporaryDirectory() as scratch:
        workdir = Path(scratch)
        planted = plant(
            workdir / "data",
            cutouts=stamps(),
            backgrounds=photographs(),
            num_clean=num_clean,
            num_faults=num_faults,
            seed=SEED,
        )
        _, found = ran(workdir, num_threads=NUM_THREADS, cache_dir=CACHE_DIR if options.is_smoke else None)
    claims = []
    for kind in JUDGED:
        truth, items = planted.truth[kind], set(found[kind])
        claims += _judged(kind.value, len(truth & items), len(truth), len(items), PRECISION)
    near = (FindingKind.EXACT_DUPLICATE, FindingKind.NEAR_DUPLICATE)
    pairs = {frozenset((one.item, str(one.detail["other"]))) for kind in near for one in found[kind].values()}
    return claims + _judged("pairs of copies", len(pairs & planted.pairs), len(planted.pairs), len(pairs), PAIR_PRECISION)


def _judged(what: str, num_right: int, num_true: int, num_reported: int, precision: float) -> list[Claim]:
    recalled, precise = num_right / max(1, num_true), num_right / max(1, num_reported)
    return [
        Claim("quality", f"recall, {what}", num_right, num_true, recalled, RECALL),
        Claim("quality", f"precision, {what}", num_right, num_reported, precise, precision),
    ]


if __name__ == "__main__":
    main(measure)
