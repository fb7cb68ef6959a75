"""The measures of all tasks whose answer is a number: their names, words and directions. Without torch."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.task import MetricSpec


def metric_specs(things: Text) -> tuple[MetricSpec, ...]:
    """The measures, explained for ``things``, such as rows."""
    return (
        MetricSpec(
            name="rmse",
            title=Text(en="RMSE", zh="均方根误差（RMSE）"),
            help=Text(
                en="Root of the mean squared error, in the unit of what is predicted; large errors weigh more.",
                zh="误差平方均值的平方根，单位与预测目标相同；较大的误差影响更大。",
            ),
            unit="target",
            is_higher_better=False,
        ),
        MetricSpec(
            name="mae",
            title=Text(en="Mean absolute error", zh="平均绝对误差（MAE）"),
            help=Text(en="How far off an answer is on average.", zh="预测值与真实值的平均差距。"),
            unit="target",
            is_higher_better=False,
        ),
        MetricSpec(
            name="median_error",
            title=Text(en="Median absolute error", zh="绝对误差中位数"),
            help=Text(
                en=f"Half of the {things.en} are answered closer than this; a few wild ones do not move it.",
                zh=f"一半的{things.zh}误差小于此值，不受少数异常值影响。",
            ),
            unit="target",
            is_higher_better=False,
        ),
        MetricSpec(
            name="r2",
            title=Text(en="R²", zh="决定系数（R²）"),
            help=Text(
                en="Share of the variance that is explained: 1 is perfect, 0 no better than the mean, below 0 worse than it.",
                zh="模型解释的方差比例：1 为完全正确，0 与直接取均值相当，小于 0 则更差。",
            ),
            unit="fraction",
            is_higher_better=True,
        ),
    )
