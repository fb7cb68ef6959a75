"""Preparation does the same outside a graph and inside, for any table, and lets no row see its own target."""

from __future__ import annotations

import datetime as dt

import numpy as np
import onnxruntime as ort
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from automl.contracts.artefact import RowColumn
from automl.contracts.table import ColumnKind
from engine.errors import EngineError
from engine.table.encode import Preparation, graph_for
from engine.table.encode_datetimes import PARTS, calendar_parts
from engine.table.encode_targets import NUM_FOLDS, responses_of, statistics_of
from engine.table.table import Table
from engine.table.words import words_of
from runtime.cells import MISSING_TIME
from tests.engine.table.rows import made_table, targets_of

_ULP = 4e-7
"""A logarithm may differ in its last place."""


def _columns(kind, number=1):
    return tuple(RowColumn(name=f"{kind.value}{place}", kind=kind) for place in range(number))


def _table(kind, array):
    """A table of one kind of column."""
    shape = (len(array), 0)
    empty = Table((), np.empty(shape, np.float32), np.empty(shape, np.int64), np.empty(shape, object), np.empty(shape, object))
    whole = empty.with_array(kind, array)
    return Table(_columns(kind, array.shape[1]), whole.numbers_NA, whole.datetimes_ND, whole.categories_NC, whole.texts_NT)


def _texts(*cells):
    return np.array(cells, dtype=object)[:, None]


def _in_graph(preparation, table):
    graph = graph_for(preparation.columns)
    model = graph.finish(preparation.write(graph), name="features", num_columns=preparation.num_features)
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, table.feeds())[0]


def _check(table, targets_N, num_labels, style, others=None):
    """Learns, and compares both ways on the rows themselves and on others."""
    preparation, x_NF = Preparation.learn(table, targets_N, num_labels, style=style, seed=0)
    assert x_NF.dtype == np.float32
    assert x_NF.shape == (len(table), preparation.num_features) == (len(table), len(preparation.sources_F))
    for each in (table, others):
        if each is not None:
            applied = preparation.apply(each)
            np.testing.assert_allclose(_in_graph(preparation, each), applied, atol=_ULP, rtol=_ULP)
            assert style == "trees" or np.isfinite(applied).all()
    assert style == "trees" or np.isfinite(x_NF).all()
    return preparation, x_NF


@pytest.mark.parametrize("style", ["trees", "dense"])
@pytest.mark.parametrize("num_labels", [0, 2, 4, 30])
def test_a_graph_prepares_as_numpy_does(style, num_labels):
    table, score = made_table(1500)
    others, _ = made_table(700, seed=1, missing=0.3)
    preparation, _ = _check(table, targets_of(score, num_labels), num_labels, style, others)
    assert {preparation.columns[source].kind for source in preparation.sources_F} == set(ColumnKind)
    for name, source in zip(preparation.names_F, preparation.sources_F, strict=True):
        assert name.startswith(preparation.columns[source].name)


@pytest.mark.parametrize("style", ["trees", "dense"])
@pytest.mark.parametrize("num_rows", [1, 2, 3, 12])
def test_few_rows(style, num_rows):
    table, score = made_table(num_rows)
    _check(table, targets_of(score, 2), 2, style, made_table(5, seed=1)[0])


@pytest.mark.parametrize("style", ["trees", "dense"])
@pytest.mark.parametrize("is_missing", [True, False])
def test_columns_that_say_nothing(style, is_missing):
    table, score = made_table(50)
    table = table.with_array(ColumnKind.NUMBER, np.full((50, 2), np.nan if is_missing else 7.0, np.float32))
    table = table.with_array(ColumnKind.DATETIME, np.full((50, 1), MISSING_TIME if is_missing else 10**9))
    table = table.with_array(ColumnKind.CATEGORY, np.full((50, 2), "" if is_missing else "same", object))
    table = table.with_array(ColumnKind.TEXT, np.full((50, 1), "" if is_missing else "the same", object))
    _check(table, targets_of(score, 2), 2, style, made_table(20, seed=1)[0])


@pytest.mark.parametrize("style", ["trees", "dense"])
@pytest.mark.parametrize("kind", list(ColumnKind))
def test_a_table_of_one_kind(style, kind):
    table, score = made_table(200)
    _check(_table(kind, table.array(kind)), targets_of(score, 0), 0, style)


@pytest.mark.parametrize("style", ["trees", "dense"])
def test_many_categories_and_unseen_ones(style):
    values = np.array([f"value {number}" for number in range(10_000)] * 2, dtype=object)[:, None]
    others = _table(ColumnKind.CATEGORY, _texts("value 3", "never seen", "", "value 9999", "Value 3"))
    targets_N = np.random.default_rng(0).integers(2, size=20_000)
    preparation, _ = _check(_table(ColumnKind.CATEGORY, values), targets_N, 2, style, others)
    assert preparation.num_features < 60
    applied = preparation.apply(others)
    np.testing.assert_array_equal(applied[1], applied[2], err_msg="missing was not seen either")
    assert not np.array_equal(applied[0], applied[1])
    np.testing.assert_array_equal(applied[1], applied[4], err_msg="categories differ by case")


@pytest.mark.parametrize("style", ["trees", "dense"])
def test_numbers_at_the_ends_of_float32(style):
    ends = np.array([np.inf, -np.inf, np.nan, 3.4e38, -3.4e38, 1e-45, 0.0, -0.0, 1.0], np.float32)
    numbers = np.stack([ends, np.arange(9, dtype=np.float32), np.geomspace(1e-30, 1e30, 9).astype(np.float32)], axis=1)
    _check(_table(ColumnKind.NUMBER, numbers), np.arange(9) % 2, 2, style)


def test_dense_numbers_stay_within_three():
    numbers = np.exp(3 * np.random.default_rng(0).normal(size=(1000, 1))).astype(np.float32)
    _, x_NF = _check(_table(ColumnKind.NUMBER, numbers), np.arange(1000) % 2, 2, "dense")
    assert np.abs(x_NF).max() <= 3.0
    ranks = np.argsort(np.argsort(numbers[:, 0]))
    np.testing.assert_array_equal(np.argsort(np.argsort(x_NF[:, 0])), ranks)
    assert 0.3 < x_NF.std() < 2.0, "a long tail leaves room for the rest"


@given(st.lists(st.datetimes(dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59)), min_size=1, max_size=50))  # noqa: DTZ001
@settings(max_examples=60, deadline=None)
def test_calendars_are_right_whenever(moments):
    seconds = [(moment - dt.datetime(1970, 1, 1)) // dt.timedelta(seconds=1) for moment in moments]  # noqa: DTZ001
    parts = calendar_parts(np.array(seconds)[:, None])[:, :, 0]
    for place, moment in enumerate(moments):
        days = (moment.date() - dt.date(1970, 1, 1)).days
        hour = np.float32(moment.hour * 3600 + moment.minute * 60 + moment.second) / np.float32(3600)
        day_of_year = moment.timetuple().tm_yday
        expected = [days, moment.year, moment.month, moment.day, moment.weekday(), hour, day_of_year]
        np.testing.assert_array_equal(parts[:, place], np.array(expected, np.float32), err_msg=str(moment))


@pytest.mark.parametrize("style", ["trees", "dense"])
def test_moments_before_1970_and_missing_ones(style):
    rng = np.random.default_rng(0)
    seconds = rng.integers(-(6 * 10**10), 3 * 10**11, size=(3000, 2))
    seconds[rng.random(seconds.shape) < 0.2] = MISSING_TIME
    seconds[:6, 0] = [-1, 0, -86_400, -86_401, MISSING_TIME + 1, 2**62]
    preparation, x_NF = _check(_table(ColumnKind.DATETIME, seconds), np.arange(3000) % 2, 2, style)
    assert all(part in " ".join(preparation.names_F) for part in PARTS)
    if style == "trees":
        assert np.isnan(x_NF[seconds[:, 0] == MISSING_TIME][:, 0]).all()


@pytest.mark.parametrize("style", ["trees", "dense"])
@pytest.mark.parametrize("num_labels", [0, 2])
def test_a_row_does_not_see_its_own_target(style, num_labels):
    """Values that occur twice, and targets drawn by chance: a feature that knows its row's target would go with it."""
    rng = np.random.default_rng(0)
    targets_N = rng.normal(size=4000) if num_labels == 0 else rng.integers(num_labels, size=4000)
    names = np.array([f"v{number // 2}" for number in range(4000)], dtype=object)[:, None]
    for kind in (ColumnKind.CATEGORY, ColumnKind.TEXT):
        _, x_NF = Preparation.learn(_table(kind, names), targets_N, num_labels, style=style, seed=0)
        for column in x_NF.T:
            if column.std() > 0:
                assert abs(np.corrcoef(column, targets_N)[0, 1]) < 0.06, kind


@pytest.mark.parametrize("style", ["trees", "dense"])
def test_values_with_one_row_stand_for_those_never_seen(style):
    """Rare values go with the second label: so does a new one."""
    cells = [f"rare {number}" for number in range(300)] + ["often", "common", "usual"] * 100
    targets_N = np.array([1] * 300 + [0, 0, 1] * 100)
    table = _table(ColumnKind.CATEGORY, _texts(*cells))
    preparation, x_NF = _check(table, targets_N, 2, style, _table(ColumnKind.CATEGORY, _texts("rare 5", "new", "usual")))
    rare, new, usual, often = preparation.apply(_table(ColumnKind.CATEGORY, _texts("rare 5", "new", "usual", "often")))
    np.testing.assert_array_equal(rare, new)
    if style == "trees":
        statistic = [name.endswith("share of label 1") for name in preparation.names_F].index(True)
        assert new[statistic] > 0.95 * usual[statistic] > often[statistic]
        np.testing.assert_allclose(x_NF[:300, statistic], new[statistic], rtol=0.02)


def test_statistics_follow_the_targets_and_shrink_where_there_are_few():
    rng = np.random.default_rng(0)
    codes_N = np.concatenate([rng.integers(3, size=3000), [3]])
    targets_N = np.append((rng.random(3000) < np.array([0.1, 0.5, 0.9])[codes_N[:3000]]).astype(np.int64), 1)
    responses = responses_of(targets_N, 2, seed=0)
    means_VR, own_NR = statistics_of(codes_N, 4, responses)
    np.testing.assert_allclose(means_VR[:3, 0], [0.1, 0.5, 0.9], atol=0.05)
    assert means_VR[3, 0] < 1.0, "one row is not certain"
    assert means_VR[4, 0] == pytest.approx(targets_N.mean()), "a value never seen has the mean of all"
    assert own_NR[-1, 0] == pytest.approx(targets_N.mean()), "and so has one that no other row has"


def test_folds_hold_equal_shares_of_each_label():
    responses = responses_of(np.array([0] * 900 + [1] * 100), 2, seed=3)
    counts = np.bincount(responses.folds_N[900:], minlength=NUM_FOLDS)
    assert counts.min() >= 9
    assert counts.max() <= 11


@pytest.mark.parametrize("style", ["trees", "dense"])
def test_words_count_whatever_the_script(style):
    rng = np.random.default_rng(0)
    targets_N = rng.integers(2, size=600)
    good, bad = ["很好吃", "Very GOOD food", "очень вкусно"], ["不好吃", "not good at all", "невкусно"]
    texts = _texts(*(f"{(good if target else bad)[rng.integers(3)]} {rng.integers(50)}!" for target in targets_N))
    others = _texts("", "好吃", "GOOD good Good", "невкусно совсем", "!!!", "emoji 😀 only", "a" * 3000, "x " * 2000)
    table = _table(ColumnKind.TEXT, texts)
    preparation, x_NF = _check(table, targets_N, 2, style, _table(ColumnKind.TEXT, others))
    strengths = [abs(np.corrcoef(column, targets_N)[0, 1]) for column in x_NF.T if column.std() > 0]
    assert max(strengths) > 0.9
    assert "words for share of label 1" in " ".join(preparation.names_F)
    applied = preparation.apply(_table(ColumnKind.TEXT, _texts("very good food", "VERY Good FOOD")))
    np.testing.assert_array_equal(applied[0], applied[1], err_msg="upper case is no other word")


@given(st.lists(st.text(max_size=40), min_size=1, max_size=20))
@settings(max_examples=40, deadline=None)
def test_any_text_has_the_same_words_in_a_graph(texts):
    clean = [text.replace("\0", "") for text in texts]
    training = _texts(*clean, "one two", "one two", "one two")
    table = _table(ColumnKind.TEXT, training)
    preparation, _ = Preparation.learn(table, np.arange(len(training)) % 2, 2, style="trees", seed=0)
    np.testing.assert_array_equal(_in_graph(preparation, table), preparation.apply(table))


def test_words_are_runs_of_letters_and_single_characters_of_chinese():
    assert words_of("It's 3.5 kg, naïve 中文ok!") == ["It", "s", "3", "5", "kg", "naïve", "中", "文", "ok"]


def test_same_seed_same_features():
    table, score = made_table(300)
    first, second = (Preparation.learn(table, targets_of(score, 2), 2, style="trees", seed=4)[1] for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_nothing_to_learn_from_is_refused():
    nothing = np.empty((3, 0))
    table = Table((), nothing.astype(np.float32), nothing.astype(np.int64), nothing.astype(object), nothing.astype(object))
    with pytest.raises(EngineError) as caught:
        Preparation.learn(table, np.arange(3), 3, style="trees", seed=0)
    assert caught.value.code == "no_feature_columns"
    table, _ = made_table(5)
    with pytest.raises(EngineError):
        Preparation.learn(table.take(slice(0)), np.arange(0), 2, style="dense", seed=0)


def test_no_rows_are_prepared_too():
    table, score = made_table(40)
    for style in ("trees", "dense"):
        preparation, _ = Preparation.learn(table, targets_of(score, 2), 2, style=style, seed=0)
        assert preparation.apply(table.take(slice(0))).shape == (0, preparation.num_features)
