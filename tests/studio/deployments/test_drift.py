"""Drift of answers: what was planted is found soon, and weeks in which nothing happens are quiet."""

import math
import random

import numpy as np
import pytest

from studio.deployments.drift import ENOUGH_P, FEWEST_ANSWERS, LOOKS_PER_WEEK, BestAnswer, drift_judge

LABELS = ("scratch", "dent", "stain", "fine")


def pictures(number, shares, seed, *, confident=2.0):
    """Answers with so many of each label, scores as a trained model's are."""
    chance = random.Random(seed)
    labels = chance.choices(LABELS, shares, k=number)
    return [BestAnswer(label=label, score=round(1 - 0.5 * chance.betavariate(1, confident), 4)) for label in labels]


def numbers(number, seed, *, mean=10.0):
    chance = random.Random(seed)
    return [BestAnswer(value=chance.gauss(mean, 3.0)) for _ in range(number)]


USUAL = (0.12, 0.08, 0.2, 0.6)


def looks_until_found(before, calls):
    """Calls after which the drift is found by one who looks every twenty calls."""
    for number in range(FEWEST_ANSWERS, len(calls) + 1, 20):
        if drift_judge(before, calls[:number]).is_significant:
            return number
    return math.inf


@pytest.mark.parametrize("seed", range(5))
def test_a_label_that_is_predicted_far_more_often_is_found_within_250_calls(seed):
    before = pictures(400, USUAL, 100 + seed)
    assert looks_until_found(before, pictures(600, (0.31, 0.08, 0.2, 0.41), seed)) <= 250


@pytest.mark.parametrize("seed", range(5))
def test_scores_that_fall_are_found_though_the_labels_stay(seed):
    before = pictures(400, USUAL, 100 + seed)
    calls = pictures(600, USUAL, seed, confident=0.9)
    assert looks_until_found(before, calls) <= 300
    found = drift_judge(before, calls)
    assert (found.is_answers_changed, found.is_scores_changed) == (False, True)
    assert found.after.median < found.before.median


@pytest.mark.parametrize("seed", range(5))
def test_numbers_that_move_are_found(seed):
    assert looks_until_found(numbers(400, 100 + seed), numbers(600, seed, mean=12.5)) <= 200


def test_fifty_quiet_weeks_are_silent():
    """Calls come all week, and somebody looks three times a day at all of the week so far; the test is small, as tests are."""
    alarms = 0
    for week in range(50):
        before = pictures(150, USUAL, 1000 + week)
        calls = pictures(1050, USUAL, week)
        alarms += any(drift_judge(before, calls[:number]).is_significant for number in range(FEWEST_ANSWERS, 1051, 50))
    assert alarms <= 1


def test_fifty_quiet_weeks_of_numbers_are_silent():
    alarms = 0
    for week in range(50):
        before, calls = numbers(150, 1000 + week), numbers(1050, week)
        alarms += any(drift_judge(before, calls[:number]).is_significant for number in range(FEWEST_ANSWERS, 1051, 50))
    assert alarms <= 1


def test_a_significant_trifle_is_no_drift():
    before, after = pictures(20_000, USUAL, 1), pictures(20_000, (0.14, 0.08, 0.2, 0.58), 2)
    found = drift_judge(before, after)
    assert found.psi_p < ENOUGH_P
    assert not found.is_significant


def test_what_changed_is_named_with_the_largest_part_first():
    found = drift_judge(pictures(1000, USUAL, 1), pictures(1000, (0.31, 0.08, 0.2, 0.41), 2))
    first = found.changes[0]
    assert first.label == "scratch"
    assert first.before == pytest.approx(0.12, abs=0.03)
    assert first.after == pytest.approx(0.31, abs=0.03)
    assert sum(each.part for each in found.changes) == pytest.approx(found.psi)


def test_nothing_found_is_an_answer_like_any_other():
    before = pictures(300, USUAL, 1)
    blind = [BestAnswer() if place % 3 == 0 else each for place, each in enumerate(pictures(300, USUAL, 2))]
    found = drift_judge(before, blind)
    assert found.is_answers_changed
    assert (found.changes[0].label, found.changes[0].before) == (None, 0.0)
    mute = drift_judge(before, [BestAnswer()] * 300)
    assert (mute.after, mute.ks, mute.is_significant) == (None, 0.0, True)


def test_the_p_value_of_a_permutation_test_is_uniform_where_nothing_changed():
    """At most a fraction p of quiet looks has a p-value of p or less, within three standard deviations."""
    values = [drift_judge(pictures(120, USUAL, seed), pictures(150, USUAL, 5000 + seed)) for seed in range(400)]
    for level in (0.05, 0.2, 0.5):
        slack = 3 * math.sqrt(level * (1 - level) / 400)
        assert np.mean([each.psi_p <= level for each in values]) <= level + slack
        assert np.mean([each.ks_p <= level for each in values]) <= level + slack
    assert np.mean([each.psi_p <= 0.5 for each in values]) >= 0.35  # and it is no test that never rejects


def test_more_labels_than_are_distinguished_and_constants():
    chance = random.Random(4)
    many = [[BestAnswer(label=f"l{chance.randrange(80)}", score=0.5) for _ in range(500)] for _ in range(2)]
    assert not drift_judge(*many).is_significant
    same = [BestAnswer(value=3.0)] * 200
    assert (drift_judge(same, same).psi, drift_judge(same, same).is_significant) == (0.0, False)
    assert drift_judge(same, [BestAnswer(value=4.0)] * 200).is_significant


def test_looks_of_a_week_share_the_chance_of_a_false_alarm():
    assert pytest.approx(0.01) == ENOUGH_P * LOOKS_PER_WEEK * 2
