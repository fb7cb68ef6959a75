"""The measures of all tasks whose answer is labels: their names, words and directions. Without torch."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.task import MetricSpec


def metric_specs(things: Text) -> tuple[MetricSpec, ...]:
    """The measures, explained for ``things``, such as pictures or texts."""
    return (
        MetricSpec(
            name="accuracy",
            title=Text(en="Accuracy", zh="准确率"),
            help=Text(
                en=f"Share of {things.en} answered exactly right; with several labels all of them must be right.",
                zh=f"完全回答正确的{things.zh}比例；多标签时所有标签都必须正确。",
            ),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="f1_macro",
            title=Text(en="F1", zh="F1 值"),
            help=Text(en="Balance of precision and recall, averaged over labels.", zh="精确率与召回率的调和平均，按标签平均。"),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="precision_macro",
            title=Text(en="Precision", zh="精确率"),
            help=Text(
                en="When it says a label, how often that is right; averaged over labels.",
                zh="给出某标签时正确的比例，按标签平均。",
            ),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="recall_macro",
            title=Text(en="Recall", zh="召回率"),
            help=Text(
                en="How much of a label it finds; averaged over labels.", zh=f"某标签的{things.zh}被找出的比例，按标签平均。"
            ),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="log_loss",
            title=Text(en="Log loss", zh="对数损失"),
            help=Text(en="How surprised the scores are by the truth; lower is better.", zh="得分与真实标签的差距，越低越好。"),
            unit="loss",
            is_higher_better=False,
        ),
        MetricSpec(
            name="average_precision_macro",
            title=Text(en="Average precision", zh="平均精确率"),
            help=Text(
                en=f"How many of the {things.en} with the highest scores are right, over all recalls; averaged over labels."
                " For rare labels.",
                zh=f"得分最高的{things.zh}中有多少确属该类别，对所有召回率取平均，再按类别平均。某一类别很少见时适合用它。",
            ),
            unit="fraction",
            is_higher_better=True,
        ),
    )
