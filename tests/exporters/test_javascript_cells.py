"""Cells mean in the JavaScript packages what they mean in Python."""

from __future__ import annotations

import json
import math
import random
import subprocess
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import product
from unicodedata import category

from engine.table.guess_datetimes import _ALONE, _DATES, _TIMES
from exporters._javascript.package import built_folder
from runtime.cells import EPOCH_MS, EPOCH_S, ISO, Cell, folded, number_of, seconds_of, text_of
from studio.config.node import node_folder

NUMBERS: tuple[Cell, ...] = (
    *(
        "",
        " ",
        "NA",
        "n/a",
        "-",
        "?",
        "缺失",
        "0",
        "-0",
        "+5",
        "5.",
        ".5",
        "1e3",
        "1E-3",
        "1e999",
        "inf",
        "nan",
        "12%",
        "５",
        "٣٤",
    ),
    *(
        "1,234",
        "1,234.5",
        "1.234,5",
        "1 234",
        "1\u00a0234",
        "1'234",
        "1’234’567",
        "12,34",
        "1,2345",
        "(5)",
        "$(5)",
        "($5)",
        "-$5",
    ),
    *(
        "$ -5",
        "\u22125",
        "€5",
        "5€",
        "5 元",
        "¥ 1,000",
        "5 kg",
        "kg 5",
        "5KG",
        "5 KILO",
        "- 5 kg",
        "kg",
        "5 m",
        "5 M",
        "abc",
        "1_000",
    ),
    *("0x10", "1 2", "--5", "1.2.3", "1,,2", "\x1c7\x1f", "\ufeff7", "7\u2003", "1e5kg", "٫5", "1e+05", "true"),
    *(0, 7, -3, 2.5, 1e300, -0.0, True, False, None),
)
WITH = ((".",), (",",), (".", "kg", "kilo"), (",", "m"), (".", "$"))
TEXTS: tuple[Cell, ...] = (
    *(*NUMBERS, 1e16, 1.5e16, 123456789012345.6, 1e-4, 1e-5, 1.5e-7, 0.1, 1 / 3, 1e22, 1.7976931348623157e308),
    *("  spaced  ", "\x85line\x85", "\ufeffmark", "None", "NULL"),
)
MOMENTS = (
    *(
        "2024-02-29",
        "2023-02-29",
        "20240131",
        "2024-W01-1",
        "2024W011",
        "2024-W53-7",
        "2020-W53",
        "2024-W00-1",
        "2024-01-31T12",
    ),
    *("2024-01-31 12:30", "2024-01-31T12:30:59.123456", "2024-01-31T12:30:59,5", "2024-01-31T123059", "2024-01-31T12:30:59Z"),
    *("2024-01-31T12:30:59+02:00", "2024-01-31T12:30:59-0330", "2024-01-31T12:30+01", "2024-01-31x12:30", "2024-01-31T24:00"),
    *(
        "2024-1-3",
        "0000-01-01",
        "0001-01-01",
        "9999-12-31T23:59:59",
        "2024-01-31T12:60",
        "2024-01-31 ",
        "1969-12-31T23:59:59.5",
    ),
    *(
        "2024-0131",
        "2024-01-31T",
        "2024-01-31T1:30",
        "2024-01-31T12:3059",
        "2024-01-31T12:30:59z",
        "٢٠٢٤-٠١-٣١",
        "",
        "n/a",
        "12",
        "-1",
    ),
    *("1700000000", "1.7e12", "1e16", "-1500", "abc", "2024-01-31T12:30:59+02:00:30"),
)


def _read(questions: list[dict[str, object]]) -> list[object]:
    """What the packages make of cells."""
    program = [str(node_folder() / "node"), str(built_folder("check") / "cells.js")]
    done = subprocess.run(program, input=json.dumps(questions).encode(), capture_output=True, check=True)
    return json.loads(done.stdout)


def _compare(what: str, cases: list[tuple[Cell, tuple[str, ...], object]]) -> None:
    given = _read([{"what": what, "cell": cell, "with": some} for cell, some, _ in cases])
    wrong = [(*case, value) for case, value in zip(cases, given, strict=True) if case[2] != value]
    assert not wrong, f"{len(wrong)} of {len(cases)}, such as (cell, with, Python, JavaScript): {wrong[:20]}"


def _plain(number: float | None) -> object:
    return "NaN" if number is not None and math.isnan(number) else number


def test_numbers_are_those_of_python() -> None:
    drawn = random.Random(1)
    made = ["".join(drawn.choices("0123456789.,-+()$€ %kgm'eE\u00a0", k=drawn.randint(1, 9))) for _ in range(3000)]
    _compare(
        "number",
        [(cell, some, _plain(number_of(cell, some[0], some[1:]))) for cell, some in product((*NUMBERS, *made), WITH)],
    )


def test_texts_are_those_of_python() -> None:
    _compare("text", [(cell, (), text_of(cell)) for cell in TEXTS])


def test_the_same_spellings_are_one_value() -> None:
    """What they are folded to may differ: Cherokee is upper case in Python."""
    every = [chr(code) for code in range(0x1F000) if category(chr(code)) not in {"Cn", "Co", "Cs"}]
    questions: list[dict[str, object]] = [{"what": "folded", "cell": f"a{sign}b", "with": ()} for sign in every]
    ours, theirs = together(every, [folded(f"a{sign}b") for sign in every]), together(every, _read(questions))
    assert ours ^ theirs == set()


def together(signs: list[str], keys: list[object]) -> set[str]:
    """Signs with the same key, as one text each: what they are folded to may differ."""
    found: defaultdict[object, str] = defaultdict(str)
    for sign, key in zip(signs, keys, strict=True):
        found[key] += sign
    return set(found.values())


def test_moments_are_those_of_python() -> None:
    cases: list[tuple[Cell, tuple[str, ...]]] = [
        (cell, (some,)) for cell, some in product(MOMENTS, (ISO, "", EPOCH_S, EPOCH_MS))
    ]
    cases += cases_of_formats()
    _compare("moment", [(cell, some, _moment(seconds_of(cell, some[0]))) for cell, some in cases])


def cases_of_formats() -> list[tuple[Cell, tuple[str, ...]]]:
    """Moments in every format that is guessed, and some that are in another."""
    formats = [*_DATES, *_ALONE, *(f"{date} {time}" for date, time in product(_DATES[::4], _TIMES))]
    drawn = random.Random(2)
    cases: list[tuple[Cell, tuple[str, ...]]] = []
    for some in formats:
        shown = [seconds_of(_date_text(drawn), ISO) for _ in range(6)]
        texts = [_written(seconds, some) for seconds in shown if seconds is not None]
        cases += [
            (text, (some,)) for text in (*texts, *(text.upper() for text in texts[:2]), *(text[1:] for text in texts[:2]))
        ]
        cases += [(cell, (some,)) for cell in drawn.sample(MOMENTS, 6)]
    return cases


def _date_text(drawn: random.Random) -> str:
    date = f"{drawn.randint(1900, 2099)}-{drawn.randint(1, 12):02}-{drawn.randint(1, 28):02}"
    return f"{date}T{drawn.randint(0, 23):02}:{drawn.randint(0, 59):02}"


def _written(seconds: int, datetime_format: str) -> str:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).strftime(datetime_format)


def _moment(seconds: int | None) -> str | None:
    return None if seconds is None else str(seconds)
