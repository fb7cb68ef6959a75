"""PP-LiteSeg: a light decoder for answers in real time."""

from __future__ import annotations

from automl.contracts.family import FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.segmenter_family import segmenter_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=192, num_parameters=3_277_631, macs=334_038_240, saved_bytes_per_pixel=1698),
    "plain": Counted(resolution_px=192, num_parameters=1_142_687, macs=424_516_896, saved_bytes_per_pixel=356),
    "resnet18": Counted(resolution_px=192, num_parameters=11_590_399, macs=1_409_923_296, saved_bytes_per_pixel=562),
}
"""By backbone, the default first."""

FAMILY = segmenter_family(
    name="pp_liteseg",
    title=words("title"),
    summary=words("summary"),
    counted=_COUNTED,
    first_trials=(FirstTrial(rank=30),),
)
cost = counted_cost(FAMILY, _COUNTED)
