"""Measured values as people read them, the same as on the page. Each carries its exact value for programs."""

from __future__ import annotations

import math
import re

from django.utils.html import format_html
from django.utils.safestring import SafeString

NOTHING = SafeString("–")
_PLAIN = re.compile(r"(^|_)loss$|_ms$|_s$|_rate$|^num_|^r2$")
_AMOUNT = re.compile(r"^(rmse|mae)$|_error$")
_LARGE, _SMALL = 1e6, 1e-4


def metric_text(name: str, value: float) -> str:
    """Per cent for fractions, an amount in the unit of the target, three significant digits otherwise."""
    if _AMOUNT.search(name):
        return amount_text(value)
    return number_text(value) if is_plain(name) else fraction_text(value)


def is_plain(name: str) -> bool:
    """Whether a metric is a bare number: no share of anything that is counted, and no amount."""
    return bool(_PLAIN.search(name))


def fraction_text(value: float) -> str:
    """``0.9312`` as ``93.1%``."""
    return f"{value * 100:.1f}%"


def number_text(value: float) -> str:
    """Three significant digits."""
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) < _LARGE else f"{value:.3g}"


def amount_text(value: float) -> str:
    """Four significant digits, thousands apart."""
    if value and abs(value) < _SMALL:
        return f"{value:.1e}"
    rounded = float(f"{value:.4g}")
    return f"{rounded:,.0f}" if rounded.is_integer() else f"{rounded:,}"


def bytes_text(value: int) -> str:
    """In the largest unit that leaves at least one."""
    size, units = float(value), ("B", "kB", "MB", "GB")
    for unit in units:
        if size < 1000 or unit == units[-1]:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError("there is a last unit")


def duration_text(value_s: float) -> str:
    """``42 s``, ``3 min 20 s``, ``2 h 5 min``."""
    seconds = round(value_s)
    if seconds < 60:
        return f"{value_s:.1f} s" if value_s < 10 else f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"


def latency_text(value_ms: float) -> str:
    """``0.42 ms``, ``12 ms``, ``1.3 s``."""
    if value_ms >= 1000:
        return f"{value_ms / 1000:.1f} s"
    return f"{value_ms:.2g} ms" if value_ms < 10 else f"{value_ms:.0f} ms"


def exact(value: float | None, text: str) -> SafeString:
    """A value as it is read, with its exact one beside it; a dash where there is none."""
    if value is None or not math.isfinite(value):
        return NOTHING
    return format_html('<data value="{}">{}</data>', repr(value), text)


def metric(name: str, value: float | None) -> SafeString:
    """The value of a metric."""
    return NOTHING if value is None else exact(value, metric_text(name, value))


def fraction(value: float | None) -> SafeString:
    """A fraction."""
    return NOTHING if value is None else exact(value, fraction_text(value))


def number(value: float | None) -> SafeString:
    """A bare number."""
    return NOTHING if value is None else exact(value, number_text(value))


def amount(value: float | None) -> SafeString:
    """An amount in its own unit."""
    return NOTHING if value is None else exact(value, amount_text(value))
