"""Texts as features (first version: how many words)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from engine.table.encode_targets import Responses, Style
from engine.table.graph import GraphWriter


@dataclass(frozen=True)
class TextLengths:
    """Number of words."""

    names: tuple[str, ...]
    places: tuple[int, ...]

    def apply(self, array: NDArray[np.object_]) -> NDArray[np.float32]:
        """See ``encode.Block``."""
        return np.array([[len(text.split()) for text in row] for row in array], dtype=np.float32).reshape(array.shape)

    def write(self, graph: GraphWriter, name: str) -> str:
        """See ``encode.Block``."""
        _, counts = graph.add_many("StringSplit", [name], 2)
        counts = graph.add("Reshape", [counts, graph.ints(-1, len(self.places))])
        return graph.add("Cast", [counts], to=TensorProto.FLOAT)


def learn_texts(
    texts_NT: NDArray[np.object_], names: tuple[str, ...], responses: Responses, style: Style
) -> tuple[TextLengths, NDArray[np.float32]]:
    """Learns how to make numbers of texts."""
    block = TextLengths(tuple(f"{name}: words" for name in names), tuple(range(len(names))))
    return block, block.apply(texts_NT)
