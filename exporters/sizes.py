"""How large a product will be, before it is built: what its files take once they are packed.

Both kinds of archive pack with DEFLATE. Small files are packed here as the archive will pack them; of large ones, such as a
model's weights, samples are packed, and the rest is taken to shrink as these do.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path

from exporters.bundle import artefact_files

SAMPLED_ABOVE_BYTES = 1 << 20
SAMPLE_BYTES = 64 << 10
NUM_SAMPLES = 12
LEVEL = 6
"""Of the packing; archives at level 9 are hardly smaller."""
TAR_BLOCK = 512
"""A header of a file, and what its contents are filled up to."""
ZIP_ENTRY_BYTES = 90
"""What an archive adds for a file besides twice its name."""
TEXT_OF_ARCHIVE_BYTES = 3_000
"""The list of parts, the description of the API and the like, which only the build writes."""

Shown = Callable[[bytes], bytes]
"""How a file's bytes stand in the archive, e.g. as base64."""


def _as_they_are(data: bytes) -> bytes:
    return data


def tar_bytes(*places: Path) -> int:
    """What files take in a ``.tar.gz``, one behind the other.

    Args:
        places: files, and folders with everything within them.

    Raises:
        ArtefactInvalidError: a file is missing.
    """
    packer, large, total = zlib.compressobj(LEVEL), 0, 0
    for path in _files(places):
        size = path.stat().st_size
        total += len(packer.compress(path.name.encode().ljust(TAR_BLOCK, b"\0")))
        if size > SAMPLED_ABOVE_BYTES:
            large += packed_bytes(path)
        else:
            content = path.read_bytes()
            total += len(packer.compress(content + bytes(-len(content) % TAR_BLOCK)))
    return total + large + len(packer.flush())


def zip_bytes(*places: Path) -> int:
    """The same in a ``.zip`` or a wheel, which pack each file by itself."""
    return sum(packed_bytes(path) + ZIP_ENTRY_BYTES + 2 * len(path.name) for path in _files(places))


def packed_bytes(file: Path, shown: Shown = _as_they_are) -> int:
    """What a file takes by itself.

    Args:
        file: any file.
        shown: how its bytes stand in the archive.
    """
    facts = file.stat()
    return _packed_bytes(file, facts.st_size, facts.st_mtime_ns, shown)


@lru_cache(maxsize=256)
def _packed_bytes(file: Path, size: int, modified_ns: int, shown: Shown) -> int:
    """The same, once while the file stays as it is."""
    del modified_ns
    if size <= SAMPLED_ABOVE_BYTES:
        return len(zlib.compress(shown(file.read_bytes()), LEVEL))
    step = (size - SAMPLE_BYTES) // (NUM_SAMPLES - 1)
    packed = 0
    with file.open("rb") as opened:
        for number in range(NUM_SAMPLES):
            opened.seek(number * step)
            packed += len(zlib.compress(shown(opened.read(SAMPLE_BYTES)), LEVEL))
    return size * packed // (NUM_SAMPLES * SAMPLE_BYTES)


def base64_bytes(*places: Path) -> int:
    """What files take where they stand as base64 in a script."""
    return sum(packed_bytes(path, base64.b64encode) for path in _files(places))


def artefact_tar_bytes(artefact_dir: Path) -> int:
    """What an artefact, as products hold it, takes in a ``.tar.gz`` with what is written about it.

    Raises:
        ArtefactInvalidError: its manifest cannot be read, or a file is missing.
    """
    return tar_bytes(*artefact_files(artefact_dir)) + TEXT_OF_ARCHIVE_BYTES


def artefact_zip_bytes(artefact_dir: Path) -> int:
    """The same in a ``.zip`` or a wheel."""
    return zip_bytes(*artefact_files(artefact_dir)) + TEXT_OF_ARCHIVE_BYTES


@cache
def fixed_tar_bytes(*places: Path) -> int:
    """``tar_bytes`` of what is the same in every product: packed once a process."""
    return tar_bytes(*places)


@cache
def fixed_zip_bytes(*places: Path) -> int:
    """``zip_bytes`` of what is the same in every product."""
    return zip_bytes(*places)


def _files(places: Iterable[Path]) -> Iterable[Path]:
    for place in places:
        if place.is_dir():
            yield from (path for path in sorted(place.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
        else:
            yield place
