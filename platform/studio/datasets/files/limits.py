"""What one upload may contain. A person's mistake or an attack ends as a listed reason, never as a full disk."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 2**20
GIB = 2**30


@dataclass(frozen=True)
class Limits:
    """Caps on archives and pictures."""

    max_upload_bytes: int = 64 * GIB
    max_file_bytes: int = 256 * MIB
    """Of one file, unpacked: it is held in memory once."""
    max_unpacked_bytes: int = 256 * GIB
    max_ratio: int = 200
    """Unpacked over packed, of archives and of packed tables; pictures hardly shrink, a bomb shrinks a thousandfold."""
    ratio_free_bytes: int = 64 * MIB
    """Below this much unpacked data the ratio says nothing: a blank bitmap shrinks a thousandfold too."""
    max_entries: int = 2_000_000
    max_directory_bytes: int = 256 * MIB
    """Of a zip's directory, which is read at once."""
    max_header_bytes: int = MIB
    """Of what a tar says of one entry, its long name for instance; it is read at once."""
    max_rows: int = 10_000_000
    """Of one table."""
    max_pixels: int = 100_000_000
    max_name_chars: int = 512


LIMITS = Limits()
PART_BYTES = 8 * MIB
"""What we ask a client to send at once."""
MAX_PART_BYTES = 64 * MIB
MAX_BATCH_BYTES = 32 * MIB
"""Of one request with many small files."""
