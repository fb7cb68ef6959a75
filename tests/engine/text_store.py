"""Made-up weights of the encoder that reads texts, with a tokenizer that a test can know: like characters, like features."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from engine.assets.card import read_card
from engine.data.text_vocabulary import characters
from engine.embedding.spec import READER, READER_SIZE
from engine.models import family_spec
from tests.engine.jobs import fill_store

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789 ,.!?'-这个地方不大很好房间吵"


@cache
def text_store() -> tuple[Path, Path]:
    """A store with the encoder, and a cache that keeps its graph for all tests of this process."""
    folder = Path(tempfile.mkdtemp(prefix="modelyard-test-reader-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return reader_put(folder / "assets", [ALPHABET]), folder / "cache"


def reader_put(assets_dir: Path, alphabet: Iterable[str]) -> Path:
    """Puts encoder and tokenizer into a store, as if their cards had been fetched."""
    fill_store(assets_dir, READER, READER_SIZE)
    name = read_card(str(family_spec(READER).size(READER_SIZE).asset)).tokenizer
    assert name is not None
    (assets_dir / name).mkdir()
    definition = characters(alphabet, num_ids=400, max_tokens=999)
    (assets_dir / name / "tokenizer.json").write_text(definition, encoding="utf-8")
    read_card(name).write(assets_dir / name / "card.json")
    return assets_dir
