"""Parameters that several picture families share: one wording and one range, each family its own default."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, FloatParam, IntParam

OWN_RESOLUTION = 0
"""Value of ``resolution_px`` that stands for the size's own resolution."""


def epochs(default: int) -> IntParam:
    """How often training sees every picture."""
    return IntParam(
        name="epochs",
        title=Text(en="Epochs", zh="训练轮数"),
        help=Text(en="How often every picture is seen.", zh="每张图片被学习的次数。"),
        low=2,
        high=100,
        is_log=True,
        default=default,
    )


def batch_size(default: int) -> ChoiceParam:
    """Pictures in one step."""
    return ChoiceParam(
        name="batch_size",
        title=Text(en="Batch size", zh="批大小"),
        help=Text(en="Pictures in one step; larger needs more memory.", zh="每一步使用的图片数，越大占用内存越多。"),
        choices=(8, 16, 32, 64),
        default=default,
    )


def lr(default: float) -> FloatParam:
    """Peak learning rate."""
    return FloatParam(
        name="lr",
        title=Text(en="Learning rate", zh="学习率"),
        help=Text(en="Size of the steps at their largest.", zh="训练中最大的步长。"),
        low=1e-5,
        high=1e-2,
        is_log=True,
        default=default,
    )


def weight_decay(default: float) -> FloatParam:
    """Pull of the weights towards zero."""
    return FloatParam(
        name="weight_decay",
        title=Text(en="Weight decay", zh="权重衰减"),
        help=Text(en="Pulls weights towards zero; helps against learning by heart.", zh="使权重趋向于零，防止过拟合。"),
        low=1e-5,
        high=1e-1,
        is_log=True,
        default=default,
    )


def label_smoothing(default: float) -> FloatParam:
    """Share of the target that is spread over all labels."""
    return FloatParam(
        name="label_smoothing",
        title=Text(en="Label smoothing", zh="标签平滑"),
        help=Text(
            en="Trusts the labels a little less; helps when some are wrong.", zh="降低对标签的信任，适合标签有误的数据。"
        ),
        low=0.0,
        high=0.2,
        default=default,
    )


def augment(default: str) -> ChoiceParam:
    """Policy of ``engine.data.augment``."""
    return ChoiceParam(
        name="augment",
        title=Text(en="Augmentation", zh="数据增强"),
        help=Text(en="How much pictures are varied while training.", zh="训练时图片变化的程度。"),
        choices=("none", "light", "strong"),
        default=default,
    )


def is_balanced() -> ChoiceParam:
    """Whether rare labels weigh as much as frequent ones."""
    return ChoiceParam(
        name="is_balanced",
        title=Text(en="Balance labels", zh="平衡标签"),
        help=Text(en="Rare labels weigh as much as frequent ones.", zh="让少见的标签与常见的标签同样重要。"),
        choices=(False, True),
        default=False,
    )


def resolution_px(*choices: int) -> ChoiceParam:
    """Side of the square picture; 0 takes the size's own."""
    return ChoiceParam(
        name="resolution_px",
        title=Text(en="Picture size", zh="图片尺寸"),
        help=Text(
            en="Side of the picture that the model sees, in pixels; 0 takes the model's own. Smaller is faster.",
            zh="模型看到的图片边长（像素），0 表示模型默认值，越小越快。",
        ),
        choices=(OWN_RESOLUTION, *choices),
        default=OWN_RESOLUTION,
    )
