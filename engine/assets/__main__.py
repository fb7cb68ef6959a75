"""Fills a store by hand: ``python -m engine.assets FOLDER [NAME ...]``. Without names it brings every card."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.assets.card import card_names, read_card
from engine.assets.quickstart import pictures
from engine.assets.store import weights
from engine.errors import EngineError


def main() -> int:
    """Brings the assets named and prints where each lies. Exit status 1 when one cannot be had."""
    parser = argparse.ArgumentParser(prog="python -m engine.assets", description=__doc__)
    parser.add_argument("folder", type=Path, help="the store")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(card_names())}")
    arguments = parser.parse_args()
    status = 0
    for name in arguments.names or card_names():
        try:
            bring = weights if read_card(name).converter == "torch_weights" else pictures
            sys.stdout.write(f"{name}: {bring(name, arguments.folder)}\n")
        except EngineError as error:
            sys.stderr.write(f"{name}: {error.message} {error.hint}\n")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
