"""Small sets drawn from larger ones, through a study as the start form makes it: is what is shipped as good as it could be?

Each set goes the way of a person: project, upload, version, a study of grade "fast" with nothing else changed, on a platform
of its own. Then a large test set that was never uploaded is answered by

* the model that the study ships,
* each trial's model; the **best candidate** is the best of these on the large test set, which nobody can know beforehand,
* the **single choice**: the trial with the best value on the validation split, of equals the first,
* what a person makes by hand of all uploaded items (``baselines`` of the set).

Points are accuracy, 100 x R2 or 100 x AP50. "below" counts sets where the shipped model is more than two standard errors of the
paired difference (bootstrap of the test items) below the best baseline.

    python -m benchmarks.small_data --folder /tmp/small            # all kinds: a resumable run, merged from all JSON in FOLDER
    python -m benchmarks.small_data --kinds tables --only vowel    # one set
    python -m benchmarks.small_data --smoke                        # one tiny table, shows that it runs and claims nothing

A set that lies in the folder is not run again: delete its JSON for that. Baselines are kept too (``*.baselines.npz``). Sets and
how one is added: ``benchmarks/small_sets/_small_set.py``; what the tables need: ``benchmarks/small_sets/tables.py``.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import pkgutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import small_sets
from benchmarks._platform import walking
from benchmarks._small_study import studied
from benchmarks.harness import Claim, SkippedError
from benchmarks.small_sets._small_set import SmallSet

NUM_DRAWS = 400
"""Of the bootstrap."""
WITHIN = 1.0
"""Points that the shipped model may be below the best candidate on the mean."""
NOISE = 2.0
"""Standard errors."""
STATED_WITHIN = 1.0
"""Points that reports may state above what is reached, on the mean."""
HOLDS = 0.85
"""Share of 95% intervals that hold what is reached, at least."""
INTERVAL = 1.96
"""Standard errors on each side of an interval of 95 %."""
SMOKE_STUDY_S = 2.0
Row = dict[str, Any]


def main() -> None:
    """Runs what is asked for and prints the rows of all that lie in the folder."""
    options = _options()
    folder = Path(options.folder) if options.folder else Path(tempfile.mkdtemp(prefix="modelyard-small-"))
    folder.mkdir(parents=True, exist_ok=True)
    sys.stderr.write(f"load average {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores; results in {folder}\n")
    skipped = [reason for reason in _runs(options, folder) if reason]
    rows = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    sys.stderr.write(table(rows) + "\n")
    for reason in skipped or ([] if rows else ["no set was run"]):
        sys.stdout.write(json.dumps({"name": "small_data", "skipped": reason}) + "\n")
    claims = [] if options.smoke or not rows else summary(rows)
    for claim in claims:
        sys.stdout.write(claim.line() + "\n")
    if options.gate and any(claim.is_gated_out for claim in claims):
        sys.exit(1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smoke", action="store_true", help="one tiny set, no claim")
    parser.add_argument("--quick", action="store_true", help="a few sets of each kind")
    parser.add_argument("--kinds", default=",".join(_kinds()), help="of tasks, with commas between")
    parser.add_argument("--only", default="", help="names of sets, with commas between")
    parser.add_argument("--families", default="", help="one trial of these in place of the grade's, with commas between")
    parser.add_argument("--seeds", default="0", help="one draw of each set for each, with commas between")
    parser.add_argument("--folder", default="", help="keeps what was measured, and goes on from there")
    parser.add_argument("--gate", action="store_true", help="exit with 1 when a claim is missed by far")
    return parser.parse_args()


def _kinds() -> list[str]:
    found = [module.name for module in pkgutil.iter_modules(small_sets.__path__) if not module.name.startswith("_")]
    return sorted(found, key=lambda name: (name != "tables", name))


def _runs(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Runs sets one after the other; yields why a kind was left out, or an empty text."""
    only = {name for name in options.only.split(",") if name}
    changed: dict[str, Any] = {"time_limit_s": SMOKE_STUDY_S} if options.smoke else {}
    changed |= {"families": options.families.split(","), "max_trials": 1} if options.families else {}
    for kind in ["tables"] if options.smoke else options.kinds.split(","):
        module = importlib.import_module(f"benchmarks.small_sets.{kind}")
        names = [module.SMOKE] if options.smoke else module.QUICK if options.quick else module.NAMES
        known = dict.fromkeys((*module.NAMES, *module.EXTRA, module.SMOKE))
        chosen = [name for name in known if name in only] if only else names
        todo = [(name, seed) for seed in map(int, options.seeds.split(",")) for name in chosen]
        todo = [each for each in todo if not (folder / _file(kind, *each)).exists()]
        if not todo:
            continue
        try:
            with walking(*module.ASSETS) as walk:
                for name, seed in todo:
                    row = _run(kind, module.load(name, seed, folder), seed, walk, folder, **changed)
                    (folder / _file(kind, name, seed)).write_text(json.dumps(row, indent=1), encoding="utf-8")
                    sys.stderr.write(_line(row) + "\n")
        except SkippedError as reason:
            yield f"{kind}: {reason}"
        yield ""


def _file(kind: str, name: str, seed: int) -> str:
    return f"{kind}-{name}-{seed}.json"


def _run(kind: str, small: SmallSet, seed: int, walk: Any, folder: Path, **changed: Any) -> Row:
    began_s = time.monotonic()
    shipped = studied(walk, small, **changed)
    study_s = time.monotonic() - began_s
    hand = _baselines(kind, small, seed, folder)
    main_name = next(iter(small.measures(shipped.answers)))
    found = {name: small.measures(answers) for name, answers in shipped.trials.items()}
    by_hand = {name: small.measures(answers) for name, answers in hand.items()}
    best = max(found, key=lambda name: found[name][main_name])
    best_by_hand = max(by_hand, key=lambda name: by_hand[name][main_name], default=None)
    row = {"kind": kind, "name": small.name, "seed": seed, "measure": main_name, "commit": _commit()}
    row |= {"num_training": small.num_training, "num_test": small.num_test, "study_s": round(study_s, 1)}
    row |= {"load": round(os.getloadavg()[0], 1), "shipping": shipped.shipping, "shipped": small.measures(shipped.answers)}
    row |= {"stated": {name: [*each, _error(small, shipped.trials[name])] for name, each in shipped.stated.items()}}
    row |= {"mirrors": shipped.mirrors, "trials": found, "best": best}
    row |= {"single": shipped.single_choice, "kept": shipped.judged_best}
    row |= {"baselines": by_hand, "best_baseline": best_by_hand}
    if best_by_hand is not None:
        row["over_baseline"], row["over_baseline_error"] = _paired(small, shipped.answers, hand[best_by_hand])
    return row


def _baselines(kind: str, small: SmallSet, seed: int, folder: Path) -> dict[str, NDArray]:
    """Answers of what is made by hand, from the folder where they were made before."""
    path = folder / f"{kind}-{small.name}-{seed}.baselines.npz"
    if not path.exists():
        np.savez(path, **small.baselines())
    with np.load(path) as stored:
        return {name: stored[name] for name in stored.files}


def _error(small: SmallSet, answers: NDArray) -> float:
    """Standard error of the points of answers, for the test items are few, too."""
    random = np.random.default_rng(0)
    drawn = [random.integers(0, small.num_test, small.num_test) for _ in range(NUM_DRAWS)]
    return float(np.std([next(iter(small.measures(answers, places).values())) for places in drawn], ddof=1))


def _paired(small: SmallSet, one: NDArray, other: NDArray) -> tuple[float, float]:
    """Points of one answer over another on the same items, and the standard error of that."""
    random = np.random.default_rng(0)

    def difference(places: NDArray[np.intp] | None) -> float:
        return next(iter(small.measures(one, places).values())) - next(iter(small.measures(other, places).values()))

    drawn = [difference(random.integers(0, small.num_test, small.num_test)) for _ in range(NUM_DRAWS)]
    return difference(None), float(np.std(drawn, ddof=1))


def summary(rows: list[Row]) -> list[Claim]:
    """The claims, over all sets."""
    below_best = fmean(_points(row, row["trials"][row["best"]]) - _points(row, row["shipped"]) for row in rows)
    over_single = fmean(_points(row, row["shipped"]) - _points(row, row["trials"][row["single"]]) for row in rows)
    compared = [row for row in rows if row["best_baseline"] is not None]
    below = [row for row in compared if is_below(row)]
    of = f"{len(rows)} sets"
    claims = [
        Claim(
            "small_data",
            f"points that shipped is below the best candidate, mean of {of}",
            below_best,
            0.0,
            below_best,
            WITHIN,
            True,
        ),
        Claim(
            "small_data", f"points of shipped over the single split's choice, mean of {of}", over_single, 0.0, over_single, 0.0
        ),
    ]
    if compared:
        metric = f"sets below the best by hand beyond noise, of {len(compared)}"
        claims.append(Claim("small_data", metric, len(below), 0.0, len(below), 0.0, True))
    return claims + _stated_claims(rows)


def _stated_claims(rows: list[Row]) -> list[Claim]:
    """Whether what reports state of trials is what they reach on items that nobody has seen."""
    over, is_within = [], []
    for row in rows:
        for name, (value, low, high, error) in row.get("stated", {}).items():
            over.append(100 * value - _points(row, row["trials"][name]))
            side = 100 * (high - value if over[-1] < 0 else value - low)
            is_within.append(abs(over[-1]) <= math.hypot(side, INTERVAL * error))
    if not over:
        return []
    of = f"{len(over)} trials"
    return [
        Claim("small_data", f"points stated over reached, mean of {of}", fmean(over), 0.0, fmean(over), STATED_WITHIN, True),
        Claim("small_data", f"share of intervals that hold, of {of}", fmean(is_within), 0.95, fmean(is_within), HOLDS),
    ]


def is_below(row: Row) -> bool:
    """Whether the shipped model is below the best baseline beyond noise."""
    return bool(row["best_baseline"] is not None and row["over_baseline"] < -NOISE * row["over_baseline_error"])


def _points(row: Row, measured: Mapping[str, float]) -> float:
    return measured[row["measure"]]


def table(rows: list[Row]) -> str:
    """All rows, as they stand in results.md."""
    head = "| set | items | shipped | best candidate | single choice | best by hand | over it | study s, load |"
    return "\n".join([head, "| --- | --- | --- | --- | --- | --- | --- | --- |", *(_line(row) for row in rows)])


def _line(row: Row) -> str:
    def listed(measured: Mapping[str, float]) -> str:
        (_, points), *others = measured.items()
        return ", ".join([f"{points:.1f}", *(f"{value:.4g}" for _, value in others)])

    best, single, hand = row["best"], row["single"], row["best_baseline"]
    cells = [
        f"{row['name']} ({row['measure']}, seed {row['seed']})",
        f"{row['num_training']} + {row['num_test']}",
        listed(row["shipped"]),
        f"{listed(row['trials'][best])} ({best})",
        f"{listed(row['trials'][single])} ({single})",
        "" if hand is None else f"{listed(row['baselines'][hand])} ({hand})",
        ""
        if hand is None
        else f"{row['over_baseline']:+.1f} +- {row['over_baseline_error']:.1f}{' below' if is_below(row) else ''}",
        f"{row['study_s']:.0f}, {row['load']:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def _commit() -> str:
    described = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return described.stdout.strip()


if __name__ == "__main__":
    main()
