"""Pictures: the network sees squares of one size. Shapes: B batch, H height, W width, C colour channels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from PIL import Image
from torch import nn

from automl.contracts.artefact import ImageDecode
from automl.contracts.dataset import ItemRecord
from automl.contracts.family import ParamValue
from automl.planning.tiles import AUTO, SHRINKS, VIEW, WHOLE
from engine import frozen
from engine.artefact.write import Example, Sample
from engine.data.backend import FrozenBackbone
from engine.data.cache import PackedPictures
from engine.data.image import read_picture, resize_picture
from engine.data.items import PackedItems
from engine.data.packed import Progress
from engine.data.tiles import TiledPictures
from engine.data.tiling import Tiling
from engine.data.version import DatasetVersion
from engine.items.image import mirror
from engine.items.image.view import planes_px, tiling_of, view_of
from engine.items.kind import FrozenFeatures, Trial
from engine.models.shared.params import resolution_of
from engine.tasks import task_part
from runtime.items.image.decode import picture_decode
from runtime.pipelines.tiles import WINDOW

TRUTH_PX = 4096
"""Longer side of the truth that tiles are cut from, at most."""
_SAMPLE_WINDOWS = 1.6
"""Side of a golden sample in windows, at most."""
_EXAMPLE_SHAPE = (2, 300, 400, 3)
"""Batch, height, width, colours: all different, none special."""


@dataclass(frozen=True)
class ImageReader:
    """See ``ItemReader``."""

    resolution_px: int
    """Side of the squares."""
    pipeline: ClassVar[str | None] = None
    """See ``ItemReader``."""

    @property
    def files(self) -> Mapping[str, str]:
        """None."""
        return {}

    @property
    def decode_values(self) -> Mapping[str, int]:
        """See ``ItemReader``."""
        return {"resolution_px": self.resolution_px}

    @property
    def graph_values(self) -> Mapping[str, int]:
        """See ``ItemReader``."""
        return {"resolution_px": self.resolution_px}

    @property
    def target_values(self) -> Mapping[str, int]:
        """See ``ItemReader``."""
        return {}

    def packed(
        self, version: DatasetVersion, cache_dir: Path, *, on_progress: Progress, should_stop: Callable[[], bool]
    ) -> PackedPictures:
        """See ``ItemReader``."""
        return PackedPictures.open_or_build(
            version, cache_dir, self.resolution_px, on_progress=on_progress, should_stop=should_stop
        )

    def frozen(self, weights: str) -> FrozenFeatures:
        """See ``ItemReader``."""
        name = frozen.graph_name(weights, self.resolution_px)
        return FrozenFeatures(name, partial(self._exported, name))

    def example(self) -> Example:
        """See ``GraphItems``."""
        return Example(torch.zeros(_EXAMPLE_SHAPE, dtype=torch.uint8), "picture", {1: "height", 2: "width"})

    def sample(self, path: Path, sha256: str) -> Sample:
        """PNG: every decoder gives the same pixels, and no runtime may shrink them."""
        picture_HWC = self._limited(read_picture(path, sha256=sha256))
        content = BytesIO()
        Image.fromarray(picture_HWC).save(content, "PNG")
        return Sample("png", content.getvalue(), picture_HWC)

    def _limited(self, picture_HWC: np.ndarray) -> np.ndarray:
        """Shrinks a large picture so that its longer side stays below twice the resolution, where no runtime shrinks."""
        height, width = picture_HWC.shape[:2]
        factor = (2 * self.resolution_px - 1) / max(height, width)
        if factor >= 1.0:
            return picture_HWC
        return resize_picture(picture_HWC, height_px=max(1, int(height * factor)), width_px=max(1, int(width * factor)))

    def _exported(self, name: str, backbone: nn.Module, cache_dir: Path, num_threads: int) -> FrozenBackbone:
        return frozen.exported(
            backbone, name=name, resolution_px=self.resolution_px, cache_dir=cache_dir, num_threads=num_threads
        )


@dataclass(frozen=True)
class TileReader(ImageReader):
    """See ``ItemReader``: of a model that sees pictures in tiles."""

    shrink: int
    """The factor by which pictures are shrunk first."""
    planes_px: int
    """Side of the planes that are answered."""
    pipeline: ClassVar[str | None] = "tiles"
    """See ``ItemReader``."""

    @property
    def decode_values(self) -> Mapping[str, int]:
        """See ``ItemReader``."""
        return {"resolution_px": self.resolution_px, "shrink": self.shrink}

    @property
    def graph_values(self) -> Mapping[str, int]:
        """See ``ItemReader``."""
        return {"resolution_px": self.resolution_px, "planes_px": self.planes_px}

    @property
    def target_values(self) -> Mapping[str, int]:
        """See ``ItemReader``: truth is as fine as tiles are."""
        return {"longest_px": TRUTH_PX}

    def packed(  # type: ignore[override] # other items, which are asked the same
        self, version: DatasetVersion, cache_dir: Path, *, on_progress: Progress, should_stop: Callable[[], bool]
    ) -> TiledPictures:
        """See ``ItemReader``."""
        tiling = Tiling(self.resolution_px, self.shrink)
        return TiledPictures.open_or_build(version, cache_dir, tiling, on_progress=on_progress, should_stop=should_stop)

    def example(self) -> Example:
        """See ``GraphItems``: windows."""
        return Example(torch.zeros((2, self.resolution_px, self.resolution_px, 3), dtype=torch.uint8), WINDOW, {})

    def sample(self, path: Path, sha256: str) -> Sample:
        """The middle of a picture, so large that several windows see it."""
        picture_HWC = read_picture(path, sha256=sha256)
        most = int(_SAMPLE_WINDOWS * self.resolution_px * self.shrink)
        top, left = (max(0, (side - most) // 2) for side in picture_HWC.shape[:2])
        content = BytesIO()
        Image.fromarray(picture_HWC[top : top + most, left : left + most]).save(content, "PNG")
        decoded = picture_decode(content.getvalue(), min_side_px=self.resolution_px, shrink=self.shrink)
        return Sample("png", content.getvalue(), np.array(decoded.pixels_HWC))


class Images:
    """See ``ItemKind``."""

    def reader(self, trial: Trial) -> ImageReader:
        """See ``ItemKind``."""
        resolution_px = resolution_of(trial.size, trial.params)
        tiling = tiling_of(view_of(trial.params, trial.records, resolution_px), resolution_px)
        return (
            ImageReader(resolution_px)
            if tiling is None
            else TileReader(resolution_px, tiling.shrink, planes_px(tiling, trial.version.records()))
        )

    def continued(self, trial: Trial, decode: ImageDecode, folder: Path) -> ImageReader:
        """As of a new model: the network takes squares of any size."""
        del decode, folder
        return self.reader(trial)

    def settled(
        self,
        params: Mapping[str, ParamValue],
        items: PackedItems,
        records: Sequence[ItemRecord],
        targets: np.ndarray,
        task: str,
    ) -> Mapping[str, ParamValue]:
        """Whether pictures are mirrored in training, where nobody chose."""
        seen = {VIEW: _view_name(items)} if params.get(VIEW) == AUTO else {}
        if params.get("mirror") != "auto":
            return seen
        crops_of, rows = task_part(task, "data").labelled_crops, items.indices(records)
        found = [
            (crop_HWC, label, records[place].group)
            for place in mirror.drawn_evenly(len(records))
            for crop_HWC, label in crops_of(items.array[rows[place]], targets[place])
            if min(crop_HWC.shape[:2]) >= mirror.SMALLEST_PX
        ]
        if not found:
            return {**seen, "mirror": "yes"}
        crops, labels, groups = zip(*found, strict=True)
        return {**seen, "mirror": "yes" if mirror.is_label_mirrored(crops, np.stack(labels), groups) else "no"}

    def opened(self, decode: ImageDecode, folder: Path) -> ImageReader:
        """See ``ItemKind``."""
        del folder
        return (
            ImageReader(decode.min_side_px)
            if decode.shrink is None
            else TileReader(decode.min_side_px, decode.shrink, planes_px=0)
        )

    def is_alike(self, first: tuple[ImageDecode, Path], second: tuple[ImageDecode, Path]) -> bool:
        """Always: each model resizes by itself."""
        del first, second
        return True

    def joined(self, readers: Sequence[ImageReader]) -> ImageReader:
        """That of the largest squares: a picture may be shrunk no further."""
        return max(readers, key=lambda reader: reader.resolution_px)


def _view_name(items: PackedItems) -> str:
    tiling = items.tiling
    return WHOLE if tiling is None else next(name for name, shrink in SHRINKS.items() if shrink == tiling.shrink)
