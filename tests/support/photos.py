"""Photographs made by code: detail at every scale, so that they compress to about the bytes a pixel of real ones."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

# Bytes a pixel of the two sizes that the scoreboard names: 50 kB at 500x375 and 370 kB at 1920x1080.
SMALL_SIZE = (500, 375)
LARGE_SIZE = (1920, 1080)


def photo(size: tuple[int, int], seed: int) -> Image.Image:
    """A picture whose octaves fall off as one over the frequency, as natural pictures' do."""
    width, height = size
    rng = np.random.default_rng(seed)
    pixels_HWC = np.zeros((height, width, 3), dtype=np.float32)
    for octave in range(1, 9):
        cells = 2**octave
        noise = rng.normal(0, 1, (max(2, cells * height // width), cells, 3)).astype(np.float32)
        planes = [Image.fromarray(noise[..., c]).resize(size, Image.Resampling.BICUBIC) for c in range(3)]
        pixels_HWC += np.stack([np.asarray(plane) for plane in planes], axis=-1) / octave
    grain = rng.normal(0, 4, (height, width, 1))
    return Image.fromarray((128 + 45 * pixels_HWC + grain).clip(0, 255).astype(np.uint8))


def jpeg(size: tuple[int, int], seed: int, quality: int = 85) -> bytes:
    """A photo as JPEG."""
    buffer = io.BytesIO()
    photo(size, seed).save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()
