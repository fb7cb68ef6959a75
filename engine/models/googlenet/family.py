"""GoogLeNet from scratch: a network to compare with."""

from __future__ import annotations

from automl.contracts.words import Words
from engine.models.shared.cost import Counted, sizes_of
from engine.models.shared.scratch_family import scratch_cost, scratch_family, scratch_params

words = Words(__file__)

_COUNTED = {
    "1": Counted(128, 5_599_904, 488_931_328, 963),
}
"""Without a head, in order of cost."""

FAMILY = scratch_family(
    name="googlenet",
    title=words("title"),
    summary=words("summary"),
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}),
    own_params=scratch_params(),
)
cost = scratch_cost(FAMILY, _COUNTED)
