"""Whether a model sees pictures as a whole or in tiles, and at which scale: chosen by a person, or by what is labelled."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.family import ParamValue
from automl.planning import tiles
from automl.planning.tiles import AUTO, SHRINKS, VIEW
from engine.data.tiling import Tiling
from engine.tasks.shared.picture_facts import picture_facts

MOST_PLANES_PX = 2048
PLANES_BYTES = 2**29
"""Of the answers to all that is held back."""
_BYTES_A_PIXEL = 4
"""Two planes in half precision."""


def view_of(params: Mapping[str, ParamValue], records: Sequence[ItemRecord], resolution_px: int) -> str:
    """``whole``, or a name in ``SHRINKS``; ``records`` are those to train on."""
    return tiles.view_of(params, picture_facts(records) if params.get(VIEW) == AUTO else (), resolution_px)


def tiling_of(view: str, resolution_px: int) -> Tiling | None:
    """What a view means; None of whole pictures."""
    return Tiling(resolution_px, SHRINKS[view]) if view in SHRINKS else None


def planes_px(tiling: Tiling, records: Sequence[ItemRecord]) -> int:
    """Side of the planes that a model answers: as fine as its pictures, if those of what is held back fit into memory."""
    longest = max(max(record.media.width, record.media.height) for record in records) / tiling.shrink
    num_judged = sum(record.split is not Split.TRAIN for record in records)
    fitting = math.isqrt(PLANES_BYTES // (_BYTES_A_PIXEL * max(1, num_judged)))
    return int(max(tiling.window_px, min(longest, MOST_PLANES_PX, fitting)))
