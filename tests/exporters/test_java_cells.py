"""The library for Java reads cells of a table as the runtime does."""

from __future__ import annotations

import random
import unicodedata
from itertools import product

from runtime.cells import EPOCH_MS, EPOCH_S, ISO, folded, number_of, seconds_of, text_of
from tests.exporters.java_library import ask
from tests.exporters.test_javascript_cells import MOMENTS, NUMBERS, TEXTS, WITH, cases_of_formats, together


def test_cells_mean_what_they_mean_in_python():
    drawn = random.Random(1)
    made = ["".join(drawn.choices("0123456789.,-+()$€ %kgm'eE\u00a0", k=drawn.randint(1, 9))) for _ in range(1000)]
    # Of the characters that every JVM knows.
    signs = [chr(code) for code in range(0x1F000) if unicodedata.ucd_3_2_0.category(chr(code)) not in {"Cn", "Co", "Cs"}]
    numbers = [("number", cell, some) for cell, some in product((*NUMBERS, *made), WITH)]
    texts = [("text", cell) for cell in TEXTS]
    moments = [("moment", cell, (some,)) for cell, some in product(MOMENTS, (ISO, "", EPOCH_S, EPOCH_MS))]
    moments += [("moment", cell, some) for cell, some in cases_of_formats()]
    spellings = [("folded", f"a{sign}b") for sign in signs]
    results = iter(ask(*numbers, *texts, *moments, *spellings))
    wrong = []
    for what, cell, some in numbers:
        expected = number_of(cell, some[0], some[1:])
        wrong += _wrong((what, cell, some), "NaN" if expected is not None and expected != expected else expected, next(results))  # noqa: PLR0124
    for call in texts:
        wrong += _wrong(call, text_of(call[1]), next(results))
    for call in moments:
        expected = seconds_of(call[1], call[2][0])
        wrong += _wrong(call, None if expected is None else str(expected), next(results))
    assert not wrong, f"{len(wrong)}, such as (call, Python, Java): {wrong[:20]}"
    ours, theirs = together(signs, list(results)), together(signs, [folded(f"a{sign}b") for sign in signs])
    assert ours ^ theirs == set()


def _wrong(call: tuple, expected: object, given: object) -> list[tuple]:
    return [] if expected == given and type(expected) is type(given) else [(call, expected, given)]
