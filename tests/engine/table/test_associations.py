"""What a column says of the target: leaks are found, and honest columns of real tables are let alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn import datasets

from automl.contracts.table import ColumnKind, WarningCode
from engine.table.associations import SampledColumn, Target, correlations, target_association
from tests.engine.table.test_profile import profile_of, warned

NUM = 900
WHOLE = ColumnKind.NUMBER
NAMED = ColumnKind.CATEGORY


def numbers(values, name: str = "a") -> SampledColumn:
    values = np.asarray(values, dtype=float)
    return SampledColumn(name, WHOLE, values, np.zeros(len(values), dtype=np.int64))


def names(codes, name: str = "a") -> SampledColumn:
    return SampledColumn(name, NAMED, np.zeros(0), np.asarray(codes, dtype=np.int64))


def cells_of(load) -> dict[str, list[str]]:
    data = load()
    columns = {
        str(name): [f"{value:.6g}" for value in column] for name, column in zip(data.feature_names, data.data.T, strict=True)
    }
    is_class = len(set(data.target)) < 20
    return columns | {"target": [f"class {value}" if is_class else f"{value:g}" for value in data.target]}


@pytest.mark.parametrize(
    "load",
    [
        datasets.load_breast_cancer,
        datasets.load_wine,
        datasets.load_diabetes,
        datasets.load_iris,
        datasets.load_digits,
        datasets.load_linnerud,
    ],
    ids=lambda load: load.__name__,
)
def test_no_column_of_a_real_table_leaks(load):
    if load is datasets.load_linnerud:
        data = load()
        columns = {name: [f"{v:g}" for v in column] for name, column in zip(data.feature_names, data.data.T, strict=True)}
        columns["target"] = [f"{value:g}" for value in data.target[:, 0]]
    else:
        columns = cells_of(load)
    profile = profile_of(columns, target="target")
    assert not warned(profile, WarningCode.LEAKS_TARGET)


def leaky_classes() -> tuple[dict[str, list[str]], np.ndarray]:
    columns = cells_of(datasets.load_breast_cancer)
    return columns, np.array([cell == "class 0" for cell in columns["target"]])


RNG = np.random.default_rng(0)
PLANTED = {
    "noise": lambda y: [f"{value + RNG.normal(0, 0.1):.4f}" for value in y],
    "words": lambda y: ["malignant" if value else "benign" for value in y],
    "code": lambda y: [["B1", "B2", "M1", "M2"][2 * int(value) + int(RNG.integers(2))] for value in y],
    "date": lambda y: [f"2024-0{1 + int(RNG.integers(9))}-17" if value else "" for value in y],
    "seldom": lambda y: [f"{RNG.uniform(1, 9):.2f}" if value and RNG.random() < 0.4 else "" for value in y],
    "refund": lambda y: [f"{RNG.uniform(1, 9):.2f}" if value and RNG.random() < 0.6 else "0" for value in y],
    "note": lambda y: [
        f"patient {place} was {'sent to surgery at once' if value else 'asked to come again next year'} by the doctor"
        for place, value in enumerate(y)
    ],
    "nearly": lambda y: ["yes" if value != (RNG.random() < 0.003) else "no" for value in y],
}


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_leak_of_a_class_is_found_and_nothing_else(plant):
    columns, y = leaky_classes()
    planted = {"planted": PLANTED[plant](y), **columns}
    found = warned(profile_of(planted, target="target"), WarningCode.LEAKS_TARGET)
    assert set(found) == {"planted"}
    assert found["planted"].share > 0.9


@pytest.mark.parametrize(
    "plant",
    [
        lambda y: y + RNG.normal(0, 3, len(y)),
        np.log,
        lambda y: 1000 - y * 2,
        lambda y: np.round(y / 10),
    ],
)
def test_a_planted_leak_of_a_number_is_found_and_nothing_else(plant):
    columns = cells_of(datasets.load_diabetes)
    y = np.array([float(cell) for cell in columns["target"]])
    planted = {"planted": [f"{value:.5g}" for value in plant(y)], **columns}
    found = warned(profile_of(planted, target="target"), WarningCode.LEAKS_TARGET)
    assert set(found) == {"planted"}


def test_good_columns_are_no_leaks():
    """A column may well say most of the target, and be missing more often in one class."""
    columns, y = leaky_classes()
    rng = np.random.default_rng(1)
    columns |= {
        "test": [str(int(value != (rng.random() < 0.03))) for value in y],
        "dose": ["" if rng.random() < (0.8 if value else 0.2) else f"{rng.uniform(1, 9):.2f}" for value in y],
        "drug": [f"{rng.uniform(1, 9):.2f}" if rng.random() < (0.6 if value else 0.02) else "0" for value in y],
    }
    assert not warned(profile_of(columns, target="target"), WarningCode.LEAKS_TARGET)
    columns = cells_of(datasets.load_diabetes)
    target = np.array([float(cell) for cell in columns["target"]])
    columns["test"] = [f"{value + rng.normal(0, 0.25 * target.std()):.1f}" for value in target]
    assert not warned(profile_of(columns, target="target"), WarningCode.LEAKS_TARGET)


def test_an_association_is_none_of_noise_and_whole_of_the_target_itself():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, NUM)
    values = rng.lognormal(0, 2, NUM)
    for target in (Target(classes, None), Target(None, values)):
        for noise in (
            numbers(rng.normal(size=NUM)),
            names(rng.integers(0, 9, NUM)),
            names(np.arange(NUM)),
            numbers(np.arange(NUM)),
        ):
            assert target_association(noise, target) < 0.08
    assert target_association(numbers(classes), Target(classes, None)) > 0.97
    assert target_association(names(classes), Target(classes, None)) > 0.97
    assert target_association(numbers(values), Target(None, values)) > 0.99
    assert target_association(numbers(-np.log(values)), Target(None, values)) > 0.99


def test_a_missing_cell_says_what_it_says():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 2, NUM)
    half = np.where(classes == 1, np.nan, rng.normal(size=NUM))
    assert target_association(numbers(half), Target(classes, None)) > 0.97
    assert target_association(names(np.where(classes == 1, -1, rng.integers(0, 4, NUM))), Target(classes, None)) > 0.9


def test_rows_without_a_target_do_not_count():
    rng = np.random.default_rng(0)
    classes = np.where(np.arange(NUM) % 2, rng.integers(0, 2, NUM), -1)
    column = np.where(classes < 0, 5, classes)
    assert target_association(numbers(column), Target(classes, None)) > 0.97
    assert target_association(numbers(column), Target(np.where(np.arange(NUM) < 20, 1, -1), None)) is None
    assert target_association(numbers(column), Target(np.zeros(NUM, dtype=np.int64), None)) is None


def test_ranks_of_numbers_are_correlated_as_by_spearman():
    rng = np.random.default_rng(0)
    first = np.round(rng.normal(size=NUM), 1)
    second = np.exp(first + rng.normal(size=NUM))
    (found,) = correlations([numbers(first, "a"), numbers(second, "b")])
    assert found[2] == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-9)
    holes = np.where(rng.random(NUM) < 0.2, np.nan, -second)
    (found,) = correlations([numbers(first, "a"), numbers(holes, "b")])
    there = ~np.isnan(holes)
    assert found[2] < 0, "the one falls as the other rises"
    assert found[2] == pytest.approx(stats.spearmanr(first[there], holes[there]).statistic, abs=0.01)


def test_categories_go_together_as_by_cramer_without_bias():
    rng = np.random.default_rng(0)
    first = rng.integers(0, 12, 400)
    columns = [names(first, "a"), names(first, "b"), names(rng.integers(0, 12, 400), "c")]
    strengths = {(one, two): strength for one, two, strength in correlations(columns)}
    assert strengths["a", "b"] == pytest.approx(1.0, abs=0.01)
    table = stats.contingency.crosstab(first, rng.integers(0, 12, 400)).count
    assert strengths["a", "c"] < 0.1 < stats.contingency.association(table, method="cramer")


def test_a_number_and_a_category_go_together_by_the_correlation_ratio():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 5, NUM)
    value = group * 2.0 + rng.normal(0, 1, NUM)
    (found,) = correlations([names(group, "a"), numbers(value, "b")])
    within = sum(((value[group == one] - value[group == one].mean()) ** 2).sum() for one in range(5))
    eta2 = 1 - within / ((value - value.mean()) ** 2).sum()
    assert found[2] == pytest.approx(np.sqrt(eta2), abs=0.003)
    (found,) = correlations([names(rng.integers(0, 100, NUM), "a"), numbers(value, "b")])
    assert found[2] < 0.2


def test_a_gap_between_classes_is_found_in_a_small_table():
    classes = np.arange(120) % 3
    column = numbers(38 + classes * 5 + np.arange(120) / 100)
    assert target_association(column, Target(classes, None)) > 0.97
    moments = SampledColumn("when", ColumnKind.DATETIME, 1.7e9 + classes * 600 + np.arange(120), np.zeros(120, dtype=np.int64))
    assert target_association(moments, Target(classes, None)) > 0.97
