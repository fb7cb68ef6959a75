"""The measures of all tasks whose answer is a number: their names, words and directions. Without torch."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.task import MetricSpec
from automl.contracts.words import Words

words = Words(__file__)


def metric_specs(things: Text) -> tuple[MetricSpec, ...]:
    """The measures, explained for ``things``, such as rows."""
    return (
        MetricSpec(
            name="rmse",
            title=words("rmse.title"),
            help=words("rmse.help"),
            unit="target",
            is_higher_better=False,
        ),
        MetricSpec(
            name="mae",
            title=words("mae.title"),
            help=words("mae.help"),
            unit="target",
            is_higher_better=False,
        ),
        MetricSpec(
            name="median_error",
            title=words("median_error.title"),
            help=words("median_error.help", things=things),
            unit="target",
            is_higher_better=False,
        ),
        MetricSpec(
            name="r2",
            title=words("r2.title"),
            help=words("r2.help"),
            unit="fraction",
            is_higher_better=True,
        ),
    )
