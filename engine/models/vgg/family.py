"""VGG from scratch: a plain network to compare with, large and slow."""

from __future__ import annotations

from automl.contracts.words import Words
from engine.models.shared.cost import Counted, sizes_of
from engine.models.shared.scratch_family import scratch_cost, scratch_family, scratch_params

words = Words(__file__)

_COUNTED = {
    "11": Counted(128, 128_771_840, 2_563_768_320, 1571),
    "13": Counted(128, 128_956_736, 3_771_727_872, 2340),
    "16": Counted(128, 134_268_992, 5_130_682_368, 2548),
    "19": Counted(128, 139_581_248, 6_489_636_864, 2757),
}
"""Without a head, in order of cost."""

FAMILY = scratch_family(
    name="vgg",
    title=words("title"),
    summary=words("summary"),
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}),
    own_params=scratch_params(peak_lr=3e-4),
)
cost = scratch_cost(FAMILY, _COUNTED)
