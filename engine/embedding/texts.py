"""Features of texts by the frozen multilingual encoder: what the family ``text_probe`` sees.

Shapes: N texts, B batch, T tokens, D features.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import frozen
from engine.data.backend import FrozenBackbone
from engine.data.text import TextTokenizer, trimmed
from engine.embedding.offered import offer
from engine.embedding.spec import (
    GRAPH_FILE,
    MAX_TOKENS,
    READER,
    READER_SIZE,
    TEXT_EDITION,
    TEXTS_FILE,
    TOKENIZER_FILE,
    offered_dir,
)
from engine.errors import DataInvalidError
from engine.models import family_part

_BATCH = 32


@dataclass(frozen=True)
class Reader:
    """The encoder with the tokenizer that it was trained with."""

    backbone: FrozenBackbone
    tokenizer: TextTokenizer


def reader_load(assets_dir: Path, cache_dir: Path, num_threads: int) -> Reader:
    """The frozen reader; graph and tokenizer lie in ``spec.offered_dir`` from then on.

    Raises:
        AssetMissingError: weights or tokenizer are not in the store and cannot be had.
    """
    build = family_part(READER, "tokenizer").build
    tokenizer = TextTokenizer(build(READER_SIZE, [], max_tokens=MAX_TOKENS, assets_dir=assets_dir))
    backbone = frozen.pretrained_reader(
        READER, READER_SIZE, assets_dir=assets_dir, cache_dir=cache_dir, num_threads=num_threads
    )
    target = offered_dir(cache_dir, TEXT_EDITION) / TOKENIZER_FILE
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}-{os.getpid()}")
    partial.write_text(tokenizer.definition, encoding="utf-8")
    partial.replace(target)
    offer(cache_dir, TEXT_EDITION, GRAPH_FILE, backbone.path)
    return Reader(backbone, tokenizer)


def texts_read(data_dir: Path, num: int) -> list[str]:
    """The texts that came with a job, in the order of the hashes wanted.

    Raises:
        DataInvalidError: there is not one for each hash.
    """
    found: list[str] = json.loads((data_dir / TEXTS_FILE).read_text(encoding="utf-8"))
    if len(found) != num:
        raise DataInvalidError(f"{TEXTS_FILE} has {len(found)} texts for {num} hashes.")
    return found


def embedded(texts: Sequence[str], reader: Reader) -> Iterator[tuple[list[int], NDArray[np.float32]]]:
    """Yields rows of ``texts`` and their features ``_BD``; texts of like length go together, the longest first.

    Little padding is computed so, and what is left never takes longer than it seems.
    """
    if not texts:
        return
    tokens_NT = reader.tokenizer.rows([text.strip() for text in texts])
    lengths_N = (tokens_NT != reader.tokenizer.pad_id).sum(axis=1)
    order_N = np.argsort(-lengths_N, kind="stable")
    for start in range(0, len(order_N), _BATCH):
        rows_B = order_N[start : start + _BATCH]
        yield rows_B.tolist(), reader.backbone.run(trimmed(tokens_NT[rows_B], reader.tokenizer.pad_id))
