"""Five grades of a study on four tasks: is each, in the order of their names, no less accurate and no faster to answer?

Each task goes the way of a person once a grade: project, upload, version, a study with the goal and nothing else chosen but
limits that make it small (epochs, squares or tokens, seconds; a grade's own share of the square stays). The model that is
shipped then answers items that were never uploaded. Accuracy is that of these, with a 95 % interval of the paired difference
between neighbouring grades (the same items); the time of an answer is processor time of one item, read and predicted (of
tables a hundredth of 100 rows in one call), on one thread, all five models in turns.

The order of a pair holds where the interval does not lie below zero, and where the faster grade takes at most 1.1 times the
other's time. ``GRADES_TASKS`` replaces ``digits,reviews,digit_rows,ten_numbers``. Each study is told of as soon as
it has ended.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from automl.planning.goals import Goal, goal_of
from automl.planning.items.image import LIGHTER_SIDE
from benchmarks._digits import digits
from benchmarks._platform import walking
from benchmarks._reviews import reviews
from benchmarks._small_study import model_of, study_ran
from benchmarks.harness import Claim, Options, interleave, main
from benchmarks.small_sets import pictures, tables, texts
from benchmarks.small_sets._labelled import Labelled, LabelledSet, drawn
from benchmarks.small_sets._small_set import SmallSet
from engine.models import families_for, family_spec
from engine.tasks import task_spec
from runtime.predictor import Predictor

NOISE = 1.1
"""Times in which two equal models answer differ by as much on a shared machine."""
INTERVAL = 1.96
"""Standard errors on each side of an interval of 95 %."""
NUM_ASKED = 600
"""Pictures and texts that judge."""
NUM_TIMED = 10
"""Answers of each model in a turn."""
NUM_ROWS = 100
"""The same of a table, all in one call, as tables are mostly asked."""
_SIDE_PX = 160
_MEDIAN = 9.34
"""Of the sum of ten squares."""
SMOKE_S = 2.0
Limits = Mapping[Goal, float]


@dataclass(frozen=True)
class Case:
    """A task with data small enough for many studies."""

    load: Callable[[Path], SmallSet]
    assets: tuple[str, ...]
    """Cards of weights that its families begin with."""
    at_most: Mapping[str, float]
    seconds: Limits
    """Limits of studies, where they have one."""


class Graded(NamedTuple):
    """What a grade came to."""

    predictor: Predictor
    is_right_N: NDArray[np.bool_]
    """Of the items that judge."""


def measure(options: Options) -> list[Claim]:
    """Claims for each pair of neighbouring grades of each task: accuracy and time of an answer."""
    names = os.environ.get(
        "GRADES_TASKS", options.pick("digits,reviews,digit_rows,ten_numbers", smoke="cell_rows", quick="cell_rows")
    )
    goals: Sequence[Goal] = options.pick(tuple(Goal), smoke=(Goal.FASTEST, Goal.FAST))
    claims = []
    for name in names.split(","):
        case = CASES[name]
        with tempfile.TemporaryDirectory() as scratch, walking(*case.assets) as walk:
            small = case.load(Path(scratch))
            graded = {}
            for goal in goals:
                limit_s = options.pick(case.seconds.get(goal), smoke=SMOKE_S)
                graded[goal] = _graded(walk, small, name, goal, _settings(case, small, goal, limit_s))
            found = list(_claims(name, small, graded, options))
            claims += [*found, _in_order(name, "accuracy", found[::2]), _in_order(name, "time of an answer", found[1::2])]
    return claims


def _in_order(name: str, what: str, pairs: Sequence[Claim]) -> Claim:
    """Claims that the order holds for every pair of neighbouring grades."""
    held = sum(pair.is_ok for pair in pairs)
    return Claim("grades", f"pairs of grades whose order of {what} holds, {name}", held, len(pairs), held / len(pairs), 1.0)


def _settings(case: Case, small: SmallSet, goal: Goal, limit_s: float | None) -> dict[str, Any]:
    tried = goal_of(goal, families_for(task_spec(small.task))).families
    heeded = {param.name for name in tried for param in family_spec(name).params}
    at_most = {name: most for name, most in case.at_most.items() if name in heeded}
    if goal is Goal.FASTEST and "resolution_px" in at_most:
        at_most["resolution_px"] *= LIGHTER_SIDE
    return {"goal": goal.value, "at_most": at_most, "time_limit_s": limit_s}


def _graded(walk: Any, small: SmallSet, name: str, goal: Goal, settings: dict[str, Any]) -> Graded:
    ran = study_ran(walk, small, **settings)
    predictor = model_of(walk, ran.shipped)
    answers_NL, truth_N = small.ask(predictor), _truth(small)
    is_right_N = answers_NL.argmax(axis=1) == truth_N
    shipped = next(trial for trial in ran.trials if trial["id"] == ran.ended["best_trial"])
    members = len(shipped["members"] or [1]) if ran.ended["shipping"] == "refitted" else 1
    what = f"{shipped['train']['family']} {shipped['train']['size']}, {ran.ended['shipping']}, up to {members} members"
    tried = sum(trial["members"] is None for trial in ran.trials)
    right = 100 * float(is_right_N.mean())
    error = INTERVAL * 100 * float(is_right_N.std()) / len(is_right_N) ** 0.5
    sys.stderr.write(
        f"{name} {goal.value}: {right:.1f} +- {error:.1f} of {len(is_right_N)}; {what}; {tried} trials in {ran.wall_s:.0f} s, "
        f"{ran.cpu_s:.0f} s of a core; load {os.getloadavg()[0]:.1f}\n"
    )
    return Graded(predictor, is_right_N)


def _truth(small: SmallSet) -> NDArray[np.int64]:
    if isinstance(small, LabelledSet):
        return small.targets(small.test)
    assert isinstance(small, tables.TableSet)
    return np.array([small.labels.index(row[-1]) for row in small.test], dtype=np.int64)


def _claims(name: str, small: SmallSet, graded: Mapping[Goal, Graded], options: Options) -> Iterator[Claim]:
    asked = {goal.value: _asking(small, each.predictor) for goal, each in graded.items()}
    taken = interleave(asked, num_rounds=3 * options.num_rounds, clock=time.process_time)
    for faster, better in pairwise(graded):
        one_N, other_N = graded[faster].is_right_N, graded[better].is_right_N
        gain_N = other_N.astype(np.float64) - one_N
        reach = INTERVAL * float(gain_N.std()) / len(gain_N) ** 0.5
        what = f"points of accuracy of {better.value} above {faster.value}, upper end, {name}"
        most = 100 * (float(gain_N.mean()) + reach)
        yield Claim("grades", what, 100 * float(other_N.mean()), 100 * float(one_N.mean()), most, 0.0)
        ratio = statistics.median(one / other for one, other in zip(taken[faster.value], taken[better.value], strict=True))
        times = [1000 * statistics.median(taken[each.value]) for each in (faster, better)]
        what = f"ms of an answer of {faster.value} over {better.value}, {name}"
        yield Claim("grades", what, *times, ratio, NOISE, is_at_most=True)


def _asking(small: SmallSet, predictor: Predictor) -> Callable[[], int]:
    """Answers to some items, one by one, or to rows of a table in one call."""
    if isinstance(small, LabelledSet):
        contents = [each.content for each in small.test[:NUM_TIMED]]

        def ask() -> int:
            for content in contents:
                predictor.predict(predictor.decode(content))
            return len(contents)

        return ask
    assert isinstance(small, tables.TableSet)
    rows = [dict(zip(small.header[:-1], row, strict=False)) for row in small.test[:NUM_ROWS]]

    def ask_rows() -> int:
        predictor.predict_many(predictor.items.reader.read(rows, is_lenient=True))  # type: ignore[attr-defined]
        return len(rows)

    return ask_rows


def _digits(folder: Path) -> LabelledSet:
    del folder
    pixels_NHWC, targets_N = digits(3_000, 28)
    items = [Labelled(pictures.png(each_HWC), str(digit)) for each_HWC, digit in zip(pixels_NHWC, targets_N, strict=True)]
    training, test = drawn(items, 200, 0, most_test=NUM_ASKED)
    return LabelledSet("digits", "image_classification", "png", training, test, lambda _: {})


def _reviews(folder: Path) -> LabelledSet:
    del folder
    items = [Labelled(line.encode(), label) for label, lines in reviews().items() for line in lines]
    training, test = drawn(items, 300, 0, most_test=NUM_ASKED)
    return LabelledSet("reviews", "text_classification", "txt", training, test, lambda _: {})


def _ten_numbers(folder: Path) -> tables.TableSet:
    """Whether the squares of ten normal numbers add up to more than 9.34 (Hastie et al. 2009, equation 10.2)."""
    numbers_NF = np.random.default_rng(0).normal(size=(4_500, 10))
    targets = np.where(np.square(numbers_NF).sum(axis=1) > _MEDIAN, "far", "near").tolist()
    rows = [[*(f"{number:.4f}" for number in row), target] for row, target in zip(numbers_NF.tolist(), targets, strict=True)]
    header = (*(f"number_{place}" for place in range(10)), "target")
    return tables.TableSet("ten_numbers", header, rows[:500], rows[500:], ("far", "near"), folder)


_OF_TABLES = {Goal.ACCURATE: 90.0, Goal.MOST_ACCURATE: 150.0}
CASES = {
    "digits": Case(
        _digits,
        pictures.ASSETS,
        {"resolution_px": _SIDE_PX, "epochs": 6},
        {Goal.BALANCED: 60.0, Goal.ACCURATE: 120.0, Goal.MOST_ACCURATE: 180.0},
    ),
    "reviews": Case(
        _reviews,
        texts.ASSETS,
        {"max_tokens": 64, "epochs": 6},
        {Goal.BALANCED: 90.0, Goal.ACCURATE: 150.0, Goal.MOST_ACCURATE: 210.0},
    ),
    "digit_rows": Case(lambda folder: tables.load("digits", 0, folder), (), {"budget_s": 6.0}, _OF_TABLES),
    "ten_numbers": Case(_ten_numbers, (), {"budget_s": 6.0}, _OF_TABLES),
    "cell_rows": Case(lambda folder: tables.load(tables.SMOKE, 0, folder), (), {"budget_s": 6.0}, _OF_TABLES),
}

if __name__ == "__main__":
    main(measure)
