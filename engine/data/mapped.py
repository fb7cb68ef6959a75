"""Arrays on disk that are written through memory."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import DTypeLike


def mapped_array(path: Path, *, dtype: DTypeLike, shape: tuple[int, ...]) -> np.memmap:
    """Creates a ``.npy`` file and maps it for writing; its room on the disk is taken at once.

    Where a file is longer than what the disk has room for, a write through the map ends the process (SIGBUS) without a word.

    Raises:
        OSError: there is no room for it.
    """
    array = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)
    if hasattr(os, "posix_fallocate"):  # not on macOS
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
    return array
