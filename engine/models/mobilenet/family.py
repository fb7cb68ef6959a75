"""MobileNet for small devices, from scratch, in three versions and several widths."""

from __future__ import annotations

from automl.contracts.words import Words
from engine.models.shared.cost import Counted, sizes_of
from engine.models.shared.scratch_family import scratch_cost, scratch_family, scratch_params

words = Words(__file__)

_COUNTED = {
    "v1_25": Counted(128, 213_072, 13_314_048, 314),
    "v3_small_75": Counted(128, 1_016_872, 14_322_176, 296),
    "v3_small_100": Counted(128, 1_517_856, 18_824_192, 327),
    "v2_35": Counted(128, 396_128, 18_940_672, 676),
    "v2_50": Counted(128, 687_680, 31_298_560, 857),
    "v1_50": Counted(128, 818_592, 48_648_192, 616),
    "v3_large_75": Counted(128, 2_712_528, 51_280_000, 790),
    "v2_75": Counted(128, 1_355_424, 67_849_728, 1373),
    "v3_large_100": Counted(128, 4_202_032, 72_147_840, 887),
    "v2_100": Counted(128, 2_223_872, 97_794_048, 1567),
    "v1_75": Counted(128, 1_816_560, 106_002_432, 918),
    "v1_100": Counted(128, 3_206_976, 185_376_768, 1219),
    "v2_140": Counted(128, 4_315_776, 189_519_616, 2241),
}
"""Without a head, in order of cost."""

FAMILY = scratch_family(
    name="mobilenet",
    title=words("title"),
    summary=words("summary"),
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}),
    own_params=scratch_params(),
)
cost = scratch_cost(FAMILY, _COUNTED)
