"""The measures of all tasks whose answer is labels: their names, words and directions. Without torch."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.task import MetricSpec
from automl.contracts.words import Words

words = Words(__file__)


def metric_specs(things: Text) -> tuple[MetricSpec, ...]:
    """The measures, explained for ``things``, such as pictures or texts."""
    return (
        MetricSpec(
            name="accuracy",
            title=words("accuracy.title"),
            help=words("accuracy.help", things=things),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="f1_macro",
            title=words("f1_macro.title"),
            help=words("f1_macro.help"),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="precision_macro",
            title=words("precision_macro.title"),
            help=words("precision_macro.help"),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="recall_macro",
            title=words("recall_macro.title"),
            help=words("recall_macro.help", things=things),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="log_loss",
            title=words("log_loss.title"),
            help=words("log_loss.help"),
            unit="loss",
            is_higher_better=False,
        ),
        MetricSpec(
            name="average_precision_macro",
            title=words("average_precision_macro.title"),
            help=words("average_precision_macro.help", things=things),
            unit="fraction",
            is_higher_better=True,
        ),
    )
