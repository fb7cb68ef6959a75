"""Pictures of a version at a scale of their own, for models that see parts of them.

Each lies uncompressed in a file of the host's cache, shrunk by the same whole factor and read as the shipped runtime reads it:
a crop then costs no decoding. Beside them stand the small squares of ``cache``, for whoever looks at whole pictures.

Shapes: B batch, N items, H height, W width, C colour channels (RGB).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from automl.contracts.dataset import ItemRecord
from engine.data.blob import is_blob
from engine.data.cache import PackedPictures, as_input
from engine.data.image import PictureDamagedError, PictureUnreadableError
from engine.data.packed import BuildStoppedError, Progress
from engine.data.tiling import Tiling
from engine.data.used import mark_used
from engine.data.version import DatasetVersion
from engine.errors import EngineError
from runtime.errors import RuntimeFault
from runtime.items.image.decode import picture_decode

_EDITION = 1
"""Part of the folder's name: raise it when the same file would give other pixels than before."""
_LEFT_BYTES = 2**30
"""Of the disk, which stay free."""
Pixels = NDArray[np.uint8]


class TilesTooLargeError(EngineError):
    """The pictures do not fit on the disk at the scale of the tiles."""

    code = "tiles_too_large"
    hint = "Choose tiles of half or a quarter of the size, or whole pictures, or free space on the machine."


@dataclass(frozen=True)
class TiledPictures:
    """See ``PackedItems``; ``array`` holds the small squares."""

    tiling: Tiling
    small: PackedPictures
    folder: Path
    version: DatasetVersion
    asked_at_once = 1
    """Pictures have different sizes."""

    @classmethod
    def open_or_build(
        cls,
        version: DatasetVersion,
        cache_dir: Path,
        tiling: Tiling,
        *,
        on_progress: Progress,
        should_stop: Callable[[], bool],
    ) -> TiledPictures:
        """Opens the pictures, reading those that this host has not read yet; several processes may do so at once.

        Args:
            version: the version whose pictures are read, all splits.
            cache_dir: folder shared by the jobs of a host.
            tiling: what for.
            on_progress: called with (pictures done, pictures in all).
            should_stop: asked every few pictures.

        Raises:
            TilesTooLargeError: there is no room for them.
            PictureUnreadableError: pictures cannot be read; ``items`` names them.
            BuildStoppedError: ``should_stop`` returned true.
        """
        small = PackedPictures.open_or_build(version, cache_dir, tiling.window_px, should_stop=should_stop)
        folder = cache_dir / "pictures" / f"{version.id}-shrunk{tiling.shrink}-{_EDITION}"
        folder.mkdir(parents=True, exist_ok=True)
        opened = cls(tiling, small, folder, version)
        records = version.records()
        missing = [row for row in range(len(records)) if not opened._path(row).exists()]
        _raise_if_full([records[row] for row in missing], tiling.shrink, folder)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for done, _ in enumerate(pool.map(opened._build, missing, [records[row] for row in missing]), start=1):
                if should_stop():
                    pool.shutdown(cancel_futures=True)
                    raise BuildStoppedError
                on_progress(done, len(missing))
        mark_used(folder)
        return opened

    @property
    def array(self) -> Pixels:
        """Whole pictures as squares of a window's side: one row an item."""
        return self.small.array

    @property
    def has_one_shape(self) -> bool:
        """Windows are squares of one size."""
        return True

    def indices(self, records: Iterable[ItemRecord]) -> NDArray[np.int64]:
        """The rows of these items, in the order given."""
        return self.small.indices(records)

    def batches(self, rows_N: NDArray[np.int64], most: int) -> list[NDArray[np.int64]]:
        """Of the small squares."""
        return self.small.batches(rows_N, most)

    def graph_input(self, rows_B: NDArray[np.int64]) -> Pixels:
        """One picture ``_1HWC``, as the runtime reads it."""
        (row,) = rows_B
        return self.picture(int(row))[None]

    def network_input(self, pictures_BHWC: Tensor, device: torch.device) -> Tensor:
        """A batch of windows as the network takes it."""
        return as_input(pictures_BHWC, device)

    def blank(self, batch_size: int) -> Tensor:
        """Black windows."""
        return self.small.blank(batch_size)

    def picture(self, row: int) -> Pixels:
        """A picture ``_HWC``, memory-mapped, read-only."""
        pixels_HWC: Pixels = np.load(self._path(row), mmap_mode="r")
        return pixels_HWC

    def _path(self, row: int) -> Path:
        return self.folder / f"{row}.npy"

    def _build(self, row: int, record: ItemRecord) -> None:
        data = self.version.blob_path(record.blob).read_bytes()
        if not is_blob(data, record.blob):
            raise PictureDamagedError("The stored bytes are not those that were uploaded.", items=(record.item,))
        try:
            decoded = picture_decode(data, min_side_px=self.tiling.window_px, shrink=self.tiling.shrink)
        except RuntimeFault as fault:
            raise PictureUnreadableError(f"{record.name} cannot be read: {fault.detail}", items=(record.item,)) from fault
        partial = self._path(row).with_suffix(f".{os.getpid()}.partial")
        with partial.open("wb") as file:
            np.save(file, decoded.pixels_HWC)
        partial.replace(self._path(row))


def _raise_if_full(records: Sequence[ItemRecord], shrink: int, folder: Path) -> None:
    needed = sum(3 * record.media.width * record.media.height for record in records) // shrink**2
    free = shutil.disk_usage(folder).free - _LEFT_BYTES
    if needed > free:
        raise TilesTooLargeError(
            f"The pictures take {needed / 2**30:,.1f} GB at this size; {max(0, free) / 2**30:,.1f} are free."
        )
