"""What tests of texts look at: the encoder with made-up weights and a tokenizer that a test can know, and a trained counter."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine.assets.card import read_card
from engine.data.text_vocabulary import characters
from engine.embedding.spec import READER, READER_SIZE
from engine.frozen import pretrained_reader
from engine.models import family_spec
from tests.engine.jobs import fill_store, trained_once
from tests.support.once import made_once

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789 ,.!?'-这个地方不大很好房间吵"


def text_store() -> tuple[Path, Path]:
    """A store with the encoder, and a cache that keeps its graph for all tests."""

    def make(folder: Path) -> None:
        assets = reader_put(folder / "assets", [ALPHABET])
        pretrained_reader(READER, READER_SIZE, assets_dir=assets, cache_dir=folder / "cache", num_threads=1)

    folder = made_once("reader", make)
    return folder / "assets", folder / "cache"


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


def counted_once() -> Path:
    """The job directory of weighted n-grams that may say several labels."""
    params = {"ngram_max": 3, "is_balanced": True}
    options = {"task": "text_classification", "num_items": 400, "labels": "several"}
    return trained_once(family="tfidf_linear", params=params, **options)
