"""Reads PP-OCR's networks, which are there as ONNX: their weights by number, in the order in which the graph computes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

_SYMBOLS = "character"
_CONSTANT = "helper.constant"
"""Numbers of the graph that are no weights."""


def weights(source: Path) -> Mapping[str, Tensor]:
    """The weights, and ``symbols`` of a network that reads: UTF-8, a symbol a line, with the space that PP-OCR adds."""
    model = onnx.load(source)
    initializers = {each.name: each for each in model.graph.initializer}
    origins: dict[str, str] = {}
    found: dict[str, Tensor] = {}
    seen: set[str] = set()
    for node in model.graph.node:
        names = [origins.get(name, name) for name in node.input]
        if node.op_type == "Identity":
            origins[node.output[0]] = names[0]
        for name in names:
            if name not in initializers or name in seen or name.startswith(_CONSTANT):
                continue
            values = numpy_helper.to_array(initializers[name])
            if values.dtype != np.float32 or values.shape == (1,):
                continue
            seen.add(name)
            found[f"{len(found):04}"] = torch.from_numpy((values.T if node.op_type == "MatMul" else values).copy())
    symbols = {each.key: each.value for each in model.metadata_props}.get(_SYMBOLS)
    if symbols is not None:
        # A trailing newline ends the last symbol.
        found["symbols"] = torch.tensor(list((symbols.removesuffix("\n") + "\n ").encode()), dtype=torch.uint8)
    return found
