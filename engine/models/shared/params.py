"""Parameters and sizes that several families share: one wording and one range, each family its own default."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.family import ChoiceParam, FloatParam, IntParam, Param, ParamValue, SizeSpec
from automl.contracts.words import Words

words = Words(__file__)

OWN_RESOLUTION = 0
"""Value of ``resolution_px`` that stands for the size's own resolution."""
OWN_LENGTH = 0
"""Value of ``max_tokens`` that stands for the size's own."""
OWN = words("own")


def detector(*, peak_lr: float, resolutions_px: tuple[int, ...]) -> tuple[Param, ...]:
    """Parameters of every detector.

    Args:
        peak_lr: default of the learning rate.
        resolutions_px: beside the size's own.
    """
    shared = (epochs(30), batch_size(16), lr(peak_lr), weight_decay(1e-2), augment("light"), mirror())
    return (*shared, resolution_px(*resolutions_px), *training_pieces())


def segmenter(*, peak_lr: float, resolutions_px: tuple[int, ...]) -> tuple[Param, ...]:
    """Parameters of every segmenter.

    Args:
        peak_lr: default of the learning rate.
        resolutions_px: beside the size's own.
    """
    shared = (epochs(30), batch_size(8), lr(peak_lr), weight_decay(1e-2), augment("light"), mirror())
    return (*shared, segmentation_loss(), is_balanced(), resolution_px(*resolutions_px), view(), *training_pieces())


def row_sizes(max_rows: Mapping[str, int]) -> tuple[SizeSpec, ...]:
    """Of a family that learns from rows: how many of them, by the size's name."""
    return tuple(
        SizeSpec(
            name=name,
            title=words("size.rows", number=number),
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
        title=words("epochs.title"),
        help=words("epochs.help"),
        low=2,
        high=100,
        is_log=True,
        default=default,
    )


def batch_size(default: int) -> ChoiceParam:
    """Items in one step."""
    return ChoiceParam(
        name="batch_size",
        title=words("batch_size.title"),
        help=words("batch_size.help"),
        choices=(8, 16, 32, 64),
        default=default,
    )


def lr(default: float) -> FloatParam:
    """Peak learning rate."""
    return FloatParam(
        name="lr",
        title=words("lr.title"),
        help=words("lr.help"),
        low=1e-5,
        high=1e-2,
        is_log=True,
        default=default,
    )


def weight_decay(default: float) -> FloatParam:
    """Pull of the weights towards zero."""
    return FloatParam(
        name="weight_decay",
        title=words("weight_decay.title"),
        help=words("weight_decay.help"),
        low=1e-5,
        high=1e-1,
        is_log=True,
        default=default,
    )


def label_smoothing(default: float) -> FloatParam:
    """Share of the target that is spread over all labels."""
    return FloatParam(
        name="label_smoothing",
        title=words("label_smoothing.title"),
        help=words("label_smoothing.help"),
        low=0.0,
        high=0.2,
        default=default,
    )


def augment(default: str) -> ChoiceParam:
    """Policy of ``engine.data.augment``."""
    return ChoiceParam(
        name="augment",
        title=words("augment.title"),
        help=words("augment.help"),
        choices=("none", "light", "strong"),
        choice_titles={
            "none": words("augment.none"),
            "light": words("augment.light"),
            "strong": words("augment.strong"),
        },
        default=default,
    )


def mirror() -> ChoiceParam:
    """Whether augmentation mirrors pictures; ``auto`` becomes one of the others when a trial starts."""
    return ChoiceParam(
        name="mirror",
        title=words("mirror.title"),
        help=words("mirror.help"),
        choices=("auto", "yes", "no"),
        choice_titles={
            "auto": words("mirror.auto"),
            "yes": words("mirror.yes"),
            "no": words("mirror.no"),
        },
        default="auto",
        is_searched=False,
    )


def is_balanced() -> ChoiceParam:
    """Whether rare labels weigh as much as frequent ones."""
    return ChoiceParam(
        name="is_balanced",
        title=words("is_balanced.title"),
        help=words("is_balanced.help"),
        choices=(False, True),
        default=False,
    )


def training_pieces() -> tuple[ChoiceParam, ...]:
    """What a training by gradient steps may do beside the usual; a search leaves all of it alone."""
    return (
        ChoiceParam(
            name="averaging",
            title=words("averaging.title"),
            help=words("averaging.help"),
            choices=("none", "ema", "swa"),
            choice_titles={"none": words("off"), "ema": words("averaging.ema"), "swa": words("averaging.swa")},
            default="none",
            is_searched=False,
        ),
        _number_or_off("max_gradient_norm", (0, 1, 2, 5, 10)),
        ChoiceParam(
            name="first_layer_lr_percent",
            title=words("first_layer_lr_percent.title"),
            help=words("first_layer_lr_percent.help"),
            choices=(100, 30, 10, 3, 1),
            choice_titles={"100": words("first_layer_lr_percent.same")},
            default=100,
            is_searched=False,
        ),
        _number_or_off("frozen_epochs", (0, 1, 2, 5)),
        _number_or_off("patience", (0, 2, 3, 5, 10)),
    )


def classifier_pieces() -> tuple[ChoiceParam, ...]:
    """The same of a network that tells labels apart."""
    return (
        ChoiceParam(
            name="loss",
            title=words("label_loss.title"),
            help=words("label_loss.help"),
            choices=("cross_entropy", "focal"),
            choice_titles={"cross_entropy": words("label_loss.cross_entropy"), "focal": words("label_loss.focal")},
            default="cross_entropy",
            is_searched=False,
        ),
        ChoiceParam(
            name="is_drawn_evenly",
            title=words("is_drawn_evenly.title"),
            help=words("is_drawn_evenly.help"),
            choices=(False, True),
            default=False,
            is_searched=False,
        ),
        *training_pieces(),
    )


def mixing() -> ChoiceParam:
    """How pictures are mixed in pairs, as of ``engine.data.mixing``."""
    return ChoiceParam(
        name="mixing",
        title=words("mixing.title"),
        help=words("mixing.help"),
        choices=("none", "mixup", "cutmix"),
        choice_titles={"none": words("off"), "mixup": words("mixing.mixup"), "cutmix": words("mixing.cutmix")},
        default="none",
        is_searched=False,
    )


def _number_or_off(name: str, choices: tuple[int, ...]) -> ChoiceParam:
    """Some numbers, of which 0 switches the piece off."""
    return ChoiceParam(
        name=name,
        title=words(f"{name}.title"),
        help=words(f"{name}.help"),
        choices=choices,
        choice_titles={"0": words("off")},
        default=0,
        is_searched=False,
    )


def segmentation_loss() -> ChoiceParam:
    """What is minimised: terms of each pixel and of the overlap of areas, joined by ``+``, as the task's loss takes them."""
    titles = {
        "cross_entropy+dice": words("loss.cross_entropy_dice"),
        "cross_entropy+lovasz": words("loss.cross_entropy_lovasz"),
        "cross_entropy": words("loss.cross_entropy"),
        "focal+dice": words("loss.focal_dice"),
        "focal+lovasz": words("loss.focal_lovasz"),
        "focal": words("loss.focal"),
        "ohem+dice": words("loss.ohem_dice"),
        "ohem+lovasz": words("loss.ohem_lovasz"),
        "ohem": words("loss.ohem"),
        "dice": words("loss.dice"),
        "lovasz": words("loss.lovasz"),
    }
    return ChoiceParam(
        name="loss",
        title=words("loss.title"),
        help=words("loss.help"),
        choices=tuple(titles),
        choice_titles=titles,
        default="cross_entropy+dice",
        is_searched=False,  # none has proven better (docs/experiments.md), and eleven would use up a search
    )


def view() -> ChoiceParam:
    """Whether a network sees whole pictures or tiles of them; ``auto`` becomes one of the others when a trial starts."""
    return ChoiceParam(
        name="view",
        title=words("view.title"),
        help=words("view.help"),
        choices=("auto", "whole", "tiles", "tiles_half", "tiles_quarter"),
        choice_titles={
            "auto": words("view.auto"),
            "whole": words("view.whole"),
            "tiles": words("view.tiles"),
            "tiles_half": words("view.tiles_half"),
            "tiles_quarter": words("view.tiles_quarter"),
        },
        default="auto",
        is_searched=False,
    )


def learns_validation() -> ChoiceParam:
    """Whether the model that is shipped learns from the rows of validation too, once they have served their purpose."""
    return ChoiceParam(
        name="learns_validation",
        title=words("learns_validation.title"),
        help=words("learns_validation.help"),
        choices=(False, True),
        default=True,
        is_searched=False,
    )


def resolution_px(*choices: int) -> ChoiceParam:
    """Side of the square picture; 0 takes the size's own."""
    return ChoiceParam(
        name="resolution_px",
        title=words("resolution_px.title"),
        help=words("resolution_px.help"),
        choices=(OWN_RESOLUTION, *choices),
        choice_titles={str(OWN_RESOLUTION): OWN},
        default=OWN_RESOLUTION,
    )


def max_tokens(*choices: int) -> ChoiceParam:
    """Tokens of a text that are read; 0 takes the size's own."""
    return ChoiceParam(
        name="max_tokens",
        title=words("max_tokens.title"),
        help=words("max_tokens.help"),
        choices=(OWN_LENGTH, *choices),
        choice_titles={str(OWN_LENGTH): OWN},
        default=OWN_LENGTH,
    )


def resolution_of(size: SizeSpec, params: Mapping[str, ParamValue]) -> int:
    """Side of the square picture that a network will see."""
    chosen = int(params.get("resolution_px", OWN_RESOLUTION))
    return size.resolution_px if chosen == OWN_RESOLUTION else chosen


def max_tokens_of(size: SizeSpec, params: Mapping[str, ParamValue]) -> int:
    """Tokens of a text that a network will read."""
    chosen = int(params.get("max_tokens", OWN_LENGTH))
    return size.max_tokens if chosen == OWN_LENGTH else chosen
