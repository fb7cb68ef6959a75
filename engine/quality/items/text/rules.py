"""Findings that follow from the measures of one text and how the others of the dataset are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from automl.contracts.quality import Finding, FindingKind, QualityItem
from engine.quality.items.text.measure import TextMeasures

# Limits were read off Chinese reviews and planted faults among them (tests/engine/quality/test_quality_texts.py).
EMPTY_FRACTION = 0.7
"""So much of a text says nothing: marks, or one letter over and over."""
_LEAST_CHARACTERS = 8
"""Of a shorter text, marks are no fault: an exclamation is short."""
_LEAST_REPEATED = 12
SHORTER, LONGER = 6.0, 10.0
"""Times, against the usual of the dataset."""
LONG_CHARACTERS = 5_000
"""Longer texts are reported in any dataset: no family reads more than the beginning."""
_LEAST_LONG = 300
"""Texts up to here are never long, those from here on never short."""
_SPREADS = 5.0
_TO_DEVIATION = 1.4826
MOST_ODD_FRACTION = 0.15
"""What more texts than this are is no longer odd."""
MOST_OTHER_SCRIPT = 0.05
"""The same of scripts: a twentieth of English among Chinese is an accident, more is how the data is."""


def limits_of(measures: Sequence[TextMeasures]) -> dict[str, float]:
    """The limits in force for this dataset, by name."""
    return {FindingKind.LOW_INFORMATION.value: EMPTY_FRACTION, FindingKind.ODD_SIZE.value: round(_usual(measures)[2], 2)}


def findings_of(items: Sequence[QualityItem], measures: Sequence[TextMeasures]) -> list[Finding]:
    """All findings that need no other text beside them; at most one an item, the one that explains most."""
    found: dict[str, Finding] = {}
    for rule in (_garbled, _empty, _odd_lengths, _odd_scripts):
        for one in rule(items, measures):
            found.setdefault(one.item, one)
    return list(found.values())


def empty_fraction(one: TextMeasures) -> float:
    """Share of a text that says nothing, 0..1."""
    if one.num_letters == 0:
        return 1.0
    marks = 1 - one.letters_fraction if one.num_characters >= _LEAST_CHARACTERS else 0.0
    repeated = one.most_common_fraction if one.num_letters >= _LEAST_REPEATED else 0.0
    return max(marks, repeated)


def _garbled(items: Sequence[QualityItem], measures: Sequence[TextMeasures]) -> Iterator[Finding]:
    for item, one in zip(items, measures, strict=True):
        if one.garbling is not None:
            detail = {"reason": one.garbling.value, "value": round(min(1.0, one.garbled_fraction), 4)}
            yield _finding(item, FindingKind.GARBLED, detail, 0.5 + one.garbled_fraction / 2)


def _empty(items: Sequence[QualityItem], measures: Sequence[TextMeasures]) -> Iterator[Finding]:
    for item, one in zip(items, measures, strict=True):
        value = empty_fraction(one)
        if value > EMPTY_FRACTION:
            detail = {"value": round(value, 4), "limit": EMPTY_FRACTION}
            yield _finding(item, FindingKind.LOW_INFORMATION, detail, value)


def _odd_lengths(items: Sequence[QualityItem], measures: Sequence[TextMeasures]) -> Iterator[Finding]:
    middle, shorter, longer = _usual(measures)
    for is_long in (True, False):
        rows = []
        for row, one in enumerate(measures):
            length = max(one.num_characters, 1)
            if is_long and length > LONG_CHARACTERS:
                rows.append((row, length / middle, True))
            elif is_long and length > _LEAST_LONG and length > longer * middle:
                rows.append((row, length / middle, False))
            elif not is_long and length < _LEAST_LONG and length * shorter < middle:
                rows.append((row, middle / length, False))
        is_odd = len(rows) <= MOST_ODD_FRACTION * len(items)
        limit = longer if is_long else shorter
        for row, times, is_any_case in rows:
            if is_odd or is_any_case:
                detail = {
                    "value": round(times, 2),
                    "limit": round(limit, 2),
                    "num_characters": measures[row].num_characters,
                    "is_long": is_long,
                }
                yield _finding(items[row], FindingKind.ODD_SIZE, detail, 1 - min(limit / times, 1.0) / 2)


def _odd_scripts(items: Sequence[QualityItem], measures: Sequence[TextMeasures]) -> Iterator[Finding]:
    counts = Counter(one.script for one in measures if one.script is not None)
    if not counts:
        return
    usual, num_usual = counts.most_common(1)[0]
    total = sum(counts.values())
    if total - num_usual > MOST_OTHER_SCRIPT * total:
        return
    for item, one in zip(items, measures, strict=True):
        if one.script is not None and one.script != usual:
            share = counts[one.script] / total
            detail: Mapping[str, object] = {"script": one.script, "usual": usual, "value": round(share, 4)}
            yield _finding(item, FindingKind.ODD_LANGUAGE, detail, 1 - share / MOST_OTHER_SCRIPT / 2)


def _finding(item: QualityItem, kind: FindingKind, detail: Mapping[str, object], severity: float) -> Finding:
    return Finding.model_validate(
        {"item": item.item, "kind": kind, "severity": min(1.0, max(0.0, severity)), "detail": dict(detail)}
    )


def _usual(measures: Sequence[TextMeasures]) -> tuple[float, float, float]:
    """The usual length in characters, and how many times shorter and longer is odd."""
    logs_N = np.log([max(one.num_characters, 1) for one in measures])
    middle = float(np.median(logs_N))
    spread = float(np.exp(_SPREADS * _TO_DEVIATION * np.median(np.abs(logs_N - middle))))
    return float(np.exp(middle)), max(SHORTER, spread), max(LONGER, spread)
