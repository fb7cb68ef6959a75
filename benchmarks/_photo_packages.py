"""Real photographs out of packages: which ones stands in ``photographs.json``; each belongs to one of two halves.

Limits are chosen on half ``A`` and judged on half ``B``. Photographs of one series (``product-1``, ``product-2``) stand in one
half, since they show the same things. They were listed by what they show, before anything was measured on them: photographs
as somebody chose to publish them, with shallow focus, fog, night and plain backgrounds among them, and none that is blurred
all over.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import re
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from benchmarks._digits import CACHE_DIR
from benchmarks.harness import SkippedError

_LIST_FILE = Path(__file__).parent / "photographs.json"
_SHORT_SIDE_PX = 1024
"""Larger photographs are shrunk when they are read."""


@dataclass(frozen=True)
class Photograph:
    """One photograph of a package."""

    package: str
    path: Path
    half: str
    """``A`` to choose on, ``B`` to judge on."""

    def pixels(self) -> np.ndarray:
        """``HWC``."""
        with Image.open(self.path) as picture:
            rgb = picture.convert("RGB")
        shrink = _SHORT_SIDE_PX / min(rgb.size)
        if shrink < 1:
            rgb = rgb.resize((round(rgb.width * shrink), round(rgb.height * shrink)), Image.Resampling.LANCZOS)
        return np.asarray(rgb)


def photographs_of(packages: str = "*") -> list[Photograph]:
    """Those whose package fits the pattern, in the list's order; packages are fetched once.

    Raises:
        SkippedError: a package cannot be had.
    """
    out = []
    for one in json.loads(_LIST_FILE.read_text(encoding="utf-8")):
        if fnmatch.fnmatch(one["package"], packages):
            folder = package_folder(one["registry"], one["package"], one["version"])
            paths = [path for pattern in one["files"] for path in sorted(folder.glob(pattern))]
            out += [Photograph(one["package"], path, half_of(path.stem)) for path in paths]
    return out


def half_of(stem: str) -> str:
    """Half by the name without what tells a series' pictures apart; names that are hardly more than a number count whole."""
    letters = re.match(r"[A-Za-z-]*", stem)
    series = letters.group().strip("-") if letters else ""
    key = series if len(series) >= 3 else stem
    return "AB"[hashlib.sha256(key.encode()).digest()[0] % 2]


def without_copies(photographs: list[Photograph]) -> Iterator[tuple[Photograph, np.ndarray]]:
    """Photographs with their pixels, each picture once."""
    seen = set()
    for one in photographs:
        pixels_HWC = one.pixels()
        coarse = (cv2.resize(pixels_HWC, (8, 8), interpolation=cv2.INTER_AREA) // 16).tobytes()
        if coarse not in seen:
            seen.add(coarse)
            yield one, pixels_HWC


def package_folder(registry: str, package: str, version: str) -> Path:
    """Where the files of a package lie; fetched once.

    Raises:
        SkippedError: it cannot be had.
    """
    target = CACHE_DIR / "photographs" / re.sub(r"[^\w.-]", "_", f"{package}-{version}")
    if not target.exists():
        scratch = target.with_name(f"{target.name}.part")
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        command = {
            "debian": ["apt-get", "download", f"{package}={version}"],
            "pypi": ["pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", f"{package}=={version}"],
            "npm": ["npm", "pack", "--silent", f"{package}@{version}"],
        }[registry]
        if (
            shutil.which(command[0]) is None
            or subprocess.run(command, cwd=scratch, capture_output=True, check=False).returncode
        ):
            raise SkippedError(f"{package} {version} cannot be had from its registry ({command[0]})")
        (archive,) = scratch.iterdir()
        _unpack(archive, scratch)
        archive.unlink()
        scratch.rename(target)
    return target / "package" if registry == "npm" else target


def _unpack(archive: Path, target: Path) -> None:
    match archive.suffix:
        case ".deb":
            subprocess.run(["dpkg-deb", "--extract", str(archive), str(target)], check=True)
        case ".whl":
            with zipfile.ZipFile(archive) as wheel:
                wheel.extractall(target)
        case _:
            with tarfile.open(archive) as tarball:
                tarball.extractall(target, filter="data")
