"""Keeps assets in the store: fetched and converted once, by whoever comes first, whole or not at all.

A store is a folder ``<assets dir>/<card name>/`` with the converted file, its hash and ``card.json``. It can be copied to a
machine without a network. A file that is no longer what was kept is fetched again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import filelock

from engine.assets.card import AssetCard, read_card
from engine.assets.fetch import AssetMissingError, Progress, fetch_source
from runtime.hashes import ArtefactDamagedError, hashes_check, hashes_write

CARD_FILE = "card.json"

Convert = Callable[[Path, Path], None]
"""Writes the file to keep from the source: ``convert(source, target)``."""


def stored_file(
    name: str,
    file_name: str,
    assets_dir: Path,
    convert: Callable[[AssetCard], Convert],
    on_progress: Progress | None = None,
) -> Path:
    """The converted file of an asset, fetched first when the store does not have it.

    Raises:
        AssetUnknownError: there is no such card.
        AssetMissingError: it is not in the store and cannot be had now.
        AssetChangedError: the package holds other bytes than the card promises.
    """
    card = read_card(name)
    folder = assets_dir / name
    if not _is_stored(folder, card, file_name):
        try:
            assets_dir.mkdir(parents=True, exist_ok=True)
            with filelock.FileLock(assets_dir / f"{name}.lock"):
                if not _is_stored(folder, card, file_name):
                    _fetch_and_convert(card, folder, file_name, convert(card), on_progress)
        except PermissionError as error:
            raise AssetMissingError(f"{name} is not in the store, and the store cannot be written: {error}.") from error
    return folder / file_name


def _is_stored(folder: Path, card: AssetCard, file_name: str) -> bool:
    """Whether the store has it whole and from this very card: a newer card means other bytes or another conversion."""
    if not (folder / CARD_FILE).is_file() or AssetCard.read(folder / CARD_FILE) != card:
        return False
    try:
        hashes_check(folder, [file_name])  # stores of earlier releases have none
    except (ArtefactDamagedError, OSError):
        return False
    return True


def _fetch_and_convert(card: AssetCard, folder: Path, file_name: str, convert: Convert, on_progress: Progress | None) -> None:
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as scratch:
        download_dir, result_dir = Path(scratch, "download"), Path(scratch, "result")
        download_dir.mkdir()
        result_dir.mkdir()
        convert(fetch_source(card, download_dir, on_progress), result_dir / file_name)
        hashes_write(result_dir, [file_name])
        card.write(result_dir / CARD_FILE)
        if folder.exists():
            folder.replace(Path(scratch, "old"))
        result_dir.replace(folder)
