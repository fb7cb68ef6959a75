"""Files of an upload: what their names mean, how one is found by its name in a label file, and its content."""

from __future__ import annotations

import io
import posixpath
import re
import struct
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from typing import IO, Any, cast

import orjson
from PIL import Image

from automl.contracts.dataset import Split
from labeling.formats._values import LabelError
from runtime.run_lengths import MAX_PIXELS
from studio.datasets.files.table_options import CODECS, Encoding

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")
SPLITS = {
    "train": Split.TRAIN,
    "training": Split.TRAIN,
    "val": Split.VALIDATION,
    "valid": Split.VALIDATION,
    "validation": Split.VALIDATION,
    "dev": Split.VALIDATION,
    "test": Split.TEST,
    "testing": Split.TEST,
}
"""What folders, lists and columns call the splits."""


PNG_DAMAGE = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    OverflowError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
)
"""What Pillow raises at damaged files."""


def text_of(data: bytes) -> str:
    """Decodes UTF-8, UTF-16 with its mark, or GB 18030; what is left is replaced."""
    return text_and_encoding(data)[0]


def text_and_encoding(data: bytes) -> tuple[str, Encoding]:
    """As ``text_of``, with the encoding."""
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return data.decode("utf-16", "replace"), "utf-16"
    guesses: tuple[Encoding, ...] = ("utf-8", "gb18030")
    for encoding in guesses:
        try:
            return data.decode(CODECS[encoding]), encoding
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace"), "utf-8"


def text_in(data: bytes, encoding: Encoding) -> str:
    """Decodes what is said to be in an encoding.

    Raises:
        LabelError: it is not.
    """
    try:
        return data.decode(CODECS[encoding])
    except UnicodeDecodeError:
        raise LabelError("table_encoding_wrong") from None


def json_of(data: bytes) -> Any:  # noqa: ANN401 - it is JSON
    """Parses JSON; raises ``LabelError``."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    try:
        return orjson.loads(text_of(data))
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        raise LabelError("label_file_broken") from None


def png_of(data: bytes, *, code: str = "label_file_broken") -> Image.Image:
    """A PNG, decoded whole; raises ``LabelError``, with this code when it is damaged."""
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            if picture.width * picture.height <= MAX_PIXELS:
                picture.load()
                return picture
    except Image.DecompressionBombError:
        pass
    except PNG_DAMAGE:
        raise LabelError(code) from None
    raise LabelError("picture_too_large")


def split_named(text: str) -> Split | None:
    """The split that a path names: in a folder, or in a file's name as ``instances_train2017``. The last word counts."""
    found = None
    for part in text.lower().split("/"):
        for word in re.split(r"[^a-z]+", part):
            found = SPLITS.get(word, found)
    return found


def split_of_folders(name: str) -> Split | None:
    """The split that a file's folders name."""
    return _split_of_folder(name.rpartition("/")[0])


@lru_cache(maxsize=4096)
def _split_of_folder(folder: str) -> Split | None:
    """Kept: the rows of a table of a million files name few folders."""
    return next((SPLITS[part] for part in reversed(folder.lower().split("/")) if part in SPLITS), None)


class Finder:
    """Finds files by what a label file calls them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)

    @cached_property
    def _by_base(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name in self._names:
            found[posixpath.basename(name)].append(name)
        return found

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name in self._names:
            found[posixpath.splitext(posixpath.basename(name))[0]].append(name)
        return found

    def find(self, path: str, folder: str = "") -> list[str]:
        """All files that are meant: none, one, or several when the name is not enough."""
        if path in self._names:
            return [path]
        path = path.replace("\\", "/").removeprefix("./")
        for candidate in (path, posixpath.join(folder, path)):
            if candidate in self._names:
                return [candidate]
        candidates = self._by_base.get(posixpath.basename(path), [])
        exact = [name for name in candidates if name.endswith("/" + path)]
        if inside := [name for name in candidates if path.endswith("/" + name)]:
            return [max(inside, key=len)]  # data/obj_train_data/1.jpg of a list, where data/ was not packed
        # A path of another machine, such as C:/data/cat.jpg, still ends in the file's name.
        return self._beside(exact or candidates, folder)

    def each(self, paths: Sequence[str], folder: str = "") -> list[list[str]]:
        """As ``find``, for all paths of a list; of several files the one is meant that no other path of the list names."""
        found = [self.find(path, folder) for path in paths]
        named = {names[0] for names in found if len(names) == 1}
        times = Counter(paths)
        return [
            [name for name in names if name not in named] or names if len(names) > 1 and times[path] == 1 else names
            for path, names in zip(paths, found, strict=True)
        ]

    def one(self, path: str, folder: str = "") -> str:
        """The file that is meant.

        Raises:
            LabelError: there is none, or there are several.
        """
        return the_one(self.find(path, folder))

    def by_stem(self, stem: str, folder: str = "") -> str:
        """The file of this name whatever its suffix, the nearest when there are several; raises as ``one``."""
        candidates = self._by_stem.get(posixpath.basename(stem), [])
        found = [name for name in candidates if posixpath.splitext(name)[0] == stem] or self._beside(candidates, folder)
        if len(found) > 1:  # Annotations/1.xml goes with JPEGImages/1.jpg rather than with JPEGImages/sub/1.jpg
            found = [name for name in found if name.count("/") == f"{folder}/".count("/")] or found
        return the_one(found)

    @staticmethod
    def _beside(candidates: list[str], folder: str) -> list[str]:
        """Of several, those that share the most folders with the label file."""
        if len(candidates) < 2:
            return candidates
        above = folder.split("/")

        def shared(name: str) -> tuple[int, int, bool]:
            parts = name.split("/")[:-1]
            # Annotations/sub/1.xml goes with JPEGImages/sub/1.jpg rather than with JPEGImages/other/1.jpg,
            # labels/train/1.txt with images/train/1.jpg rather than with images/test/1.jpg.
            ends = _num_same(parts[::-1], above[::-1])
            return _num_same(parts, above), ends, split_of_folders(name) == split_of_folders(folder + "/x")

        best = max(map(shared, candidates))
        return [name for name in candidates if shared(name) == best]


def the_one(found: Sequence[str]) -> str:
    """The only one.

    Raises:
        LabelError: there is none, or there are several.
    """
    if len(found) != 1:
        raise LabelError("label_file_ambiguous" if found else "label_file_missing")
    return found[0]


def _num_same(one: list[str], other: list[str]) -> int:
    """How many parts two paths have in common from their beginning on."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@contextmanager
def opened(name: str, files: Mapping[str, bytes]) -> Iterator[tuple[IO[bytes], int]]:
    """A file and its size."""
    path = cast("Callable[[str], Path] | None", getattr(files, "path", None))
    if path is None:
        data = files[name]
        yield io.BytesIO(data), len(data)
        return
    with path(name).open("rb") as file:
        yield file, path(name).stat().st_size


def looked_into(label_files: Mapping[str, bytes], *suffixes: str, count: int = 3) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the first few label files with such a suffix."""
    found = [name for name in label_files if name.lower().endswith(suffixes)]
    for name in found[:count]:
        yield name, label_files[name]
