"""Charts as inline SVG: colours come from the page's style, so that they suit light, dark and paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from studio.registry.document.markup import EMPTY, joined
from studio.registry.document.numbers import number_text

NUM_COLOURS = 8
_WIDTH, _HEIGHT = 420, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 24, 10, 44
_TICKS = 5

Points = Sequence[tuple[float, float]]
Format = Callable[[float], str]


@dataclass(frozen=True)
class Axis:
    """One axis: what it measures, from where to where."""

    title: str
    low: float
    high: float
    format: Format = number_text

    @classmethod
    def around(cls, title: str, values: Sequence[float], format: Format = number_text) -> Axis:  # noqa: A002 - as the field
        """An axis that holds all values."""
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        margin = (high - low) * 0.04 or abs(high) * 0.1 or 1.0
        return cls(title, low - margin, high + margin, format)

    def place(self, value: float) -> float:
        """Where a value stands, 0 at the low end and 1 at the high one."""
        return (value - self.low) / ((self.high - self.low) or 1.0)


@dataclass(frozen=True)
class Curve:
    """Points joined by a line."""

    name: str
    points: Points
    note: SafeString = EMPTY
    """Beside its name, e.g. the area below it."""


def lines(curves: Sequence[Curve], x: Axis, y: Axis, *, has_diagonal: bool = False) -> SafeString:
    """Curves with a legend."""
    drawn = [_diagonal(x, y)] if has_diagonal else []
    for index, curve in enumerate(curves):
        path = " ".join(f"{_x(x, one):.1f},{_y(y, other):.1f}" for one, other in curve.points)
        drawn.append(format_html('<polyline class="line c{}" points="{}"/>', index % NUM_COLOURS, path))
        if len(curve.points) == 1:
            drawn.append(_dot(x, y, curve.points[0], f"dot c{index % NUM_COLOURS}"))
    legend = format_html_join(
        "",
        '<li><span class="key c{}"></span>{} {}</li>',
        ((index % NUM_COLOURS, curve.name, curve.note) for index, curve in enumerate(curves) if curve.name or curve.note),
    )
    return format_html('<figure>{}<ul class="legend">{}</ul></figure>', _framed(joined(drawn), x, y), legend)


def scatter(points: Points, x: Axis, y: Axis) -> SafeString:
    """Points, and the line on which both are equal."""
    dots = joined(_dot(x, y, point, "dot faint c0") for point in points)
    return format_html("<figure>{}</figure>", _framed(joined((_diagonal(x, y), dots)), x, y))


def histogram(edges: Sequence[float], counts: Sequence[int], x_title: str, y_title: str, x_format: Format) -> SafeString:
    """Bars between edges."""
    if not counts:
        return EMPTY
    x, y = Axis(x_title, edges[0], edges[-1], x_format), Axis(y_title, 0.0, float(max(counts) or 1))
    bars = joined(
        format_html(
            '<rect class="bar" x="{}" y="{}" width="{}" height="{}"><title>{} – {}: {}</title></rect>',
            f"{_x(x, low):.1f}",
            f"{_y(y, count):.1f}",
            f"{max(0.5, _x(x, high) - _x(x, low) - 1):.1f}",
            f"{_y(y, 0) - _y(y, count):.1f}",
            x_format(low),
            x_format(high),
            count,
        )
        for low, high, count in zip(edges, edges[1:], counts, strict=False)
    )
    return format_html("<figure>{}</figure>", _framed(bars, x, y))


def interval_bar(value: float, ends: tuple[float, float] | None) -> SafeString:
    """A value between 0 and 1 as a point, with its interval as a bar."""
    low, high = ends or (value, value)
    start, end, at = (min(1.0, max(0.0, each)) * 200 for each in (low, high, value))
    return format_html(
        '<svg class="interval" viewBox="-5 0 210 14" role="presentation"><path class="axis" d="M0 7H200"/>'
        '<rect class="range" x="{}" y="3.5" width="{}" height="7" rx="2"/><circle class="dot c0" cx="{}" cy="7" r="4"/></svg>',
        f"{start:.1f}",
        f"{end - start:.1f}",
        f"{at:.1f}",
    )


def amount_bar(value: float, most: float) -> SafeString:
    """A size beside the largest one."""
    width = 200 * max(0.0, value) / (most or 1.0)
    return format_html(
        '<svg class="interval" viewBox="0 0 200 14" role="presentation"><rect class="bar" y="2" width="{}" height="10"/></svg>',
        f"{width:.1f}",
    )


def _framed(drawn: SafeString, x: Axis, y: Axis) -> SafeString:
    return format_html(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}: {}">{}{}{}</svg>',
        _WIDTH,
        _HEIGHT,
        x.title,
        y.title,
        joined(_ticks(x, y)),
        _titles(x, y),
        drawn,
    )


def _titles(x: Axis, y: Axis) -> SafeString:
    return format_html(
        '<text class="title" x="{}" y="{}">{}</text><text class="title" transform="translate(12 {}) rotate(-90)">{}</text>',
        (_LEFT + _WIDTH - _RIGHT) / 2,
        _HEIGHT - 6,
        x.title,
        (_TOP + _HEIGHT - _BOTTOM) / 2,
        y.title,
    )


def _ticks(x: Axis, y: Axis) -> list[SafeString]:
    drawn = []
    for step in range(_TICKS):
        share = step / (_TICKS - 1)
        for_x, for_y = (axis.low + share * (axis.high - axis.low) for axis in (x, y))
        drawn.append(format_html('<path class="axis" d="M{} {}H{}"/>', _LEFT, f"{_y(y, for_y):.1f}", _WIDTH - _RIGHT))
        drawn.append(
            format_html('<text class="tick y" x="{}" y="{}">{}</text>', _LEFT - 5, f"{_y(y, for_y) + 3:.1f}", y.format(for_y))
        )
        drawn.append(
            format_html(
                '<text class="tick" x="{}" y="{}">{}</text>', f"{_x(x, for_x):.1f}", _HEIGHT - _BOTTOM + 14, x.format(for_x)
            )
        )
    return drawn


def _diagonal(x: Axis, y: Axis) -> SafeString:
    low, high = max(x.low, y.low), min(x.high, y.high)
    ends = " ".join(f"{_x(x, each):.1f},{_y(y, each):.1f}" for each in (low, high))
    return format_html('<polyline class="even" points="{}"/>', ends)


def _dot(x: Axis, y: Axis, point: tuple[float, float], kind: str) -> SafeString:
    return format_html('<circle class="{}" cx="{}" cy="{}" r="2.5"/>', kind, f"{_x(x, point[0]):.1f}", f"{_y(y, point[1]):.1f}")


def _x(axis: Axis, value: float) -> float:
    return _LEFT + axis.place(value) * (_WIDTH - _LEFT - _RIGHT)


def _y(axis: Axis, value: float) -> float:
    return _HEIGHT - _BOTTOM - axis.place(value) * (_HEIGHT - _TOP - _BOTTOM)
