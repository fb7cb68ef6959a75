"""Whether bytes are those that were written: an item is named by its hash, files of a folder have theirs beside them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from automl.contracts.artefact import HASHES_FILE

DAMAGED_HINT = (
    "Bring the files back from a backup of the store, or delete the items and upload them again; then take a new version."
)


def is_blob(data: bytes, sha256: str) -> bool:
    """Whether these are the bytes with this hash: a few per cent of the time that decoding a picture takes."""
    return hashlib.sha256(data).hexdigest() == sha256


def hashes_write(folder: Path, names: Iterable[str]) -> None:
    """Writes the hashes of files of a folder beside them."""
    hashes = {name: _file_sha256(folder / name) for name in sorted(names)}
    (folder / HASHES_FILE).write_text(json.dumps(hashes, indent=1), encoding="utf-8")


def damaged_file(folder: Path, names: Iterable[str]) -> str | None:
    """The first file that is not the one that was written, or whose hash cannot be read; None where all are right.

    Files without a hash are let pass: folders of earlier releases have none.

    Raises:
        OSError: a file is not there.
    """
    try:
        known = json.loads((folder / HASHES_FILE).read_bytes())
        expected = {name: str(known[name]) for name in names if name in known}
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        return HASHES_FILE
    return next((name for name, sha256 in expected.items() if _file_sha256(folder / name) != sha256), None)


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
