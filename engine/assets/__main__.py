"""The store from the shell, and from a process that must not load torch.

``python -m engine.assets fetch --assets-dir FOLDER [NAME ...]`` brings the cards named, all weights by default, one line each.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.assets.card import AssetUnknownError, card_names, read_card
from engine.assets.fonts import font, holds_font
from engine.assets.quickstart import pictures
from engine.assets.store import holds_weights, weights
from engine.assets.tables import holds_table, table
from engine.assets.texts import holds_texts, texts
from engine.assets.tokenizers import holds_tokenizer, tokenizer
from engine.errors import EngineError


def main() -> int:
    """Exit status 1 when an asset cannot be had; why is on standard error."""
    parser = argparse.ArgumentParser(prog="python -m engine.assets", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    fetch = verbs.add_parser("fetch", help="bring the cards named, all weights by default")
    fetch.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(card_names())}")
    fetch.add_argument("--assets-dir", type=Path, required=True, metavar="FOLDER", help="the store")
    arguments = parser.parse_args()
    try:
        _fetch(arguments.names, arguments.assets_dir.absolute())
    except EngineError as error:
        sys.stderr.write(f"{error.message} {error.hint}\n")
        return 1
    return 0


def _fetch(names: list[str], assets_dir: Path) -> None:
    for name in names or [name for name in card_names() if holds_weights(read_card(name))]:
        card = read_card(name)
        if holds_weights(card):
            path = weights(name, assets_dir)
            if card.tokenizer is not None:
                tokenizer(name, assets_dir)
        elif holds_tokenizer(card):
            raise AssetUnknownError(f"{name} comes with its weights.")
        elif holds_texts(card):
            path = texts(name, assets_dir)
        elif holds_font(card):
            path = font(name, assets_dir)
        else:
            path = table(name, assets_dir) if holds_table(card) else pictures(name, assets_dir)
        sys.stdout.write(f"{name}: {path}\n")


if __name__ == "__main__":
    sys.exit(main())
