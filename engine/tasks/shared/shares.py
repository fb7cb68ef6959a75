"""Intervals of shares, 0..1, measured on few items."""

from __future__ import annotations

import math

FEW_ITEMS = 30
"""Below this a bootstrap knows too little of what it did not draw."""
_Z = 1.959964  # 97.5% point of the normal distribution


def wilson(share: float, num_items: int) -> tuple[float, float]:
    """Wilson's 95% interval (1927) of a share of items."""
    center = share + _Z**2 / (2 * num_items)
    reach = _Z * math.sqrt(share * (1 - share) / num_items + _Z**2 / (4 * num_items**2))
    scale = 1 + _Z**2 / num_items
    return max(0.0, (center - reach) / scale), min(1.0, (center + reach) / scale)


def honest(drawn: tuple[float, float], share: float, num_items: int) -> tuple[float, float]:
    """A bootstrapped 95% interval, of fewer than ``FEW_ITEMS`` items no narrower than Wilson's.

    Nothing between 0 and 1 varies more from item to item than what is either, so Wilson's is wide enough for means of both.

    Args:
        drawn: the interval by bootstrap over items.
        share: the value, 0..1.
        num_items: it was measured on so many.
    """
    if num_items >= FEW_ITEMS and drawn[0] < drawn[1]:
        return drawn
    least, most = wilson(share, num_items)
    return min(least, drawn[0]), max(most, drawn[1])
