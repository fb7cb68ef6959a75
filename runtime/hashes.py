"""Whether the files of an artefact are those that were written. Asked once, when they are loaded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from .errors import ArtefactUnreadableError

HASHES_FILE = "hashes.json"
"""SHA-256 by path; artefacts of older versions have none."""


class ArtefactDamagedError(ArtefactUnreadableError):
    """A file of the artefact is not the one that was written: it is not served, since its answers would be others."""

    code = "artefact_damaged"
    title = "The model's files are damaged"
    hint = "Bring the files back from a backup, or build or deploy the artefact again."


def hashes_check(folder: Path, names: Iterable[str]) -> None:
    """Compares files of an artefact with the hashes that were written beside them; files without one are let pass.

    Raises:
        ArtefactDamagedError: a file is another, or the hashes cannot be read.
        OSError: a file is not there.
    """
    path = folder / HASHES_FILE
    if not path.exists():
        return
    try:
        known = json.loads(path.read_bytes())
        expected = {name: str(known[name]) for name in names if name in known}
    except (ValueError, TypeError) as error:
        raise ArtefactDamagedError(f"{folder.name}: {HASHES_FILE} cannot be read: {error}") from error
    for name, sha256 in expected.items():
        if file_sha256(folder / name) != sha256:
            raise ArtefactDamagedError(f"{folder.name}: {name} is not the file that was written with the model")


def hashes_write(folder: Path, names: Iterable[str]) -> None:
    """Writes the hashes of files of a folder beside them."""
    hashes = {name: file_sha256(folder / name) for name in sorted(names)}
    (folder / HASHES_FILE).write_text(json.dumps(hashes, indent=1), encoding="utf-8")


def file_sha256(path: Path) -> str:
    """The hash of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
