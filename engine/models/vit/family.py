"""Vision transformer from scratch: for very many pictures."""

from __future__ import annotations

from automl.contracts.words import Words
from engine.models.shared.cost import Counted, sizes_of
from engine.models.shared.scratch_family import scratch_cost, scratch_family, scratch_params

words = Words(__file__)

_COUNTED = {
    "small_32": Counted(224, 22_493_952, 1_142_525_952, 322),
    "tiny_16": Counted(224, 5_524_416, 1_253_491_200, 706),
    "small_16": Counted(224, 21_665_664, 4_598_498_304, 1399),
}
"""Without a head, in order of cost."""

FAMILY = scratch_family(
    name="vit",
    title=words("title"),
    summary=words("summary"),
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}),
    own_params=scratch_params(epochs=40, peak_lr=5e-4, weight_decay=5e-2, resolutions_px=(64, 96, 128, 160)),
)
cost = scratch_cost(FAMILY, _COUNTED)
