"""Findings that follow from the measures of one picture and how the others of the dataset are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.quality import Finding, FindingKind, QualityItem
from engine.quality.items.image.measure import PictureMeasures

# Limits were read off one planted set and one collection of photographs; they are judged on others (benchmarks/quality.py).
EMPTY_FRACTION = 0.98
DARK_BRIGHT_END = 0.2
"""Even the brightest pixels are darker than this."""
BRIGHT_DARK_END = 0.6
"""Even the darkest pixels are brighter than this, and the brightest are blown out."""
BLOWN_OUT = 0.98
SHARPNESS = 0.49
LEAST_SHARPNESS = 0.35
"""The limit goes no lower than this where all pictures are soft."""
LEAST_SIDE_PX = 64
"""A smaller picture is never reported as blurred: a blur that shows there is about as wide as a pixel."""
ASPECT = 3.0
"""Times longer than wide, against the usual of the dataset."""
SIZE = 4.0
"""Times larger or smaller along a side than the usual."""
GREY = 0.003
MOST_ODD_FRACTION = 0.15
"""What more pictures than this are is no longer odd."""
_SPREADS = 5.0
_TO_DEVIATION = 1.4826


def limits_of(items: Sequence[QualityItem], measures: Sequence[PictureMeasures]) -> dict[str, float]:
    """The limits in force for this dataset, by name."""
    aspects, sizes = _log_aspects(items), _log_sides(items)
    judged = [inspect for item, inspect in zip(items, measures, strict=True) if _is_large(item) and not is_plain(inspect)]
    sharp = np.array([one.sharpness for one in judged] or [1.0])
    middle, spread = _middle(sharp)
    return {
        FindingKind.LOW_INFORMATION.value: EMPTY_FRACTION,
        FindingKind.DARK.value: DARK_BRIGHT_END,
        FindingKind.BRIGHT.value: BRIGHT_DARK_END,
        FindingKind.BLURRED.value: min(SHARPNESS, max(LEAST_SHARPNESS, middle - 3 * spread)),
        FindingKind.ODD_ASPECT.value: float(np.exp(max(np.log(ASPECT), _SPREADS * _middle(aspects)[1]))),
        FindingKind.ODD_SIZE.value: float(np.exp(max(np.log(SIZE), _SPREADS * _middle(sizes)[1]))),
        FindingKind.ODD_COLOUR.value: GREY,
    }


def is_plain(measures: PictureMeasures) -> bool:
    """Whether next to nothing is to be seen; such a picture is not judged further."""
    return measures.empty_fraction >= EMPTY_FRACTION


def is_badly_lit(measures: PictureMeasures) -> bool:
    """Whether the picture is dark or overexposed."""
    is_bright = measures.dark_end >= BRIGHT_DARK_END and measures.bright_end >= BLOWN_OUT
    return measures.bright_end <= DARK_BRIGHT_END or is_bright


def findings_of_measures(
    items: Sequence[QualityItem], measures: Sequence[PictureMeasures], limits: Mapping[str, float]
) -> list[Finding]:
    """All findings that need no other picture beside them."""
    out = []
    for item, inspect in zip(items, measures, strict=True):
        for kind, value, severity in _of_one(item, inspect, limits):
            out.append(_finding(item, kind, value, limits[kind.value], severity))
    out += _odd(items, _log_aspects(items), FindingKind.ODD_ASPECT, limits)
    out += _odd(items, _log_sides(items), FindingKind.ODD_SIZE, limits)
    return out + _odd_colours(items, measures, limits)


def _is_large(item: QualityItem) -> bool:
    return min(item.width, item.height) >= LEAST_SIDE_PX


def _of_one(item: QualityItem, inspect: PictureMeasures, limits: Mapping[str, float]) -> list[tuple[FindingKind, float, float]]:
    """Kinds with the value measured and the severity; a badly lit picture is not judged further."""
    found = []
    if inspect.bright_end <= DARK_BRIGHT_END:
        found.append((FindingKind.DARK, inspect.bright_end, 1 - inspect.bright_end / DARK_BRIGHT_END / 2))
    elif is_plain(inspect):
        found.append((FindingKind.LOW_INFORMATION, inspect.empty_fraction, inspect.empty_fraction))
    elif is_badly_lit(inspect):
        found.append((FindingKind.BRIGHT, inspect.dark_end, inspect.dark_end))
    elif _is_large(item) and inspect.sharpness < limits[FindingKind.BLURRED.value]:
        found.append((FindingKind.BLURRED, inspect.sharpness, 1 - inspect.sharpness))
    return found


def _odd(
    items: Sequence[QualityItem], logs_N: NDArray[np.float64], kind: FindingKind, limits: Mapping[str, float]
) -> list[Finding]:
    middle, _ = _middle(logs_N)
    times_N = np.exp(np.abs(logs_N - middle))
    rows = [int(row) for row in np.flatnonzero(times_N > limits[kind.value])]
    return [
        _finding(items[row], kind, float(times_N[row]), limits[kind.value], 1 - limits[kind.value] / float(times_N[row]) / 2)
        for row in rows
    ]


def _odd_colours(
    items: Sequence[QualityItem], measures: Sequence[PictureMeasures], limits: Mapping[str, float]
) -> list[Finding]:
    seen = [row for row, inspect in enumerate(measures) if not is_badly_lit(inspect) and not is_plain(inspect)]
    grey = [row for row in seen if measures[row].colour < GREY]
    coloured = [row for row in seen if measures[row].colour >= GREY]
    odd = min(grey, coloured, key=len)
    if len(odd) > MOST_ODD_FRACTION * len(seen):
        return []
    kind = FindingKind.ODD_COLOUR
    return [_finding(items[row], kind, measures[row].colour, limits[kind.value], 0.5) for row in odd]


def _finding(item: QualityItem, kind: FindingKind, value: float, limit: float, severity: float) -> Finding:
    detail = {"value": round(value, 4), "limit": round(limit, 4)}
    if kind in {FindingKind.ODD_ASPECT, FindingKind.ODD_SIZE}:
        detail |= {"width": item.width, "height": item.height}
    return Finding(item=item.item, kind=kind, severity=min(1.0, max(0.0, severity)), detail=detail)


def _log_aspects(items: Sequence[QualityItem]) -> NDArray[np.float64]:
    return np.log([item.width / item.height for item in items])


def _log_sides(items: Sequence[QualityItem]) -> NDArray[np.float64]:
    return np.log([item.width * item.height for item in items]) / 2


def _middle(values_N: NDArray[np.float64]) -> tuple[float, float]:
    """Median and robust standard deviation."""
    middle = float(np.median(values_N))
    return middle, _TO_DEVIATION * float(np.median(np.abs(values_N - middle)))
