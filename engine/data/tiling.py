"""How a network sees parts of pictures, one at a time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tiling:
    """Of a model."""

    window_px: int
    """Side of a part."""
    shrink: int
    """The factor by which pictures are shrunk first."""
