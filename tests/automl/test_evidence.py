"""Which of several trials is kept."""

from __future__ import annotations

import pytest

from automl.search.evidence import Evidence, equals, error_of


def _numbers(*trials: Evidence, is_higher_better: bool = True) -> list[int]:
    return [trial.number for trial in equals(trials, is_higher_better=is_higher_better)]


def test_of_equals_the_family_that_generalises_is_kept_and_never_the_earlier_one():
    ngrams = Evidence(0, 0.95, 0.02, preference=0)
    encoder = Evidence(2, 0.94, 0.02, preference=2)
    far = Evidence(1, 0.90, 0.02, preference=3)
    assert _numbers(ngrams, far, encoder) == [2, 0]


def test_a_clear_lead_outweighs_every_preference():
    assert _numbers(Evidence(0, 0.95, 0.01, preference=0), Evidence(1, 0.93, 0.01, preference=2)) == [0]


def test_of_losses_the_least_is_the_best():
    assert _numbers(Evidence(0, 0.30, 0.01), Evidence(1, 0.20, 0.01), Evidence(2, 0.205, 0.01), is_higher_better=False) == [
        1,
        2,
    ]


def test_errors_add_up_where_other_items_were_asked():
    folds = Evidence(0, 0.90, 0.02, judged_on=("folds", 400))
    assert _numbers(folds, Evidence(1, 0.86, 0.04, judged_on=("split", 60))) == [0, 1]
    assert _numbers(folds, Evidence(1, 0.85, 0.04, judged_on=("split", 60))) == [0]
    assert _numbers(folds, Evidence(1, 0.875, 0.02, judged_on=("folds", 400))) == [0]


@pytest.mark.parametrize(("value", "chosen"), [(0.91, [0]), (0.95, [1]), (0.80, [0])])
def test_what_was_cut_off_wins_only_by_a_clear_lead(value, chosen):
    assert _numbers(Evidence(0, 0.90, 0.02), Evidence(1, value, 0.02, preference=5, is_whole=False)) == chosen


def test_of_trials_that_were_all_cut_off_the_best_is_kept_alone():
    assert _numbers(Evidence(0, 0.5, 0.1, is_whole=False), Evidence(1, 0.52, 0.1, is_whole=False)) == [1]


def test_nothing_is_kept_of_nothing():
    assert equals((), is_higher_better=True) == ()


def test_an_interval_stands_for_its_standard_error():
    assert error_of((0.9 - 1.959964 * 0.01, 0.9 + 1.959964 * 0.01)) == pytest.approx(0.01)
