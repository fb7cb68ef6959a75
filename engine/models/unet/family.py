"""U-Net: an encoder and a small decoder that brings its features back to the pixels, the usual first answer for masks."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import step_cost

words = Words(__file__)

_SAVED_BYTES_PER_PIXEL = {"lite0": 1778, "plain": 466}
"""What autograd keeps of one picture for the backward pass, fp32, counted with saved-tensor hooks."""

FAMILY = FamilySpec(
    name="unet",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.MASKS,
    can_continue=True,
    sizes=(
        SizeSpec(
            name="lite0",
            title=words("size.lite0"),
            resolution_px=192,
            num_parameters=3_304_802,
            macs=597_462_912,
            asset="efficientnet_lite0",
        ),
        SizeSpec(
            name="plain",
            title=words("size.plain"),
            resolution_px=192,
            num_parameters=1_276_866,
            macs=784_465_920,
        ),
    ),
    params=(
        params.epochs(30),
        params.batch_size(8),
        params.lr(4e-3),
        params.weight_decay(1e-2),
        params.augment("light"),
        params.mirror(),
        params.is_balanced(),
        params.resolution_px(64, 96, 128, 256, 320, 384, 512),
    ),
    licences=("Apache-2.0",),
    first_trials=(FirstTrial(rank=10), FirstTrial(rank=20, params={"resolution_px": 320})),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _SAVED_BYTES_PER_PIXEL[size], sample_shape)
