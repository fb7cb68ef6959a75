"""Which labels have enough items for figures of their own. The same rule as on the page."""

from __future__ import annotations

from automl.contracts.report import ClassMetrics

FEWEST_OF_LABEL = 5
"""Of fewer items, or boxes, of a label its figures are chance."""


def has_too_few(one: ClassMetrics) -> bool:
    """Whether items of a label are there, but too few for figures. Pixels of a label are many, however few pictures show it."""
    return one.intersection_over_union is None and 0 < one.support < FEWEST_OF_LABEL
