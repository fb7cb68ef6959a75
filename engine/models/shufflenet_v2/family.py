"""ShuffleNet V2 from scratch: few multiplications, and quick on small processors."""

from __future__ import annotations

from automl.contracts.words import Words
from engine.models.shared.cost import Counted, sizes_of
from engine.models.shared.scratch_family import scratch_cost, scratch_family, scratch_params

words = Words(__file__)

_COUNTED = {
    "050": Counted(128, 341_792, 12_882_432, 222),
    "100": Counted(128, 1_253_604, 46_982_528, 410),
    "150": Counted(128, 2_478_624, 96_240_128, 576),
    "200": Counted(128, 5_344_996, 189_781_376, 772),
}
"""Without a head, in order of cost."""

FAMILY = scratch_family(
    name="shufflenet_v2",
    title=words("title"),
    summary=words("summary"),
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}),
    own_params=scratch_params(),
)
cost = scratch_cost(FAMILY, _COUNTED)
