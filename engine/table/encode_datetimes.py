"""Moments as features: parts of the calendar, by whole numbers inside the graph as outside.

Days become a date of the proleptic Gregorian calendar as in H. Hinnant's "chrono-compatible low-level date algorithms"
(https://howardhinnant.github.io/date_algorithms.html#civil_from_days), which is right for moments before 1970 too: all
divisions round down. Moments are in UTC. Parts that are the same in all training rows are left out.

Shapes: N rows, D columns, P parts, F features.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from engine.table.encode_numbers import ScaledNumbers, scale_numbers
from engine.table.encode_targets import Responses, Style
from engine.table.graph import GraphWriter
from runtime.cells import MISSING_TIME

PARTS = ("days since 1970", "year", "month", "day of month", "weekday", "hour", "day of year")
"""Weekdays run from 0, Monday, to 6; hours have fractions; days of the year run from 1 to 366."""
_DAYS, _YEAR, _MONTH, _DAY, _WEEKDAY, _HOUR, _DAY_OF_YEAR = range(len(PARTS))
_CIRCLES = {_MONTH: 12, _DAY: 31, _WEEKDAY: 7, _HOUR: 24, _DAY_OF_YEAR: 366}
"""Parts that begin anew, with the number of steps round."""
_DAY_S = 86_400
_ERA, _TO_MARCH = 146_097, 719_468
"""Days of 400 years, and from the first of March of the year 0 to 1970."""
_DAYS_TO_1970 = 719_162
"""Days from the first of January of the year 1."""
_FURTHEST_S = 3_000_000 * _DAY_S
"""Moments further from 1970, by 8,200 years, are taken as this far: whole days stay exact in float32."""


@dataclass(frozen=True)
class CalendarParts:
    """Parts of moments as they are; missing is NaN."""

    names: tuple[str, ...]
    places: tuple[int, ...]
    parts: tuple[int, ...]
    """By feature, its place in ``PARTS``."""

    def apply(self, array: NDArray[np.int64]) -> NDArray[np.float32]:
        """See ``encode.Block``."""
        parts_PND = calendar_parts(array)
        return np.stack([parts_PND[part][:, place] for part, place in zip(self.parts, self.places, strict=True)], axis=1)

    def write(self, graph: GraphWriter, name: str) -> str:
        """See ``encode.Block``."""
        parts = graph.add("Concat", _write_parts(graph, name), axis=1)
        width = graph.inputs[name][1]
        columns = [part * width + place for part, place in zip(self.parts, self.places, strict=True)]
        return graph.add("Gather", [parts, graph.constant(np.array(columns, dtype=np.int64))], axis=1)


@dataclass(frozen=True)
class CalendarCircles:
    """Parts of moments for models that are no trees: scaled, and those that begin anew as points on a circle besides."""

    names: tuple[str, ...]
    places: tuple[int, ...]
    parts: CalendarParts
    scaled: ScaledNumbers
    turning: NDArray[np.int64]
    """Places, among the features of ``parts``, of those that begin anew."""
    offsets: NDArray[np.int64]
    """Where the circle of each of them begins in ``points_S2``."""
    points_S2: NDArray[np.float32]
    """Sine and cosine of every step."""

    def apply(self, array: NDArray[np.int64]) -> NDArray[np.float32]:
        """See ``encode.Block``."""
        x_NF = self.parts.apply(array)
        turning_NF = x_NF[:, self.turning]
        is_missing_NF = np.isnan(turning_NF)
        steps_NF = np.where(is_missing_NF, np.float32(0), turning_NF).astype(np.int64) + self.offsets
        points_NF2 = np.where(is_missing_NF[..., None], np.float32(0), self.points_S2[steps_NF])
        return np.concatenate([self.scaled.apply(x_NF), points_NF2.reshape(len(x_NF), -1)], axis=1, dtype=np.float32)

    def write(self, graph: GraphWriter, name: str) -> str:
        """See ``encode.Block``."""
        x = self.parts.write(graph, name)
        scaled = self.scaled.write(graph, x)
        if not len(self.turning):
            return scaled
        turning = graph.add("Gather", [x, graph.constant(self.turning)], axis=1)
        is_missing = graph.add("IsNaN", [turning])
        steps = graph.add("Cast", [graph.add("Where", [is_missing, graph.floats(0.0), turning])], to=TensorProto.INT64)
        steps = graph.add("Add", [steps, graph.constant(self.offsets)])
        points = graph.add("Gather", [graph.constant(self.points_S2), steps], axis=0)
        points = graph.add(
            "Where", [graph.add("Unsqueeze", [is_missing, graph.constant(np.array([2]))]), graph.floats(0.0), points]
        )
        flat = graph.add("Reshape", [points, graph.ints(0, 2 * len(self.turning))])
        return graph.add("Concat", [scaled, flat], axis=1)


def learn_datetimes(
    seconds_ND: NDArray[np.int64], names: tuple[str, ...], responses: Responses, style: Style
) -> tuple[CalendarParts | CalendarCircles, NDArray[np.float32]]:
    """Learns which parts differ; nothing is learned from the targets."""
    parts_PND = calendar_parts(seconds_ND)
    with np.errstate(invalid="ignore"):
        differs_PD = np.array([[_differs(parts_N) for parts_N in parts_ND.T] for parts_ND in parts_PND])
    chosen = [(part, place) for place in range(len(names)) for part in range(len(PARTS)) if differs_PD[part, place]]
    chosen = chosen or [(_DAYS, 0)]  # all are the same: one feature that says so
    block = CalendarParts(
        names=tuple(f"{names[place]}: {PARTS[part]}" for part, place in chosen),
        places=tuple(place for _, place in chosen),
        parts=tuple(part for part, _ in chosen),
    )
    x_NF = block.apply(seconds_ND)
    if style == "trees":
        return block, x_NF
    circles = _circles(block, x_NF)
    return circles, circles.apply(seconds_ND)


def _differs(parts_N: NDArray[np.float32]) -> bool:
    known = parts_N[~np.isnan(parts_N)]
    return len(known) > 0 and bool((known != known[0]).any() or len(known) < len(parts_N))


def _circles(parts: CalendarParts, x_NF: NDArray[np.float32]) -> CalendarCircles:
    scaled = scale_numbers(x_NF, parts.names)
    turning = [place for place, part in enumerate(parts.parts) if part in _CIRCLES]
    points, offsets = [np.zeros((0, 2))], []
    for place in turning:
        num_steps = _CIRCLES[parts.parts[place]]
        angles = 2 * np.pi * np.arange(num_steps + 1) / num_steps
        offsets.append(sum(len(each) for each in points))
        points.append(np.stack([np.sin(angles), np.cos(angles)], axis=1))
    circle_names = tuple(f"{parts.names[place]}, {word}" for place in turning for word in ("sine", "cosine"))
    return CalendarCircles(
        names=(*scaled.names, *circle_names),
        places=(*(parts.places[place] for place in scaled.places), *(parts.places[p] for p in turning for _ in range(2))),
        parts=parts,
        scaled=scaled,
        turning=np.array(turning, dtype=np.int64),
        offsets=np.array(offsets, dtype=np.int64),
        points_S2=np.concatenate(points).astype(np.float32),
    )


def calendar_parts(seconds_ND: NDArray[np.int64]) -> NDArray[np.float32]:
    """The parts of moments, in the order of ``PARTS``: ``_PND`` float32, NaN where a moment is missing."""
    is_missing = seconds_ND == MISSING_TIME
    seconds = np.clip(np.where(is_missing, 0, seconds_ND), -_FURTHEST_S, _FURTHEST_S)
    days = seconds // _DAY_S
    shifted = days + _TO_MARCH
    era = shifted // _ERA
    day_of_era = shifted - era * _ERA
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096) // 365
    day_of_march_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    march_month = (5 * day_of_march_year + 2) // 153
    day = day_of_march_year - (153 * march_month + 2) // 5 + 1
    is_late = (march_month >= 10).astype(np.int64)
    month = march_month + 3 - 12 * is_late
    year = year_of_era + era * 400 + is_late
    before = year - 1
    new_year = 365 * before + before // 4 - before // 100 + before // 400 - _DAYS_TO_1970
    hour = (seconds - days * _DAY_S).astype(np.float32) / np.float32(3600)
    whole = [days, year, month, day, (days + 3) % 7]
    parts = [*(each.astype(np.float32) for each in whole), hour, (days - new_year + 1).astype(np.float32)]
    return np.where(is_missing, np.float32(np.nan), np.stack(parts))


def _write_parts(graph: GraphWriter, name: str) -> list[str]:
    """``calendar_parts`` as nodes; the graph's division of whole numbers rounds towards zero, hence ``_Whole``."""
    whole = _Whole(graph)
    is_missing = graph.add("Equal", [name, whole.number(MISSING_TIME)])
    seconds = graph.add("Where", [is_missing, whole.number(0), name])
    # By comparing: in onnxruntime 1.31 Min, Max and Clip of int64 compare the lower halves of numbers as if they had a sign.
    early, late = whole.number(-_FURTHEST_S), whole.number(_FURTHEST_S)
    seconds = graph.add("Where", [graph.add("Less", [seconds, early]), early, seconds])
    seconds = graph.add("Where", [graph.add("Greater", [seconds, late]), late, seconds])
    days = whole.quotient(seconds, _DAY_S)
    shifted = whole.plus(days, _TO_MARCH)
    era = whole.quotient(shifted, _ERA)
    day_of_era = whole.minus(shifted, whole.times(era, _ERA))
    leaps = [whole.quotient(day_of_era, days_in) for days_in in (1460, 36524, 146096)]
    day_of_years = whole.minus(whole.plus(whole.minus(day_of_era, leaps[0]), leaps[1]), leaps[2])
    year_of_era = whole.quotient(day_of_years, 365)
    years_in_days = whole.minus(
        whole.plus(whole.times(year_of_era, 365), whole.quotient(year_of_era, 4)), whole.quotient(year_of_era, 100)
    )
    day_of_march_year = whole.minus(day_of_era, years_in_days)
    march_month = whole.quotient(whole.plus(whole.times(day_of_march_year, 5), 2), 153)
    month_begins = whole.quotient(whole.plus(whole.times(march_month, 153), 2), 5)
    day = whole.plus(whole.minus(day_of_march_year, month_begins), 1)
    is_late = graph.add("Cast", [graph.add("GreaterOrEqual", [march_month, whole.number(10)])], to=TensorProto.INT64)
    month = whole.minus(whole.plus(march_month, 3), whole.times(is_late, 12))
    year = whole.plus(whole.plus(year_of_era, whole.times(era, 400)), is_late)
    before = whole.plus(year, -1)
    new_year = whole.plus(whole.times(before, 365), whole.quotient(before, 4))
    new_year = whole.plus(whole.minus(new_year, whole.quotient(before, 100)), whole.quotient(before, 400))
    day_of_year = whole.minus(days, whole.plus(new_year, -_DAYS_TO_1970 - 1))
    weekday = graph.add("Mod", [whole.plus(days, 3), whole.number(7)])
    in_day = graph.add("Cast", [whole.minus(seconds, whole.times(days, _DAY_S))], to=TensorProto.FLOAT)
    hour = graph.add("Div", [in_day, graph.floats(3600.0)])
    floats = [graph.add("Cast", [each], to=TensorProto.FLOAT) for each in (days, year, month, day, weekday)]
    floats += [hour, graph.add("Cast", [day_of_year], to=TensorProto.FLOAT)]
    return [graph.add("Where", [is_missing, graph.floats(float("nan")), each]) for each in floats]


class _Whole:
    """Arithmetic of whole numbers in a graph."""

    def __init__(self, graph: GraphWriter):
        self._graph = graph

    def number(self, value: int | str) -> str:
        return value if isinstance(value, str) else self._graph.constant(np.array(value, dtype=np.int64))

    def plus(self, left: str, right: int | str) -> str:
        return self._graph.add("Add", [left, self.number(right)])

    def minus(self, left: str, right: int | str) -> str:
        return self._graph.add("Sub", [left, self.number(right)])

    def times(self, left: str, right: int | str) -> str:
        return self._graph.add("Mul", [left, self.number(right)])

    def quotient(self, left: str, right: int) -> str:
        """Rounded down: less the remainder, which ``Mod`` gives the divisor's sign, nothing is left to round."""
        rest = self._graph.add("Mod", [left, self.number(right)])
        return self._graph.add("Div", [self.minus(left, rest), self.number(right)])
