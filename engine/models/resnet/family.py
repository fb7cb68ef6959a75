"""ResNet from scratch: for pictures unlike photographs, and the fastest family to train where the CPU has matrix units."""

from __future__ import annotations

from automl.contracts.family import FirstTrial
from automl.contracts.words import Words
from engine.models.shared.cost import Counted, sizes_of
from engine.models.shared.scratch_family import scratch_cost, scratch_family, scratch_params

words = Words(__file__)

_COUNTED = {
    "18": Counted(128, 11_176_512, 592_183_296, 444),
    "se_18": Counted(128, 11_265_592, 592_270_336, 505),
    "18d": Counted(128, 11_195_744, 670_433_280, 579),
    "34": Counted(128, 21_284_672, 1_196_163_072, 646),
    "se_34": Counted(128, 21_445_868, 1_196_320_256, 758),
    "34d": Counted(128, 21_303_904, 1_274_413_056, 781),
    "50": Counted(128, 23_508_032, 1_334_575_104, 1725),
    "se_50": Counted(128, 26_039_024, 1_337_090_048, 2173),
    "next50_32x4d": Counted(128, 22_979_904, 1_380_712_448, 2253),
    "se_next50_32x4d": Counted(128, 25_510_896, 1_383_227_392, 2700),
    "50d": Counted(128, 23_527_264, 1_412_825_088, 1881),
    "101": Counted(128, 42_500_160, 2_546_728_960, 2554),
    "se_101": Counted(128, 47_277_872, 2_551_472_128, 3282),
    "next101_32x4d": Counted(128, 42_128_704, 2_601_779_200, 3358),
    "se_next101_32x4d": Counted(128, 46_906_416, 2_606_522_368, 4086),
    "101d": Counted(128, 42_519_392, 2_624_978_944, 2710),
    "wide50_2": Counted(128, 66_834_240, 3_721_134_080, 2253),
    "152": Counted(128, 58_143_808, 3_758_882_816, 3573),
    "se_152": Counted(128, 64_772_848, 3_765_460_992, 4645),
    "152d": Counted(128, 58_163_040, 3_837_132_800, 3729),
    "next101_64x4d": Counted(128, 81_406_272, 5_047_582_720, 4966),
    "se_next101_64x4d": Counted(128, 86_183_984, 5_052_325_888, 5694),
    "next101_32x8d": Counted(128, 86_742_336, 5_359_009_792, 4966),
    "wide101_2": Counted(128, 124_837_696, 7_428_898_816, 3358),
}
"""Without a head, in order of cost."""
_PROVEN = ("18", "34")
"""That a search tries by itself: of the others none has shown that it pays without pretrained weights."""

FAMILY = scratch_family(
    name="resnet",
    title=words("title"),
    summary=words("summary"),
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}, searched=_PROVEN),
    own_params=scratch_params(),
    first_trials=(FirstTrial(rank=40), FirstTrial(rank=70, size_index=1)),
)
cost = scratch_cost(FAMILY, _COUNTED)
