"""Measures learning curves: heads learn from parts of the items, and answer items that they have not seen.

Every point is measured several times, each time with other items and other folds. Folds take turns at being held back, so that
every item is judged at every point; parts of a draw are nested, so that points of a curve differ by what was added alone. A
label's curve reduces that label and no other.

Shapes: N items, R draws, B + 1 judged sets, K points, L labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from engine.advice.learner import Answers, AnswersKind, Learner, Material
from engine.quality.heads import NUM_FOLDS, folds

FRACTIONS = (0.25, 0.35, 0.5, 0.7, 1.0)
_BLOCKS_SEED = 7_919
_EVERY = None
"""The subject that stands for all labels."""
Subject = int | None
Places = NDArray[np.intp]


@dataclass(frozen=True)
class SubjectCurve:
    """What was measured of one subject: a label, or all."""

    sizes_K: NDArray[np.float64]
    """Items learned, the mean over folds and draws; of a label those that carry it."""
    objective_RBK: NDArray[np.float64]
    own_RBK: NDArray[np.float64] | None
    """The label's own F1."""


def learner_chosen(kind: AnswersKind, material: Material, *, seed: int) -> tuple[Learner, Answers]:
    """The learner that answers unseen items best, and its answers ``_NL``."""
    fold_N = folds(kind.strata(material.targets), material.groups_N, seed)
    everything = [(np.flatnonzero(fold_N != fold), np.flatnonzero(fold_N == fold)) for fold in range(NUM_FOLDS)]
    learners = kind.learners(list(material.views))
    answers = [_answers(kind, learner, material, everything) for learner in learners]
    best = int(np.argmin([kind.loss(each, material.targets) for each in answers]))
    return learners[best], answers[best]


def curves(
    kind: AnswersKind,
    material: Material,
    learner: Learner,
    *,
    objective: str,
    labels: Sequence[int],
    num_draws: int,
    seed: int,
    on_progress: Callable[[int, int], None],
) -> dict[Subject, SubjectCurve]:
    """The curves of all items (None) and of labels.

    Args:
        kind: of the answers.
        material: the items.
        learner: that is tried.
        objective: name of a metric.
        labels: their indices.
        num_draws: see the module.
        seed: of draws and folds.
        on_progress: called after each point with those done and those in all; may raise to end the work.
    """
    judged = _judged_sets(kind, material, seed)
    found = [
        _draw(kind, material, learner, _Draw(seed + draw, objective, labels, judged), _step(on_progress, draw, num_draws))
        for draw in range(num_draws)
    ]
    return {subject: _joined([each[subject] for each in found]) for subject in found[0]}


@dataclass(frozen=True)
class _Draw:
    """What one draw measures."""

    seed: int
    objective: str
    labels: Sequence[int]
    judged: Sequence[Places]


@dataclass(frozen=True)
class _Point:
    """Heads that have learned a part."""

    size: float
    answers_NL: Answers


@dataclass(frozen=True)
class _DrawCurve:
    """A subject's points of one draw."""

    sizes_K: NDArray[np.float64]
    objective_BK: NDArray[np.float64]
    own_BK: NDArray[np.float64] | None


def _step(on_progress: Callable[[int, int], None], draw: int, num_draws: int) -> Callable[[int, int], None]:
    return lambda done, total: on_progress(draw * total + done, num_draws * total)


def _draw(
    kind: AnswersKind, material: Material, learner: Learner, draw: _Draw, on_progress: Callable[[int, int], None]
) -> dict[Subject, _DrawCurve]:
    """All points once; the one with all items is the same for every subject."""
    strata_N = kind.strata(material.targets)
    fold_N = folds(strata_N, material.groups_N, draw.seed)
    rank_N = np.random.default_rng(draw.seed).random(len(fold_N))
    subjects: list[Subject] = [_EVERY, *draw.labels]
    *fewer, _ = FRACTIONS
    total = len(subjects) * len(fewer) + 1
    done = 0

    def point(may_go_N: NDArray[np.bool_], fraction: float) -> _Point:
        nonlocal done
        parts = list(_parts(fold_N, strata_N, rank_N, may_go_N, fraction))
        found = _Point(_size(parts, may_go_N), _answers(kind, learner, material, parts))
        done += 1
        on_progress(done, total)
        return found

    whole = point(np.ones(len(fold_N), dtype=bool), 1.0)
    everything = [(np.flatnonzero(fold_N != fold), np.flatnonzero(fold_N == fold)) for fold in range(NUM_FOLDS)]
    found = {}
    for subject in subjects:
        may_go_N = np.ones(len(fold_N), dtype=bool) if subject is None else kind.carriers(material.targets, subject)
        last = _Point(_size(everything, may_go_N), whole.answers_NL)
        points = [*(point(may_go_N, fraction) for fraction in fewer), last]
        found[subject] = _judged(kind, material, draw, subject, points)
    return found


def _parts(
    fold_N: NDArray[np.int64],
    strata_N: NDArray[np.int64],
    rank_N: NDArray[np.float64],
    may_go_N: NDArray[np.bool_],
    fraction: float,
) -> Iterator[tuple[Places, Places]]:
    """For each fold what is learned and what is judged: of each stratum that may be reduced the first of the draw's order."""
    for fold in range(NUM_FOLDS):
        learned = np.flatnonzero(fold_N != fold)
        stays_N = np.ones(len(learned), dtype=bool)
        for stratum in np.unique(strata_N[learned]):
            own = np.flatnonzero((strata_N[learned] == stratum) & may_go_N[learned])
            in_order = own[np.argsort(rank_N[learned[own]])]
            stays_N[in_order[max(1, round(fraction * len(own))) :]] = False
        yield learned[stays_N], np.flatnonzero(fold_N == fold)


def _size(parts: Sequence[tuple[Places, Places]], counted_N: NDArray[np.bool_]) -> float:
    """Items learned that count, the mean over folds."""
    return float(np.mean([counted_N[learned].sum() for learned, _ in parts]))


def _answers(kind: AnswersKind, learner: Learner, material: Material, parts: Sequence[tuple[Places, Places]]) -> Answers:
    """Answers ``_NL`` to all items, each by a head that has not seen it."""
    rows_ND = material.views[learner.style]
    num_labels = len(material.labels)
    answers_NL = np.zeros((len(rows_ND), max(1, num_labels)))
    with threadpool_limits(limits=1):  # the matrices are small: threads that wait for one another cost more than they save
        for learned, judged in parts:
            if len(judged):
                targets = material.targets[learned]
                answers_NL[judged] = kind.answers(learner, rows_ND[learned], targets, rows_ND[judged], num_labels)
    return answers_NL


def _judged_sets(kind: AnswersKind, material: Material, seed: int) -> list[Places]:
    """All items, then all but a block each: the same blocks for every draw."""
    block_N = folds(kind.strata(material.targets), material.groups_N, seed + _BLOCKS_SEED)
    return [np.arange(len(block_N)), *(np.flatnonzero(block_N != block) for block in range(NUM_FOLDS))]


def _judged(kind: AnswersKind, material: Material, draw: _Draw, subject: Subject, points: Sequence[_Point]) -> _DrawCurve:
    def table(measure: Callable[[Answers, NDArray[Any]], float]) -> NDArray[np.float64]:
        return np.array([[measure(point.answers_NL[some], material.targets[some]) for point in points] for some in draw.judged])

    return _DrawCurve(
        sizes_K=np.array([point.size for point in points]),
        objective_BK=table(lambda answers_NL, targets: material.metrics(answers_NL, targets)[draw.objective]),
        own_BK=None if subject is None else table(lambda answers_NL, targets: kind.f1(answers_NL, targets, subject)),
    )


def _joined(draws: Sequence[_DrawCurve]) -> SubjectCurve:
    own = [each.own_BK for each in draws if each.own_BK is not None]
    return SubjectCurve(
        sizes_K=np.mean([each.sizes_K for each in draws], axis=0),
        objective_RBK=np.stack([each.objective_BK for each in draws]),
        own_RBK=np.stack(own) if own else None,
    )
