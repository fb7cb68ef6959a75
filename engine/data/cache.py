"""Pictures of a version, decoded and resized once per resolution and shared by all trials of a host.

Decoding dominates a small network's step (``benchmarks/pipeline.py``), and a study of thirty trials would pay it thirty
times an epoch. One memory-mapped file of equal squares costs 150 kB a picture at 224 px and nothing to read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from automl.contracts.dataset import ItemRecord
from engine.data.image import PictureUnreadableError, Pixels, read_picture, resize_picture
from engine.data.items import ASKED_AT_ONCE
from engine.data.packed import Progress, packed_array
from engine.data.version import DatasetVersion

# Part of the folder's name: raise it when the same file would give other pixels than before.
_PIXELS_EDITION = 1
_CHUNK_PICTURES = 128
# An error message names so many pictures; more would not help.
_NAMED_PICTURES = 20


@dataclass(frozen=True)
class PackedPictures:
    """All pictures of a version as equal squares, in the order of ``DatasetVersion.records()``."""

    pictures_NHWC: NDArray[np.uint8]
    """Memory-mapped, read-only; RGB, ``resolution_px`` square, aspect not kept."""
    _rows: dict[str, int]

    @classmethod
    def open_or_build(
        cls,
        version: DatasetVersion,
        cache_dir: Path,
        resolution_px: int,
        *,
        on_progress: Progress | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> PackedPictures:
        """Opens the packed pictures, building them first when this host has none yet.

        Safe to call from many processes and threads at once: one builds, the others wait.

        Args:
            version: the version whose pictures are read, all splits.
            cache_dir: folder shared by the jobs of a host.
            resolution_px: side of the squares.
            on_progress: called with (pictures done, pictures in all) while this call builds.
            should_stop: asked every fraction of a second while building or waiting.

        Raises:
            PictureUnreadableError: pictures cannot be read; ``items`` names them.
            BuildStoppedError: ``should_stop`` returned true.
        """
        records = version.records()
        pictures_NHWC = packed_array(
            cache_dir / "pictures" / f"{version.id}-{resolution_px}px-{_PIXELS_EDITION}",
            num_rows=len(records),
            rows=lambda places: _decoded(version, records, places, resolution_px),
            chunk_rows=_CHUNK_PICTURES,
            on_progress=on_progress,
            should_stop=should_stop,
        )
        return cls(pictures_NHWC=pictures_NHWC, _rows={record.item: row for row, record in enumerate(records)})

    tiling = None
    """The network sees whole pictures."""
    asked_at_once = ASKED_AT_ONCE

    @property
    def array(self) -> NDArray[np.uint8]:
        """``pictures_NHWC``: one row an item."""
        return self.pictures_NHWC

    @property
    def has_one_shape(self) -> bool:
        """All are squares of one size."""
        return True

    def batches(self, rows_N: NDArray[np.int64], most: int) -> list[NDArray[np.int64]]:
        """As they are: all squares are equal."""
        return [np.arange(start, min(start + most, len(rows_N))) for start in range(0, len(rows_N), most)]

    def graph_input(self, rows_B: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Pictures ``_BHWC`` of the rows: the shipped graph takes bytes."""
        return self.pictures_NHWC[rows_B]

    def network_input(self, pictures_BHWC: Tensor, device: torch.device) -> Tensor:
        """A batch as the network takes it: see ``as_input``."""
        return as_input(pictures_BHWC, device)

    def blank(self, batch_size: int) -> Tensor:
        """Black pictures."""
        return torch.zeros((batch_size, *self.pictures_NHWC.shape[1:]), dtype=torch.uint8)

    def indices(self, records: Iterable[ItemRecord]) -> NDArray[np.int64]:
        """The rows of these items' pictures, in the order given."""
        return np.array([self._rows[record.item] for record in records], dtype=np.int64)


def as_input(pictures_BHWC: Tensor, device: torch.device) -> Tensor:
    """Bytes as the network takes them: float 0..255, ``_BCHW`` that lies in memory as channels last."""
    return pictures_BHWC.to(device, non_blocking=True).permute(0, 3, 1, 2).float()


def _decoded(version: DatasetVersion, records: Sequence[ItemRecord], places: range, resolution_px: int) -> Pixels:
    """Decodes a chunk of the records on all cores: the decoders work outside the interpreter's lock.

    Where some of it cannot be read, the others are looked at too, so that the error names all that has to be mended.
    """
    decode = partial(_picture_or_error, version, resolution_px)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(decode, (records[row] for row in places)))
        if any(isinstance(result, PictureUnreadableError) for result in results):
            others = [record for row, record in enumerate(records) if row not in places]
            errors = [_error_or_none(result) for result in results]
            errors += pool.map(lambda record: _error_or_none(decode(record)), others)
            _raise_unreadable([*(records[row] for row in places), *others], errors)
    return np.stack([result for result in results if isinstance(result, np.ndarray)])


def _raise_unreadable(records: Sequence[ItemRecord], errors: Sequence[PictureUnreadableError | None]) -> None:
    failures = sorted(
        ((record, error) for record, error in zip(records, errors, strict=True) if error is not None),
        key=lambda failure: failure[0].item,
    )
    names = ", ".join(record.name for record, _ in failures[:_NAMED_PICTURES])
    message = f"{len(failures)} of the pictures cannot be read: {names}. {failures[0][1].message}"
    raise type(failures[0][1])(message, items=tuple(record.item for record, _ in failures))


def _error_or_none(result: Pixels | PictureUnreadableError) -> PictureUnreadableError | None:
    return result if isinstance(result, PictureUnreadableError) else None


def _picture_or_error(version: DatasetVersion, resolution_px: int, record: ItemRecord) -> Pixels | PictureUnreadableError:
    try:
        pixels_HWC = read_picture(version.blob_path(record.blob), min_side_px=resolution_px, sha256=record.blob)
    except PictureUnreadableError as error:
        return error
    return resize_picture(pixels_HWC, height_px=resolution_px, width_px=resolution_px)
