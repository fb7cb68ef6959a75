"""ConvNeXt from scratch: modern convolutions, for many pictures."""

from __future__ import annotations

from automl.contracts.words import Words
from engine.models.shared.cost import Counted, sizes_of
from engine.models.shared.scratch_family import scratch_cost, scratch_family, scratch_params

words = Words(__file__)

_COUNTED = {
    "atto": Counted(128, 3_374_520, 178_616_320, 630),
    "femto": Counted(128, 4_832_784, 254_447_616, 753),
    "pico": Counted(128, 8_532_672, 446_218_240, 999),
    "nano": Counted(128, 14_952_560, 798_330_880, 1365),
    "tiny": Counted(128, 27_820_128, 1_454_616_576, 2176),
    "small": Counted(128, 49_454_688, 2_835_247_104, 3472),
}
"""Without a head, in order of cost."""

FAMILY = scratch_family(
    name="convnext",
    title=words("title"),
    summary=words("summary"),
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}),
    own_params=scratch_params(epochs=40, weight_decay=5e-2),
)
cost = scratch_cost(FAMILY, _COUNTED)
