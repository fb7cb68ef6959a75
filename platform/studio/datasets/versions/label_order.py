"""Annotations in the order of their labels, for projects where that decides which of two areas lies above.

Rows of a version, and so whatever reads them, know one rule: a later area lies over an earlier one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import pyarrow as pa


def labels_stacked(texts: pa.Array, names: Sequence[str]) -> pa.Array:
    """Annotations with those of the first label last; of one label they keep their order.

    Areas that do not count, which are of no label, come last of all.

    Args:
        texts: JSON lists of annotations as they are stored, of a batch of items.
        names: of the labels, in order.
    """
    height = {name: -place for place, name in enumerate(names)}
    encoded = texts.dictionary_encode()
    stacked = [
        json.dumps(sorted(json.loads(text), key=lambda one: height.get(one.get("label"), 1)))
        for text in encoded.dictionary.to_pylist()
    ]
    return pa.array(stacked, pa.string()).take(encoded.indices)
