"""What split-conformal prediction promises is kept: on new items, for each label, and for numbers."""

from fractions import Fraction

import numpy as np
import pytest

from automl.contracts.coverage import ERROR_RATES, CoverageReport
from automl.contracts.dataset import Split
from automl.contracts.task import OutputKind
from engine.coverage import AnsweredItems, coverage_of
from engine.coverage.kind import items_needed, rank_of

LABELS = ("a", "b", "c")
SHARES = (0.6, 0.3, 0.1)


def scored(random, num_items, split=Split.TEST, sharpness=1.5):
    """Items whose scores lean to their label: often right, never sure, and worse of the rare label."""
    targets_N = random.choice(len(LABELS), num_items, p=SHARES)
    logits_NL = random.normal(size=(num_items, len(LABELS)))
    logits_NL[np.arange(num_items), targets_N] += sharpness - 0.5 * targets_N
    powers_NL = np.exp(logits_NL)
    return AnsweredItems(split, (powers_NL / powers_NL.sum(axis=1, keepdims=True)).astype(np.float32), targets_N)


def covered(calibrated, judged, thresholds=None) -> CoverageReport:
    found = coverage_of(OutputKind.CLASS_SCORES, calibrated, judged, labels=LABELS, thresholds=thresholds or {})
    assert found is not None
    return found


def line(report, rate, scope="all"):
    (found,) = [each for each in report.labels if each.error_rate == rate and each.scope == scope]
    return found


@pytest.mark.parametrize("rate", ERROR_RATES)
def test_as_many_items_are_needed_as_make_a_limit(rate):
    needed = items_needed(rate)
    assert rank_of(needed, rate) == needed
    assert rank_of(needed - 1, rate) is None
    assert needed == Fraction(1) / Fraction(str(rate)) - 1


@pytest.mark.parametrize("rate", ERROR_RATES)
def test_mean_coverage_of_new_items_is_within_the_guarantee(rate):
    """Over many draws: at least what is promised, and no more than one place in n + 1 above it."""
    random, num = np.random.default_rng(0), 199
    shares = []
    for _ in range(200):
        measure = line(covered(scored(random, num), scored(random, 400)), rate).measure
        shares.append(measure.num_covered / measure.num_items)
    error = 3 * np.std(shares) / np.sqrt(len(shares))
    assert 1 - rate - error <= np.mean(shares) <= 1 - rate + 1 / (num + 1) + error


def test_limits_of_each_label_cover_the_rare_one_which_one_limit_for_all_does_not():
    random = np.random.default_rng(1)
    report = covered(scored(random, 3_000), scored(random, 20_000))
    together, apart = (line(report, 0.1, scope).measure.labels[2] for scope in ("all", "label"))
    assert together.num_covered / together.num_items < 0.8
    assert apart.num_covered / apart.num_items > 0.86
    assert apart.interval[0] < apart.num_covered / apart.num_items < apart.interval[1]


def test_wrong_answers_that_no_person_sees_are_at_most_the_uncovered():
    random = np.random.default_rng(2)
    calibrated, judged = scored(random, 1_000), scored(random, 20_000)
    for each in covered(calibrated, judged).labels:
        measure = each.measure
        assert measure.num_wrong <= measure.num_items - measure.num_covered
        assert 0 < measure.num_asked < measure.num_items
        if each.scope == "all":
            assert measure.num_wrong / measure.num_items <= each.error_rate + 0.02


def test_measures_are_counted_as_by_hand():
    calibrated = AnsweredItems(
        Split.VALIDATION,
        np.array([[0.9, 0.1], [0.8, 0.2], [0.4, 0.6], [0.3, 0.7]], dtype=np.float32),
        np.array([0, 0, 0, 1]),
    )
    judged = AnsweredItems(
        Split.TEST,
        np.array([[0.95, 0.05], [0.55, 0.45], [0.2, 0.8], [0.9, 0.1]], dtype=np.float32),
        np.array([0, 0, 1, 1]),
    )
    report = coverage_of(OutputKind.CLASS_SCORES, calibrated, judged, labels=("x", "y"), thresholds={})
    found = line(report, 0.2)
    assert found.limits == pytest.approx({"x": 0.4, "y": 0.4}, abs=1e-6)  # the fourth largest of 0.9, 0.8, 0.4 and 0.7
    measure = found.measure
    assert (measure.num_covered, measure.num_asked, measure.num_wrong) == (3, 1, 1)
    assert [(each.num_calibrated, each.num_items, each.num_covered, each.num_asked) for each in measure.labels] == [
        (3, 2, 2, 1),
        (1, 2, 1, 0),
    ]
    assert found.short == ("x", "y")
    assert (line(report, 0.1).limits, line(report, 0.1).measure, line(report, 0.1).num_needed) == ({}, None, 9)
    assert line(report, 0.2, "label").limits == {}


def test_a_person_is_asked_where_the_threshold_says_another_label_than_the_possible_one():
    random = np.random.default_rng(3)
    both = []
    for each in (scored(random, 500), scored(random, 500)):
        scores_N2 = each.answers_NL[:, :2] / each.answers_NL[:, :2].sum(axis=1, keepdims=True)
        both.append(AnsweredItems(each.split, scores_N2, each.targets_N % 2))
    plain, moved = (
        coverage_of(OutputKind.CLASS_SCORES, *both, labels=LABELS[:2], thresholds=thresholds)
        for thresholds in ({}, {"a": 0.9, "b": 0.1})
    )
    assert line(moved, 0.2).limits == line(plain, 0.2).limits
    assert line(moved, 0.2).measure.num_asked > line(plain, 0.2).measure.num_asked


def test_a_label_with_too_few_items_is_always_possible():
    random = np.random.default_rng(4)
    calibrated = scored(random, 300)
    calibrated.targets_N[calibrated.targets_N == 2] = 0
    calibrated.targets_N[:5] = 2
    report = covered(calibrated, scored(random, 300))
    found = line(report, 0.1, "label")
    assert found.short == ("c",)
    assert found.limits["c"] == 0.0 < found.limits["a"]
    assert found.measure.labels[2].num_covered == found.measure.labels[2].num_items
    assert line(report, 0.2, "label").short == ()


def test_numbers_lie_within_reach_as_often_as_is_promised():
    random, shares = np.random.default_rng(5), []
    for _ in range(200):
        truth_N = random.normal(size=400)
        given_N1 = (truth_N + random.standard_t(3, size=400)).astype(np.float32)[:, None]
        halves = (AnsweredItems(Split.TEST, given_N1[part], truth_N[part]) for part in (np.s_[:199], np.s_[199:]))
        report = coverage_of(OutputKind.NUMBER, *halves, labels=(), thresholds={})
        (found,) = [each for each in report.numbers if each.error_rate == 0.1]
        shares.append(found.measure.num_covered / found.measure.num_items)
    assert 0.89 < np.mean(shares) < 0.92


def test_too_few_numbers_have_no_reach():
    few = AnsweredItems(Split.VALIDATION, np.arange(10, dtype=np.float32)[:, None], np.zeros(10))
    report = coverage_of(OutputKind.NUMBER, few, None, labels=(), thresholds={})
    assert [each.reach for each in report.numbers] == [None, None, None, 9.0, 8.0]
    assert {each.measure for each in report.numbers} == {None}


def test_answers_of_other_kinds_have_none():
    answered = AnsweredItems(Split.TEST, np.ones((4, 2), dtype=np.float32), np.ones((4, 2), dtype=np.int64))
    for output in (OutputKind.LABEL_SCORES, OutputKind.BOXES, OutputKind.VECTOR):
        assert coverage_of(output, answered, answered, labels=LABELS[:2], thresholds={}) is None
