"""Nasty tables: dates, thousands, mixed cells, missing words, codes, identifiers, columns that give the target away."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from automl.contracts.table import Column, ColumnKind, ColumnRole, TableSchema
from engine.table.guess import column_guess, merge, other_readings, sample_places, table_guess, target_guess
from engine.table.guess_numbers import numbers_guess
from engine.table.units import units_guess
from runtime.cells import MISSING_TIME, moments_of, number_of, numbers_of

NASTY = Path(__file__).parent / "nasty"

# What each column is: n number, n, number with a decimal comma, c category, t text, any other word a datetime's format; a ! in
# front says that it is ignored, what stands behind a blank is the unit of a number.
EXPECTED = {
    "access_log": {"when": "%d/%b/%Y:%H:%M:%S %z", "ip": "!c", "status_code": "c", "size": "n"},
    "accounting": {"entry": "n", "change": "n", "tiny": "n"},
    "ambiguous_days": {"a": "%m/%d/%Y", "b": "%d.%m.%Y"},
    "booleans": {"active": "c", "vip": "c", "flag": "c", "paid": "c", "是否会员": "c"},
    "chinese_dates": {
        "日期": "%Y年%m月%d日",
        "月份": "%Y年%m月",
        "下单时间": "%Y/%m/%d %H:%M",
        "记录": "%Y年%m月%d日 %H时%M分",
    },
    "chinese_people": {
        "姓名": "!c",
        "省份": "c",
        "评论": "t",
        "年龄": "n",
        "身份证号": "!c",
        "手机号": "!c",
        "是否流失": "c",
    },
    "compact_dates": {"trade_date": "%Y%m%d", "stamp": "%Y%m%d%H%M%S", "volume": "n", "period": "%Y%m"},
    "constants": {"country": "!c", "version": "!n", "ticked": "c", "level": "n"},
    "comma_units": {"gewicht": "n, kg", "rabatt": "n, %", "betrag": "n, €"},
    "currency_percent": {"price": "n $", "discount": "n %", "fee": "n €", "单价": "n ¥"},
    "day_first": {"invoice_date": "%d/%m/%Y", "paid": "%d/%m/%Y", "total": "n"},
    "english_months": {
        "opened": "%d-%b-%Y",
        "closed": "%b %d, %Y",
        "billing": "%B %Y",
        "mailed": "%a, %d %b %Y %H:%M:%S %z",
    },
    "epochs": {"created_at": "epoch_s", "ts": "epoch_ms", "account_id": "!c", "bytes": "n"},
    "identifiers": {"id": "!c", "uuid": "!c", "order_no": "!c", "customer_id": "c", "email": "!c", "value": "n"},
    "iso_dates": {"day": "iso", "seen": "iso", "local": "iso", "logged": "iso", "short": "%Y-%m-%d"},
    "leading_zeros": {"zip": "c", "product": "c", "phone": "!c", "share": "n"},
    "leakage": {"tenure": "n", "churn": "c", "churned": "c", "cancelled_on": "iso", "score_after": "n", "refund": "n"},
    "long_digits": {"card": "!c", "barcode": "!c", "distance_m": "n", "ratio": "n"},
    "missing_words": {"height": "n", "blood": "c", "empty": "!c", "seldom": "n", "since": "iso"},
    "mixed": {"income": "n", "dose": "c", "temp": "n", "day": "iso", "size": "c"},
    "mixed_units": {"weight": "c", "price": "c", "value": "c", "memory": "c", "height": "c"},
    "month_first": {"ship_date": "%m/%d/%Y", "due": "%m/%d/%y", "at": "%m/%d/%Y %I:%M:%S %p"},
    "names_and_texts": {"name": "!c", "comment": "t", "city": "c", "age": "n"},
    "no_units": {"emp_length": "c", "seat": "!c", "quarter": "c", "parts": "c", "range": "c", "size": "c", "sku_class": "c"},
    "one_currency": {
        "price": "n USD",
        "fee": "n €",
        "balance": "n $",
        "preis": "n CHF",
        "salary": "n $",
        "比例": "n ％",
        "售价": "n 万元",
    },
    "one_unit": {
        "weight": "n kg",
        "area": "n sq. ft.",
        "wait": "n days",
        "engine": "n CC",
        "fuel": "n l/100km",
        "temperature": "n °C",
        "年龄": "n 岁",
        "面积": "n 平方米",
    },
    "one_row": {"length": "n", "born": "iso", "animal": "c"},
    "parted_by_blanks": {"loyer": "n,", "preis": "n"},
    "points_beside_whole": {"einwohner": "n,", "ort": "c"},
    "quoted": {"note": "t", "amount": "n", "unit": "c"},
    "sentinels": {"temperature": "n", "age": "n", "opened": "iso"},
    "series": {"year": "n", "t": "n", "day": "n", "level": "n"},
    "small_codes": {"stars": "n", "rooms": "n", "type_code": "c", "productClass": "c", "grade": "c"},
    "sorted_days": {"visited": "%d/%m/%Y", "pages": "n"},
    "thousands_comma": {"revenue": "n", "units": "n", "margin": "n"},
    "thousands_point": {"umsatz": "n,", "stueck": "n,", "quote": "n,"},
    "three_decimals": {"weight_kg": "n", "ppm": "n"},
    "times_of_day": {"start": "%H:%M", "end": "%I:%M %p", "ratio": "!c"},
    "tiny": {"length": "n", "legs": "n", "animal": "c"},
    "units": {"weight": "n kg", "height": "c", "range": "c"},
    "unnamed_index": {"Unnamed: 0": "!n", "Unnamed: 0.1": "!n", "x": "n", "y": "c"},
    "versions_and_codes": {"release": "!c", "mac": "!c", "colour": "c", "url": "!c", "quarter": "c"},
}
KINDS = {"n": ColumnKind.NUMBER, "n,": ColumnKind.NUMBER, "c": ColumnKind.CATEGORY, "t": ColumnKind.TEXT}


def load(name: str) -> dict[str, list[str]]:
    with (NASTY / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        head = file.readline()
        file.seek(0)
        names, *rows = csv.reader(file, delimiter=";" if ";" in head else ",")
    return {each: [row[place] for row in rows] for place, each in enumerate(names)}


def guess(columns: dict[str, list[str]]) -> TableSchema:
    return table_guess(list(columns), list(columns.values()))


def expected(name: str, text: str) -> tuple[Column, str]:
    """The column without the spellings of its unit, and the one that is shown."""
    role = ColumnRole.IGNORED if text.startswith("!") else ColumnRole.FEATURE
    text, _, unit = text.removeprefix("!").partition(" ") if text[:2] in {"n ", "n,"} else (text.removeprefix("!"), "", "")
    kind = KINDS.get(text, ColumnKind.DATETIME)
    column = Column(
        name=name,
        kind=kind,
        role=role,
        decimal="," if text == "n," else ".",
        datetime_format=text if kind is ColumnKind.DATETIME else "",
    )
    return column, unit


def test_every_file_is_in_the_table():
    assert {path.stem for path in NASTY.glob("*.csv")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_kinds_and_roles_are_guessed(name):
    guessed = [(one.model_copy(update={"units": ()}), (one.units or ("",))[0]) for one in guess(load(name)).columns]
    assert guessed == [expected(*each) for each in EXPECTED[name].items()]


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_guessed_can_be_read(name):
    """A guess is worth nothing when the service that answers reads the cells otherwise."""
    columns = load(name)
    for column in guess(columns).columns:
        cells = columns[column.name]
        if column.kind is ColumnKind.NUMBER:
            values, odd = numbers_of(cells, column.decimal, column.units)
            assert np.isfinite(values).any()
        elif column.kind is ColumnKind.DATETIME:
            seconds, odd = moments_of(cells, column.datetime_format)
            assert (seconds != MISSING_TIME).any()
        else:
            odd = []
        assert len({cells[place] for place in odd}) <= 3
        assert len(odd) <= 0.3 * len(cells)


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("ambiguous_days", {"a": "%d/%m/%Y", "b": "%m.%d.%Y"}),
        ("sorted_days", {"visited": "%m/%d/%Y"}),
        ("day_first", {}),
        ("thousands_point", {}),
        ("three_decimals", {}),
    ],
)
def test_what_stays_ambiguous_is_reported_unless_another_column_decides(name, others):
    columns = load(name)
    assert other_readings(guess(columns), columns) == others


def test_a_point_before_three_digits_is_reported_when_nothing_decides():
    columns = {"mass": ["1.234", "2.500", "7.125", "3.875"]}
    schema = guess(columns)
    assert schema.columns[0].decimal == "."
    assert other_readings(schema, columns) == {"mass": ","}
    assert numbers_of(columns["mass"], ",")[0].tolist() == [1234, 2500, 7125, 3875]


def test_the_decimal_sign_of_one_column_decides_another():
    columns = {"mass": ["1.234", "2.500", "7.125"], "share": ["0,5", "12,25", "3,1"]}
    assert [column.decimal for column in guess(columns).columns] == [",", ","]


def test_one_late_day_decides_a_column():
    cells = [f"{1 + i % 12:02d}/{1 + i * 5 % 12:02d}/2023" for i in range(60)]
    assert column_guess("when", cells).datetime_format == "%m/%d/%Y"
    assert column_guess("when", [*cells, "13/01/2023"]).datetime_format == "%d/%m/%Y"


def test_a_sample_spreads_over_the_file():
    places = sample_places(1_000_000, 20)
    assert len(places) == 20_000
    assert places[0] == 0
    assert places[-1] == 999_999
    assert np.diff(places).max() <= 51
    assert sample_places(7).tolist() == list(range(7))
    assert len(sample_places(0)) == 0
    assert len(sample_places(1_000_000, 2_000)) == 2_000


def test_row_numbers_are_found_in_a_sample():
    places = sample_places(123_457, 3)
    rng = np.random.default_rng(0)
    rising = np.sort(rng.choice(10**6, len(places), replace=False))
    columns = {"row": [str(place + 1) for place in places], "population": [str(value) for value in rising]}
    roles = {column.name: column.role for column in guess(columns).columns}
    assert roles == {"row": ColumnRole.IGNORED, "population": ColumnRole.FEATURE}


def test_the_same_names_and_lengths_are_asked_for():
    with pytest.raises(ValueError, match="argument"):
        table_guess(["a", "b"], [["1"]])
    with pytest.raises(ValueError, match="unique"):
        table_guess(["a", "a"], [["1"], ["2"]])


def test_merging_keeps_what_a_person_chose_and_appends_what_is_new():
    chosen = TableSchema(columns=(Column(name="zip", kind=ColumnKind.NUMBER, role=ColumnRole.TARGET),))
    later = guess({"new": ["a", "b"], "zip": ["00501", "00502"]})
    merged = merge(chosen, later)
    assert merged.columns == (chosen.columns[0], Column(name="new", kind=ColumnKind.CATEGORY))
    assert merge(merged, later) == merged
    assert merge(TableSchema(), later) == later


@pytest.mark.parametrize(
    ("names", "target"),
    [
        (["target", "a", "b"], "target"),
        (["Class", "a", "b"], "Class"),
        (["a", "目标", "b"], "目标"),
        (["a", "是否流失", "b"], "是否流失"),
        (["is_fraud", "amount", "when"], "is_fraud"),
        (["rooms", "SalePrice", "garden"], "SalePrice"),
        (["a", "b", "c"], "c"),
        (["a", "y", "b"], "y"),
        (["price", "x", "y", "z"], "price"),
    ],
)
def test_a_target_is_suggested_by_name_or_place(names, target):
    columns = tuple(Column(name=name, kind=ColumnKind.NUMBER) for name in names)
    assert target_guess(TableSchema(columns=columns)) == target


def test_no_target_is_suggested_of_columns_that_are_none():
    ignored = Column(name="target", kind=ColumnKind.NUMBER, role=ColumnRole.IGNORED)
    assert target_guess(TableSchema(columns=(ignored, Column(name="text", kind=ColumnKind.TEXT)))) is None
    assert target_guess(TableSchema()) is None
    chosen = Column(name="a", kind=ColumnKind.TEXT, role=ColumnRole.TARGET)
    assert target_guess(TableSchema(columns=(chosen, Column(name="label", kind=ColumnKind.CATEGORY)))) == "a"


def test_a_column_that_begins_with_whole_numbers_and_goes_on_with_others():
    cells = [str(number) for number in range(500)] + [f"{number}.5" for number in range(500)] + ["²"]
    (column,) = guess({"power": cells}).columns
    assert column.kind is ColumnKind.NUMBER


@pytest.mark.parametrize("name", ["one_unit", "one_currency", "comma_units", "currency_percent"])
def test_every_cell_with_the_one_unit_is_read(name):
    columns = load(name)
    for column in guess(columns).columns:
        values, odd = numbers_of(columns[column.name], column.decimal, column.units)
        assert not odd
        assert np.isfinite(values).all()


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("-$5", -5),
        ("$-5", -5),
        ("− $5", -5),
        ("($5)", -5),
        ("$(5)", -5),
        ("$1,200.50 USD", 1200.5),
        ("1 200 usd", 1200),
        ("7", 7),
        ("€5", None),
        ("5%", None),
        ("A$5", None),
        ("--$5", None),
        ("$", None),
        ("$5 or $6", None),
    ],
)
def test_a_sign_stands_on_either_side_of_a_unit_and_another_unit_is_none(cell, value):
    assert number_of(cell, ".", ("$", "USD")) == value


def test_the_case_of_short_units_counts():
    assert number_of("5 KWH", ".", ("kWh",)) == 5
    assert number_of("5 MB", ".", ("Mb",)) is None
    assert number_of("5 M", ".", ("m",)) is None
    assert number_of("5 mm", ".", ("m",)) is None


def test_a_sign_of_a_currency_is_left_aside_where_a_column_has_no_unit():
    assert [number_of(cell) for cell in ("$5", "-$5", "$-5", "- €5", "5 %")] == [5, -5, -5, -5, 5]
    assert number_of("- 5") is None


@pytest.mark.parametrize(
    ("cells", "mixed"),
    [
        (["12 kg"] * 9 + ["5 lb"] * 3, ("kg", "lb")),
        (["$1", "$2", "€3"], ("$", "€")),
        (["€3M", "€4M", "€500K"], ("€ M", "€ K")),
        (["$3M", "$4M"], ("$ M",)),
        (["1 mm", "2 mm", "3 m"], ("mm", "m")),
    ],
)
def test_units_that_differ_or_stand_together_are_reported(cells, mixed):
    counts = {cell: cells.count(cell) for cell in cells}
    assert units_guess(counts) == ((), mixed)
    column = column_guess("weight", cells)
    assert (column.kind, column.role) == (ColumnKind.CATEGORY, ColumnRole.FEATURE)


def test_one_cell_in_a_hundred_with_another_unit_does_not_make_a_column_words():
    column = column_guess("weight", [f"{place} kg" for place in range(99)] + ["5 lb"])
    assert column.kind is ColumnKind.NUMBER
    assert number_of("5 lb", column.decimal, column.units) is None


def test_numbers_are_guessed_as_services_read_them():
    cells = ["5", "+5", "-05", ".5", "0.125", "012.345", "1.234", "1234.567", "1.5", "5.", "1,5", "1,234", "1.234,5", "1,234.5"]
    cells += ["-1.234", "1e5", "٣.5", "x", "9" * 400, "1 234"]
    for decimal in (".", ","):
        numbers = numbers_guess(dict.fromkeys(cells, 1) | {"7.25": 99 * (decimal == "."), "7,25": 99 * (decimal == ",")})
        assert numbers.decimal == decimal
        assert {cell: numbers.values.get(cell) for cell in cells} == {cell: number_of(cell, decimal) for cell in cells}
