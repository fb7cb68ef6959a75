"""The frozen multilingual encoder of embeddings: what the family ``text_probe`` sees of a text. Shapes: B batch, D features."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from engine import reader
from engine.embedding.items import Batches
from engine.embedding.offered import offer
from engine.embedding.spec import (
    GRAPH_FILE,
    MAX_TOKENS,
    READER,
    READER_SIZE,
    TEXT_EDITION,
    TEXTS_FILE,
    TOKENIZER_FILE,
    narrowed,
    offered_dir,
)
from engine.errors import DataInvalidError
from engine.job import Job


def batches(job: Job, hashes: Sequence[str]) -> Batches:
    """See ``Embed``."""
    written = texts_read(job.data_dir, len(hashes))
    reader = reader_load(job.assets_dir, job.cache_dir, job.spec.limits.num_threads)
    for rows, features_BD in reader.features(written):
        yield rows, list(narrowed(features_BD))


def reader_load(assets_dir: Path, cache_dir: Path, num_threads: int) -> reader.Reader:
    """The frozen reader; graph and tokenizer lie in ``spec.offered_dir`` from then on.

    Raises:
        AssetMissingError: weights or tokenizer are not in the store and cannot be had.
    """
    found = reader.load(
        READER, READER_SIZE, max_tokens=MAX_TOKENS, assets_dir=assets_dir, cache_dir=cache_dir, num_threads=num_threads
    )
    target = offered_dir(cache_dir, TEXT_EDITION) / TOKENIZER_FILE
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}-{os.getpid()}")
    partial.write_text(found.tokenizer.definition, encoding="utf-8")
    partial.replace(target)
    offer(cache_dir, TEXT_EDITION, GRAPH_FILE, found.backbone.path)
    return found


def texts_read(data_dir: Path, num: int) -> list[str]:
    """The texts that came with a job, in the order of the hashes.

    Raises:
        DataInvalidError: there is not one for each hash.
    """
    found: list[str] = json.loads((data_dir / TEXTS_FILE).read_text(encoding="utf-8"))
    if len(found) != num:
        raise DataInvalidError(f"{TEXTS_FILE} has {len(found)} texts for {num} hashes.")
    return found
