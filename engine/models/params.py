"""Parameters and sizes that several families share: one wording and one range, each family its own default."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, FloatParam, IntParam, Param, ParamValue, SizeSpec

OWN_RESOLUTION = 0
"""Value of ``resolution_px`` that stands for the size's own resolution."""
OWN_LENGTH = 0
"""Value of ``max_tokens`` that stands for the size's own."""
OWN = Text(en="the model's own", zh="模型默认")


def detector(*, peak_lr: float, resolutions_px: tuple[int, ...]) -> tuple[Param, ...]:
    """What every detector asks for.

    Args:
        peak_lr: default of the learning rate.
        resolutions_px: beside the size's own.
    """
    shared = (epochs(30), batch_size(16), lr(peak_lr), weight_decay(1e-2), augment("light"))
    return (*shared, resolution_px(*resolutions_px))


def row_sizes(max_rows: Mapping[str, int]) -> tuple[SizeSpec, ...]:
    """Of a family that learns from rows: how many of them, by the size's name."""
    return tuple(
        SizeSpec(
            name=name,
            title=Text(en=f"Up to {number:,} rows", zh=f"至多 {number:,} 行"),
            max_rows=number,
            num_parameters=0,
            macs=0,
        )
        for name, number in max_rows.items()
    )


def epochs(default: int) -> IntParam:
    """How often training sees every item."""
    return IntParam(
        name="epochs",
        title=Text(en="Epochs", zh="训练轮数"),
        help=Text(en="How often every item is seen.", zh="每个样本被学习的次数。"),
        low=2,
        high=100,
        is_log=True,
        default=default,
    )


def batch_size(default: int) -> ChoiceParam:
    """Items in one step."""
    return ChoiceParam(
        name="batch_size",
        title=Text(en="Batch size", zh="批大小"),
        help=Text(en="Items in one step; larger needs more memory.", zh="每一步使用的样本数，越大占用内存越多。"),
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
        choice_titles={
            "none": Text(en="none", zh="不增强"),
            "light": Text(en="light", zh="轻度"),
            "strong": Text(en="strong", zh="强"),
        },
        default=default,
    )


def mirror() -> ChoiceParam:
    """Whether augmentation mirrors pictures; ``auto`` becomes one of the others when a trial starts."""
    return ChoiceParam(
        name="mirror",
        title=Text(en="Mirroring", zh="左右翻转"),
        help=Text(
            en="Shows pictures mirrored too while training. Digits, writing and arrows lose their meaning by it; by default the"
            " pictures decide, and the model's settings say how.",
            zh="训练时也使用左右翻转的图片。数字、文字和箭头翻转后会失去原意；默认由图片决定，结果见模型的设置。",
        ),
        choices=("auto", "yes", "no"),
        choice_titles={
            "auto": Text(en="as the pictures suggest", zh="由图片决定"),
            "yes": Text(en="yes", zh="是"),
            "no": Text(en="no", zh="否"),
        },
        default="auto",
        is_searched=False,
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


def learns_validation() -> ChoiceParam:
    """Whether the model that is shipped learns from the rows of validation too, once they have said what they are kept for."""
    return ChoiceParam(
        name="learns_validation",
        title=Text(en="Learn from validation too", zh="同时学习验证集"),
        help=Text(
            en="What is shipped is trained once more with the rows of validation, by the settings found on them; the report"
            " tells what models said of them that had not seen them.",
            zh="按验证集选定设置后，再用训练集和验证集一起训练最终模型；报告中的验证指标来自未见过这些行的模型。",
        ),
        choices=(False, True),
        default=True,
        is_searched=False,
    )


def resolution_px(*choices: int) -> ChoiceParam:
    """Side of the square picture; 0 takes the size's own."""
    return ChoiceParam(
        name="resolution_px",
        title=Text(en="Picture size", zh="图片尺寸"),
        help=Text(
            en="Side of the picture that the model sees, in pixels. Smaller is faster.",
            zh="模型看到的图片边长（像素），越小越快。",
        ),
        choices=(OWN_RESOLUTION, *choices),
        choice_titles={str(OWN_RESOLUTION): OWN},
        default=OWN_RESOLUTION,
    )


def max_tokens(*choices: int) -> ChoiceParam:
    """Tokens of a text that are read; 0 takes the size's own."""
    return ChoiceParam(
        name="max_tokens",
        title=Text(en="Text length", zh="文本长度"),
        help=Text(
            en="Words or characters of a text that the model reads. Fewer is faster.",
            zh="模型读取的词或字数，越少越快。",
        ),
        choices=(OWN_LENGTH, *choices),
        choice_titles={str(OWN_LENGTH): OWN},
        default=OWN_LENGTH,
    )


def resolution_of(size: SizeSpec, params: Mapping[str, ParamValue]) -> int:
    """Side of the square picture that a network will see."""
    wanted = int(params.get("resolution_px", OWN_RESOLUTION))
    return size.resolution_px if wanted == OWN_RESOLUTION else wanted


def max_tokens_of(size: SizeSpec, params: Mapping[str, ParamValue]) -> int:
    """Tokens of a text that a network will read."""
    wanted = int(params.get("max_tokens", OWN_LENGTH))
    return size.max_tokens if wanted == OWN_LENGTH else wanted
