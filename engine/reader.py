"""A frozen encoder that reads texts, with the tokenizer that it was trained with.

Shapes: N texts, B batch, T tokens, D features.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import frozen
from engine.data.backend import FrozenBackbone
from engine.data.text import TextTokenizer, trimmed
from engine.models import family_part

_BATCH = 32


@dataclass(frozen=True)
class Reader:
    """Turns texts into features."""

    backbone: FrozenBackbone
    tokenizer: TextTokenizer

    def features(self, texts: Sequence[str]) -> Iterator[tuple[list[int], NDArray[np.float32]]]:
        """Yields rows of ``texts`` and their features ``_BD``; texts of like length go together, the longest first.

        Little padding is computed so, and what is left never takes longer than it seems.
        """
        if not texts:
            return
        tokens_NT = self.tokenizer.rows([text.strip() for text in texts])
        order_N = np.argsort(-(tokens_NT != self.tokenizer.pad_id).sum(axis=1), kind="stable")
        for start in range(0, len(order_N), _BATCH):
            rows_B = order_N[start : start + _BATCH]
            yield rows_B.tolist(), self.backbone.run(trimmed(tokens_NT[rows_B], self.tokenizer.pad_id))


def load(family: str, size: str, *, max_tokens: int, assets_dir: Path, cache_dir: Path, num_threads: int) -> Reader:
    """The reader of a family that yields a vector of a text.

    Args:
        family: it is frozen and reads texts.
        size: one of its sizes.
        max_tokens: of a text; the rest is not read.
        assets_dir: the store.
        cache_dir: of the host; its graph is kept there.
        num_threads: of the runtime.

    Raises:
        AssetMissingError: weights or tokenizer are not in the store and cannot be had.
    """
    build = family_part(family, "tokenizer").build
    tokenizer = TextTokenizer(build(size, [], max_tokens=max_tokens, assets_dir=assets_dir))
    backbone = frozen.pretrained_reader(family, size, assets_dir=assets_dir, cache_dir=cache_dir, num_threads=num_threads)
    return Reader(backbone, tokenizer)
