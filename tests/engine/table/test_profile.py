"""Profiles of tables: counts against plain Python, and each warning on a planted fault and on a clean table."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest

from automl.contracts.table import Column, ColumnKind, ColumnRole, TableProfile, TableSchema, WarningCode
from engine.table.guess import table_guess
from engine.table.profile import SAMPLE_ROWS, RowTargets, table_profile
from engine.table.profile_cells import coded, values_of
from runtime.cells import MISSING_TIME, is_missing, moments_of, numbers_of

NUM = 600
ODD_NUMBERS = "1 1.5 -2 .5 5. 1e3 1e999 -.5 +3 1,234 1,234.5 $5 (4) 12% abc - NA inf nan 1_000 ٣ −5 0x1"
ODD_MOMENTS = "2024-02-30 2024-13-01 2024-01-01T24:00 2024-01-01T10:00:60 NA 2024-01-01Z 2024-01-01T10:00:00+08:00 31/02/2024"


def profile_of(columns: dict, *, target: str | None = None, **kwargs) -> TableProfile:
    """With the schema that is guessed; a kind may be set by ``kinds``."""
    kinds = kwargs.pop("kinds", {})
    guessed = table_guess(list(columns), [list(cells) for cells in columns.values()])
    schema = TableSchema(
        columns=tuple(
            column.model_copy(
                update=({"role": ColumnRole.TARGET} if column.name == target else {})
                | ({"kind": kinds[column.name], "role": ColumnRole.FEATURE} if column.name in kinds else {})
            )
            for column in guessed.columns
        )
    )
    table = pa.table(
        {name: pa.array([None if cell == "" else cell for cell in cells], pa.string()) for name, cells in columns.items()}
    )
    return table_profile(schema, table, **kwargs)


def warned(profile: TableProfile, code: WarningCode) -> dict:
    return {one.column or one.value: one for one in profile.warnings if one.code is code}


def clean(num: int = NUM, *, seed: int = 0) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    day = datetime(2020, 1, 1, tzinfo=UTC)
    return {
        "size": [f"{value:.3f}" for value in rng.normal(50, 9, num)],
        "weight": [f"{value:.2f}" for value in rng.lognormal(2, 0.6, num)],
        "colour": [["red", "green", "blue"][place] for place in rng.integers(0, 3, num)],
        "seen": [f"{day + timedelta(hours=int(hours)):%Y-%m-%d}" for hours in rng.integers(0, 20_000, num)],
        "good": [["no", "yes"][place] for place in rng.integers(0, 2, num)],
    }


def test_counts_are_those_of_plain_python():
    rng = random.Random(3)
    numbers = [rng.choice(["", "NA", "?", "abc", "12", "12.0", "1,250.5", f"{rng.gauss(0, 9):.2f}"]) for _ in range(NUM)]
    words = [rng.choice(["", "null", "a", "b", "b", "ß 中文"]) for _ in range(NUM)]
    profile = profile_of({"number": numbers, "word": words}, kinds={"number": ColumnKind.NUMBER})
    number, word = profile.columns
    read = [value for value in numbers_of(numbers)[0] if not np.isnan(value)]
    assert number.num_missing == sum(map(is_missing, numbers))
    assert number.num_invalid == numbers.count("abc")
    assert number.num_distinct == len(set(read))
    assert (number.minimum, number.maximum) == (min(read), max(read))
    assert number.mean == pytest.approx(np.mean(read))
    assert number.std == pytest.approx(np.std(read, ddof=1))
    assert number.quantiles == pytest.approx(np.quantile(read, [0.05, 0.25, 0.5, 0.75, 0.95]))
    assert number.histogram is not None
    assert sum(number.histogram.counts) == len(read)
    assert len(number.histogram.edges) == len(number.histogram.counts) + 1
    assert list(number.histogram.edges) == sorted(number.histogram.edges)
    assert set(number.examples) <= set(numbers)
    there = Counter(cell for cell in words if not is_missing(cell))
    assert {one.value: one.count for one in word.top} == there
    assert [one.count for one in word.top] == sorted(there.values(), reverse=True)
    assert (word.num_missing, word.num_distinct, word.num_invalid) == (sum(map(is_missing, words)), 3, 0)
    assert (profile.num_rows, profile.num_sampled) == (NUM, NUM)


def test_every_way_to_read_a_cell_gives_what_services_read():
    rng = random.Random(1)
    cells = [*ODD_NUMBERS.split(), *(f"{rng.uniform(-1e6, 1e6):.{rng.randint(0, 9)}f}" for _ in range(3_000))]
    for decimal in (".", ","):
        column = Column(name="a", kind=ColumnKind.NUMBER, decimal=decimal)
        assert np.array_equal(read(column, cells), numbers_of(cells, decimal)[0], equal_nan=True)
    start = datetime(1800, 1, 1, tzinfo=UTC)
    moments = [start + timedelta(seconds=rng.randint(0, 10**10)) for _ in range(3_000)]
    for each in ("iso", "%Y-%m-%d %H:%M:%S", "%d/%m/%Y %H:%M", "%Y年%m月%d日 %H时%M分", "%Y/%m", "%Y%m%d", "%b %d, %Y"):
        cells = [
            *ODD_MOMENTS.split(),
            *(f"{one:%Y-%m-%dT%H:%M:%S}" if each == "iso" else one.strftime(each) for one in moments),
        ]
        column = Column(name="a", kind=ColumnKind.DATETIME, datetime_format=each)
        seconds = moments_of(cells, each)[0]
        expected = np.where(seconds == MISSING_TIME, np.nan, seconds.astype(float))
        assert np.array_equal(read(column, cells), expected, equal_nan=True)


def read(column: Column, cells: list[str]) -> np.ndarray:
    found = coded(pa.chunked_array([cells[:100], cells[100:]]))
    return np.append(values_of(column, found), np.nan)[found.codes_N]


def test_a_clean_table_has_no_warnings():
    profile = profile_of(clean(), target="good", is_held_back_N=np.arange(NUM) % 4 == 0)
    assert profile.warnings == ()
    assert all(column.target_association < 0.1 for column in profile.columns if column.role is ColumnRole.FEATURE)


def test_wild_targets_are_reported_whatever_their_share_and_a_long_tail_is_none():
    rng = np.random.default_rng(0)
    numbers = rng.normal(22, 5, NUM).clip(5)
    wild = np.where(np.arange(NUM) % 25 == 0, numbers * 30, numbers)
    cells = clean() | {"price": [f"{value:.2f}" for value in wild]}
    (warning,) = warned(profile_of(cells, target="price"), WarningCode.OUTLIERS).values()
    assert (warning.column, round(warning.share, 3)) == ("price", 0.04)
    assert not warned(profile_of(cells), WarningCode.OUTLIERS), "of a column that is learned from four per cent are its nature"
    skewed = clean() | {"price": [f"{value:.2f}" for value in rng.lognormal(3, 1, NUM)]}
    assert not warned(profile_of(skewed, target="price"), WarningCode.OUTLIERS)


def test_histograms_have_a_bin_for_each_small_whole_number_and_survive_far_outliers():
    rng = np.random.default_rng(0)
    stars = profile_of({"stars": [str(value) for value in rng.integers(1, 6, NUM)]}).columns[0]
    assert stars.histogram.edges == (0.5, 1.5, 2.5, 3.5, 4.5, 5.5)
    far = [f"{value:.4f}" for value in rng.normal(0, 1, NUM)]
    far[7] = "1000000.5"
    histogram = profile_of({"far": far}).columns[0].histogram
    assert histogram.counts[-1] <= 5
    assert sum(count > 0 for count in histogram.counts) > 20
    assert sum(histogram.counts) == NUM


def test_texts_have_their_commonest_words():
    rng = random.Random(0)
    texts = [f"the battery {rng.choice(['lasts', 'died'])} after number {place} of weeks in my bag" for place in range(80)]
    reviews = [f"物流很快，包装完好，质量不错，值得推荐给朋友，第{place}次购买" for place in range(80)]
    profile = profile_of({"said": texts, "评论": reviews})
    assert [column.kind for column in profile.columns] == [ColumnKind.TEXT] * 2
    words = {one.value: one.count for one in profile.columns[0].top}
    assert words["battery"] == 80
    assert words["lasts"] + words["died"] == 80
    assert "the" not in words
    assert {one.value for one in profile.columns[1].top} >= {"物流", "很快", "质量"}


PLANTED = {
    WarningCode.IDENTIFIER: ("colour", [f"A-{place:05d}" for place in range(NUM)]),
    WarningCode.CONSTANT: ("colour", ["same"] * NUM),
    WarningCode.MOSTLY_MISSING: ("size", ["" if place % 10 else f"{place * 1.5}" for place in range(NUM)]),
    WarningCode.MIXED: ("size", ["broken" if place % 12 == 0 else f"{place * 1.37:.2f}" for place in range(NUM)]),
    WarningCode.MIXED_UNITS: ("colour", [f"{place % 50} {'lb' if place % 5 else 'kg'}" for place in range(NUM)]),
    WarningCode.HIGH_CARDINALITY: ("colour", [f"shade {place % 400}" for place in range(NUM)]),
    WarningCode.OUTLIERS: ("size", ["1e9" if place == 5 else f"{40 + place * 37 % 101}.5" for place in range(NUM)]),
    WarningCode.AMBIGUOUS: ("seen", [f"{1 + place * 5 % 12:02d}/{1 + place * 7 % 12:02d}/2024" for place in range(NUM)]),
}


@pytest.mark.parametrize("code", PLANTED)
def test_planted_faults_are_reported_for_their_column_alone(code):
    name, cells = PLANTED[code]
    columns = clean() | {name: cells}
    kinds = {name: ColumnKind.CATEGORY} if name == "colour" else {}
    found = warned(profile_of(columns, target="good", kinds=kinds), code)
    assert set(found) == {name}


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        ([("-999" if place % 9 == 0 else f"{place % 37}.5") for place in range(NUM)], "-999"),
        ([("-1" if place % 9 == 0 else f"{place % 37 + 3}") for place in range(NUM)], "-1"),
        ([("9999" if place % 9 == 0 else f"{place % 90}") for place in range(NUM)], "9999"),
        ([("9999-12-31" if place % 9 == 0 else f"2024-03-{place % 28 + 1:02d}") for place in range(NUM)], "9999-12-31"),
    ],
)
def test_numbers_that_mean_missing_are_reported(cells, value):
    found = warned(profile_of(clean() | {"size": cells}, target="good"), WarningCode.SENTINEL)
    assert found["size"].value == value
    assert found["size"].share == pytest.approx(67 / NUM)


def test_numbers_below_nothing_or_of_nines_are_not_reported_where_others_stand_beside():
    rng = np.random.default_rng(0)
    columns = clean() | {
        "size": [str(value) for value in rng.integers(-20, 20, NUM)],
        "weight": [str(value) for value in rng.integers(60, 100, NUM)],
    }
    assert not warned(profile_of(columns, target="good"), WarningCode.SENTINEL)


def test_units_are_reported_for_a_column_that_is_taken_for_words():
    columns = clean() | {"colour": [f"{place % 60} kg" for place in range(NUM)]}
    profile = profile_of(columns, target="good", kinds={"colour": ColumnKind.CATEGORY})
    (column,) = (one for one in profile.columns if one.name == "colour")
    assert (column.guessed, column.guessed_units[0]) == (ColumnKind.NUMBER, "kg")
    (column,) = (one for one in profile_of(columns).columns if one.name == "colour")
    assert (column.minimum, column.maximum, column.num_invalid) == (0, 59, 0)
    mixed = clean() | {"colour": [f"{place % 60} {'lb' if place % 5 else 'kg'}" for place in range(NUM)]}
    assert warned(profile_of(mixed), WarningCode.MIXED_UNITS)["colour"].value == "lb, kg"


def test_columns_that_part_the_rows_alike_are_reported_once():
    columns = clean()
    columns["farbe"] = [{"red": "rot", "green": "grün", "blue": "blau"}[cell] for cell in columns["colour"]]
    found = warned(profile_of(columns, target="good"), WarningCode.DUPLICATE_COLUMN)
    assert {name: one.other for name, one in found.items()} == {"farbe": "colour"}


def test_two_columns_of_values_that_all_differ_are_no_copies_unless_the_values_are_equal():
    rng = np.random.default_rng(0)
    first, second = ([f"{value:.9f}" for value in rng.normal(size=NUM)] for _ in range(2))
    columns = clean() | {"first": first, "second": second, "third": [f"0{cell}0" if cell[0] != "-" else cell for cell in first]}
    found = warned(profile_of(columns, target="good"), WarningCode.DUPLICATE_COLUMN)
    assert {name: one.other for name, one in found.items()} == {"third": "first"}


def test_rows_that_occur_twice_are_counted_where_they_are_no_chance():
    columns = {name: [*cells, *cells[:60]] for name, cells in clean().items()}
    (found,) = warned(profile_of(columns, target="good"), WarningCode.DUPLICATE_ROWS).values()
    assert found.share == pytest.approx(60 / 660)
    few = {name: columns[name] for name in ("colour", "good")}
    assert not warned(profile_of(few, target="good"), WarningCode.DUPLICATE_ROWS)


def test_classes_that_are_rare_or_nearly_all_are_reported():
    good = ["no"] * (NUM - 25) + ["yes"] * 20 + ["maybe"] * 5
    profile = profile_of(clean() | {"good": good}, target="good")
    assert warned(profile, WarningCode.IMBALANCED_TARGET)["no"].share == pytest.approx((NUM - 25) / NUM)
    rare = warned(profile, WarningCode.RARE_CLASS)["good"]
    assert (rare.num_values, [(one.value, one.count) for one in rare.values]) == (1, [("maybe", 5)])


def test_many_rare_classes_are_one_warning():
    names = [f"rare {place // 2}" for place in range(260)]
    good = [*(["no", "yes"] * NUM)[: NUM - len(names)], *names]
    (rare,) = [
        one for one in profile_of(clean() | {"good": good}, target="good").warnings if one.code is WarningCode.RARE_CLASS
    ]
    assert (rare.column, rare.num_values, len(rare.values)) == ("good", 130, 100)
    assert rare.share == pytest.approx(len(names) / NUM)


def test_drift_between_the_parts_is_reported():
    is_held_back_N = np.arange(NUM) >= 450
    columns = clean()
    shifted = [f"{float(cell) + (9 if is_held_back_N[place] else 0):.3f}" for place, cell in enumerate(columns["size"])]
    colours = ["blue" if is_held_back_N[place] and place % 2 else cell for place, cell in enumerate(columns["colour"])]
    found = warned(
        profile_of(columns | {"size": shifted, "colour": colours}, target="good", is_held_back_N=is_held_back_N),
        WarningCode.DRIFT,
    )
    assert set(found) == {"size", "colour"}
    assert found["size"].share > 0.25


def test_warnings_about_rows_count_more_than_their_cells():
    columns = clean()
    rng = np.random.default_rng(5)
    labels = [["cat", "dog"][place] for place in rng.integers(0, 2, NUM)]
    columns["colour"] = [f"it is a {label}" if place % 50 else "" for place, label in enumerate(labels)]
    targets = pa.array([label if place % 3 else None for place, label in enumerate(labels)])
    profile = profile_of(columns, target="good", targets=RowTargets(targets, None))
    assert set(warned(profile, WarningCode.LEAKS_TARGET)) == {"colour"}
    values = np.where(np.arange(NUM) % 3, [float(cell) * 2 + 5 for cell in columns["size"]], np.nan)
    profile = profile_of(columns, target="good", targets=RowTargets(None, values))
    assert set(warned(profile, WarningCode.LEAKS_TARGET)) == {"size"}


def test_associations_are_computed_on_a_sample_and_counts_on_all():
    columns = clean(SAMPLE_ROWS + 5_000)
    profile = profile_of(columns, target="good")
    assert (profile.num_rows, profile.num_sampled) == (SAMPLE_ROWS + 5_000, SAMPLE_ROWS)
    assert sum(one.count for one in profile.columns[2].top) == SAMPLE_ROWS + 5_000
    assert profile == profile_of(columns, target="good")


def test_progress_rises_and_may_end_the_work():
    fractions: list[float] = []
    profile_of(clean(), target="good", on_progress=lambda done, total: fractions.append(done / total))
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] < fractions[-1] < 1

    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        profile_of(clean(), target="good", on_progress=stop)


@pytest.mark.parametrize("num", [0, 1, 2])
def test_tables_of_next_to_nothing_have_a_profile(num):
    columns = {name: cells[:num] for name, cells in clean(5).items()} | {"empty": [""] * num}
    profile = profile_of(columns, target="good")
    assert profile.num_rows == num
    assert [column.num_missing for column in profile.columns] == [0, 0, 0, 0, 0, num]
    assert TableProfile.model_validate_json(profile.model_dump_json()) == profile


def test_numbers_too_large_to_add_up_leave_nothing_infinite_behind():
    profile = profile_of({"huge": ["1e308", "-1e308", "1.7e308"] * 30}, kinds={"huge": ColumnKind.NUMBER})
    assert TableProfile.model_validate_json(profile.model_dump_json()) == profile
    assert profile.columns[0].maximum == 1.7e308
