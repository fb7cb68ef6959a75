"""Hyperband (Li et al. 2018): successive halving in brackets, of which some give every trial longer before it is judged.

For objectives whose first epochs mislead. A trial's bracket follows from its number; trials of one bracket are compared.
"""

from __future__ import annotations

import math
import zlib

import optuna
from optuna.pruners import BasePruner
from optuna.trial import FrozenTrial, TrialState

from automl.search.pruners._rungs import FACTOR, is_beaten
from automl.search.study_numbers import number_of


def build() -> BasePruner:
    """Makes the pruner."""
    return BracketPruner()


class BracketPruner(BasePruner):
    """Judges a trial against those of its bracket, once a finished one has shown how many epochs there are."""

    def prune(self, study: optuna.Study, trial: FrozenTrial) -> bool:
        """Says whether the trial should stop at the epoch that it has just reported."""
        trials = study.get_trials(deepcopy=False)
        ends = [each.last_step or 0 for each in trials if each.state == TrialState.COMPLETE]
        longest = max(ends, default=0)
        if longest < FACTOR:
            return False
        num = int(math.log(longest, FACTOR) + 1e-9) + 1
        bracket = bracket_of(number_of(trial), num)
        others = [each for each in trials if bracket_of(number_of(each), num) == bracket]
        return is_beaten(others, trial, first=FACTOR**bracket, direction=study.direction)


def bracket_of(number: int, num_brackets: int) -> int:
    """The bracket of a trial: 0 is judged soonest and has the most trials, as the paper shares the budget out."""
    shares = [math.ceil(num_brackets * FACTOR**left / (left + 1)) for left in reversed(range(num_brackets))]
    place = zlib.crc32(f"trial {number}".encode()) % sum(shares)
    for bracket, share in enumerate(shares):
        if place < share:
            return bracket
        place -= share
    raise AssertionError("a place is less than the sum of the shares")
