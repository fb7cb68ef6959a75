"""PP-OCR: reads text in pictures as it comes, and learns the user's own from labelled pictures."""

from __future__ import annotations

from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, IntParam, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import step_cost

words = Words(__file__)

_SAVED_BYTES_PER_PIXEL = {"small": 700, "scratch": 300}
_RESOLUTION_PX = 960

FAMILY = FamilySpec(
    name="pp_ocr",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.TEXT_LINES,
    sizes=(
        SizeSpec(
            name="small",
            title=words("size.small"),
            asset="pp_ocr_v6_small_recogniser",
            resolution_px=_RESOLUTION_PX,
            num_parameters=7_720_263,
            macs=22_000_000_000,
        ),
        SizeSpec(
            name="scratch",
            title=words("size.scratch"),
            resolution_px=_RESOLUTION_PX,
            num_parameters=300_000,
            macs=2_000_000_000,
        ),
    ),
    params=(
        IntParam(name="epochs", title=words("epochs.title"), help=words("epochs.help"), low=0, high=100, default=6),
        IntParam(
            name="detector_epochs",
            title=words("detector_epochs.title"),
            help=words("detector_epochs.help"),
            low=0,
            high=100,
            default=5,
        ),
        params.batch_size(16),
        params.lr(2e-4),
        params.weight_decay(1e-2),
        params.augment("light"),
        ChoiceParam(
            name="side_px",
            title=words("side_px.title"),
            help=words("side_px.help"),
            choices=(480, 736, 960, 1280, 1600),
            default=960,
            is_searched=False,
        ),
    ),
    licences=("Apache-2.0",),
    first_trials=(
        FirstTrial(rank=10, params={"epochs": 0, "detector_epochs": 0}),
        FirstTrial(rank=20),
        FirstTrial(rank=30, params={"epochs": 15, "detector_epochs": 15}),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _SAVED_BYTES_PER_PIXEL[size], sample_shape)
