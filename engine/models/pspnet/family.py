"""PSPNet: each cell of a fine grid is judged with the means of ever larger parts of the picture."""

from __future__ import annotations

from automl.contracts.family import FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.segmenter_family import segmenter_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=192, num_parameters=971_986, macs=597_687_488, saved_bytes_per_pixel=2309),
    "resnet18": Counted(resolution_px=192, num_parameters=3_438_914, macs=2_279_693_312, saved_bytes_per_pixel=582),
}
"""By backbone, the default first."""

FAMILY = segmenter_family(
    name="pspnet",
    title=words("title"),
    summary=words("summary"),
    counted=_COUNTED,
    first_trials=(FirstTrial(rank=50),),
)
cost = counted_cost(FAMILY, _COUNTED)
