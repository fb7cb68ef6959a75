"""Settings that did well in earlier studies, for a new one to begin with (warm start).

Each earlier study says of every setting that any of them tried how far up its own ranking it would have been: the mean rank of
what that study tried nearby, drawn towards the middle where it tried nothing near. Settings are then taken one after the other,
each for what it adds to those that are taken already (Wistuba, Schilling and Schmidt-Thieme 2015, "Sequential model-free
hyperparameter tuning"); a study counts as much as its data are alike. Ranks, not values: an accuracy of one set of data says
nothing of another's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from automl.contracts.job import TrainConfig
from automl.search.samplers._cube import Array, cube_of
from automl.search.space import FAMILY, SearchSpace, distributions, flatten
from automl.search.states import TrialState
from automl.search.study import TrialRecord

LEAST_TRIALS = 3
"""Of an earlier study, with fewer of which a rank says nothing."""
TRIALS_FOR_EACH = 8
"""Trials of a new study for each that begins it: where the past misleads, an eighth of them is lost."""
MOST = 3
_REACH = 0.15
"""Of a trial to others, as a share of the ranges."""
_DOUBT = 0.3
"""Trials of middling rank that every study is taken to have seen everywhere."""


@dataclass(frozen=True)
class EarlierStudy:
    """A study on other data, or on an earlier state of the same."""

    history: Sequence[TrialRecord]
    is_higher_better: bool
    likeness: float
    """Of its data to the new study's, 0..1."""


@dataclass(frozen=True)
class EarlierSetting:
    """What a new study begins with."""

    study: int
    """Which of the earlier ones tried it."""
    train: TrainConfig


def num_warm(max_trials: int) -> int:
    """How many trials of a study begin with earlier settings."""
    return min(MOST, max_trials // TRIALS_FOR_EACH)


def earlier_settings(studies: Sequence[EarlierStudy], *, space: SearchSpace, num: int) -> tuple[EarlierSetting, ...]:
    """The settings that promise most, the best first.

    Args:
        studies: earlier ones; trials that did not succeed, or that the space cannot say, are left out.
        space: of the new study.
        num: at most so many are given.
    """
    tried = [(number, record) for number, study in enumerate(studies) for record in _usable(study, space)]
    if not tried or num < 1:
        return ()
    # One row an earlier study, one column a setting.
    ranks = _predicted(studies, tried, space)
    likenesses = np.array([study.likeness for study in studies])[sorted({number for number, _ in tried})]
    best, chosen = np.full(len(ranks), 0.5), list[EarlierSetting]()
    while len(chosen) < num:
        # The second term decides where nothing is gained any more.
        losses = likenesses @ np.minimum(best[:, None], ranks) + 0.05 * (likenesses @ ranks)
        known = [one.train for one in chosen]
        left = [place for place in np.argsort(losses, kind="stable") if tried[place][1].train not in known]
        if not left:
            break
        number, record = tried[left[0]]
        chosen.append(EarlierSetting(number, record.train))
        best = np.minimum(best, ranks[:, left[0]])
    return tuple(chosen)


def _usable(study: EarlierStudy, space: SearchSpace) -> list[TrialRecord]:
    found = [
        record
        for record in study.history
        if record.state is TrialState.SUCCEEDED and record.value is not None and flatten(space, record.train) is not None
    ]
    return found if len(found) >= LEAST_TRIALS else []


def _predicted(studies: Sequence[EarlierStudy], tried: Sequence[tuple[int, TrialRecord]], space: SearchSpace) -> Array:
    """Ranks (studies with trials, trials), 0 for the best of a study and 1 for its worst."""
    nearness = _nearness([record.train for _, record in tried], space)
    numbers = np.array([number for number, _ in tried])
    rows = []
    for number in sorted(set(numbers.tolist())):
        is_own = numbers == number
        values = np.array([record.value for own, record in tried if own == number], dtype=np.float64)
        own_ranks = _ranks(-values if studies[number].is_higher_better else values)
        near = nearness[:, is_own]
        rows.append((near @ own_ranks + _DOUBT * 0.5) / (near.sum(axis=1) + _DOUBT))
    return np.array(rows)


def _ranks(losses: Array) -> Array:
    """Of losses among each other, from 0 to 1; equal ones share the mean of theirs."""
    _, places, numbers = np.unique(losses, return_inverse=True, return_counts=True)
    ranks: Array = (np.cumsum(numbers) - (numbers + 1) / 2)[places] / (len(losses) - 1)
    return ranks


def _nearness(trains: Sequence[TrainConfig], space: SearchSpace) -> Array:
    """How much one setting says of another (trials, trials): 1 of itself, 0 between families."""
    trials = []
    for train in trains:
        family, params = space.family(train.family), flatten(space, train)
        assert family is not None
        assert params is not None
        trials.append((params, distributions(space, family)))
    cube = cube_of(trials)
    points = np.nan_to_num(np.array([cube.encode(params) for params, _ in trials]))
    squares = ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    families = np.array([params[FAMILY] for params, _ in trials])
    num_params = np.array([sum(not each.single() for each in owned.values()) for _, owned in trials])
    nearness: Array = np.exp(-squares / np.maximum(1, num_params)[:, None] / (2 * _REACH**2))
    nearness[families[:, None] != families[None, :]] = 0.0
    return nearness
