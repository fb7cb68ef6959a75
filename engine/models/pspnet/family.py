"""PSPNet: each cell of a fine grid is judged with the means of ever larger parts of the picture."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.backbones import Counted, sizes
from engine.models.shared.cost import step_cost

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=192, num_parameters=971_986, macs=597_687_488, saved_bytes_per_pixel=2309),
    "resnet18": Counted(resolution_px=192, num_parameters=3_438_914, macs=2_279_693_312, saved_bytes_per_pixel=582),
}
"""By backbone, the default first."""

FAMILY = FamilySpec(
    name="pspnet",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.MASKS,
    can_continue=True,
    sizes=sizes(_COUNTED),
    params=params.segmenter(peak_lr=4e-3, resolutions_px=(64, 96, 128, 256, 320, 384, 512)),
    licences=("Apache-2.0",),
    first_trials=(FirstTrial(rank=50),),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _COUNTED[size].saved_bytes_per_pixel, sample_shape)
