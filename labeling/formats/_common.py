"""What formats share: finding files by what a label file calls them, safe texts and numbers, names in downloads."""

from __future__ import annotations

import math
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from tempfile import TemporaryFile
from typing import IO, Any, TypeVar

import orjson
from pydantic import ValidationError

from automl.contracts.annotation import Annotation, AttributeValue, Primitive
from automl.contracts.dataset import ItemRecord, Label, Split
from studio.datasets.formats import Complaint, Reading, label_is_valid

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

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_SUFFIX = re.compile(r"[A-Za-z0-9]{1,8}")
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_CHUNK_BYTES = 1 << 20
_One = TypeVar("_One", bound=Primitive)


class LabelError(ValueError):
    """Something cannot be read as a label; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str = "annotation_invalid") -> None:
        super().__init__(code)
        self.code = code


def made(kind: type[_One], **fields: Any) -> _One:
    """An annotation of parts that somebody else wrote.

    Raises:
        LabelError: they make none.
    """
    label = fields.get("label", "x")
    if not isinstance(label, str) or not label_is_valid(label):
        raise LabelError("label_invalid")
    try:
        one = kind(**fields)
    except (ValidationError, ValueError, TypeError):
        raise LabelError from None
    if not is_finite(one.model_dump().values()):
        raise LabelError
    return one


def is_finite(values: Iterable[object]) -> bool:
    """Whether all numbers, nested ones too, are real ones."""
    for value in values:
        if isinstance(value, float) and not math.isfinite(value):
            return False
        if isinstance(value, (tuple, list)) and not is_finite(value):
            return False
        if isinstance(value, dict) and not is_finite(value.values()):
            return False
    return True


def label_text(value: object) -> str:
    """A label's name from whatever a file holds; raises ``LabelError``."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise LabelError("label_invalid")
    text = str(value).strip()
    if not label_is_valid(text):
        raise LabelError("label_invalid")
    return text


def labels_joined(names: Iterable[str]) -> str:
    """Several labels in one cell: ``rose|red``, a bar within a label behind a backslash."""
    return "|".join(name.replace("\\", "\\\\").replace("|", "\\|") for name in names)


def labels_parted(cell: str) -> list[str]:
    """The inverse of ``labels_joined``; an empty cell holds none."""
    parts = re.split(r"(\\[\\|]|\|)", cell)
    names = [""]
    for part in parts:
        if part == "|":
            names.append("")
        else:
            names[-1] += part[1:] if part in {"\\\\", "\\|"} else part
    return [name.strip() for name in names] if cell.strip() else []


def number(value: object) -> float:
    """A finite number from a number or its text; raises ``LabelError``."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise LabelError
    try:
        found = float(value)
    except (ValueError, OverflowError):
        raise LabelError from None
    if not math.isfinite(found):
        raise LabelError
    return found


def whole(value: object) -> int:
    """A whole number; raises ``LabelError``."""
    found = number(value)
    if found != int(found):
        raise LabelError
    return int(found)


def score_of(value: object) -> float | None:
    """A confidence of 0..1, None when there is none; raises ``LabelError``."""
    if value is None or value == "":
        return None
    found = number(value)
    if not 0 <= found <= 1:
        raise LabelError
    return found


def attributes_of(found: Mapping[str, object]) -> tuple[AttributeValue, ...]:
    """Attributes from names and plain values; nothing but texts, numbers and switches can be one."""
    out = []
    for name, value in found.items():
        if value is None or not 0 < len(name) <= 64:
            continue
        if isinstance(value, (bool, str)):
            out.append(AttributeValue(name=name, value=value))
        elif isinstance(value, (int, float)) and math.isfinite(value):
            out.append(AttributeValue(name=name, value=float(value)))
    return tuple(out)


def typed_text(text: str) -> str | float | bool:
    """What a text of an XML attribute means: a switch, a number or itself."""
    low = text.strip().lower()
    if low in {"true", "false"}:
        return low == "true"
    try:
        value = float(low)
    except ValueError:
        return text
    return value if math.isfinite(value) and re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", low) else text


def color_of(value: object) -> str:
    """A colour as ``#rrggbb``; the usual blue when the file says nothing."""
    return value if isinstance(value, str) and _COLOR.fullmatch(value) else "#4c6ef5"


def label_note(reading: Reading, label: Label) -> None:
    """Keeps what a file says of a label; the first word counts."""
    reading.labels.setdefault(label.name, label)


def text_of(data: bytes) -> str:
    """Decodes UTF-8, UTF-16 with its mark, or GB 18030; what is left is replaced."""
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return data.decode("utf-16", "replace")
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")


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


def split_named(text: str) -> Split | None:
    """The split that a path names: in a folder, or in a file's name as ``instances_train2017``. The last word counts."""
    found = None
    for part in text.lower().split("/"):
        for word in re.split(r"[^a-z]+", part):
            found = SPLITS.get(word, found)
    return found


def split_of_folders(name: str) -> Split | None:
    """The split that a file's folders name."""
    return next((SPLITS[part] for part in reversed(name.lower().split("/")[:-1]) if part in SPLITS), None)


class Finder:
    """Finds files by what a label file calls them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._by_base: dict[str, list[str]] = defaultdict(list)
        self._by_stem: dict[str, list[str]] = defaultdict(list)
        for name in self._names:
            base = posixpath.basename(name)
            self._by_base[base].append(name)
            self._by_stem[posixpath.splitext(base)[0]].append(name)

    def find(self, wanted: str, folder: str = "") -> list[str]:
        """All files that are meant: none, one, or several when the name is not enough."""
        wanted = wanted.replace("\\", "/").removeprefix("./")
        for candidate in (wanted, posixpath.join(folder, wanted)):
            if candidate in self._names:
                return [candidate]
        candidates = self._by_base.get(posixpath.basename(wanted), [])
        exact = [name for name in candidates if name.endswith("/" + wanted)]
        # A path of another machine, such as C:/data/cat.jpg, still ends in the file's name.
        return exact or self._beside(candidates, folder)

    def one(self, wanted: str, folder: str = "") -> str:
        """The file that is meant.

        Raises:
            LabelError: there is none, or there are several.
        """
        found = self.find(wanted, folder)
        if len(found) != 1:
            raise LabelError("label_file_ambiguous" if found else "label_file_missing")
        return found[0]

    def by_stem(self, stem: str, folder: str = "") -> str:
        """The file of this name whatever its suffix, the nearest when there are several; raises as ``one``."""
        candidates = self._by_stem.get(posixpath.basename(stem), [])
        found = [name for name in candidates if posixpath.splitext(name)[0] == stem] or self._beside(candidates, folder)
        if len(found) != 1:
            raise LabelError("label_file_ambiguous" if found else "label_file_missing")
        return found[0]

    @staticmethod
    def _beside(candidates: list[str], folder: str) -> list[str]:
        """Of several, those that share the most folders with the label file."""
        if len(candidates) < 2:
            return candidates
        above = folder.split("/")

        def shared(name: str) -> tuple[int, bool]:
            parts = name.split("/")[:-1]
            same = next(
                (at for at, (a, b) in enumerate(zip(parts, above, strict=False)) if a != b), min(len(parts), len(above))
            )
            # labels/train/1.txt goes with images/train/1.jpg rather than with images/test/1.jpg
            return same, split_of_folders(name) == split_of_folders(folder + "/x")

        best = max(map(shared, candidates))
        return [name for name in candidates if shared(name) == best]


@lru_cache(maxsize=4096)
def _stem_clean(stem: str) -> str:
    return _UNSAFE.sub("_", stem)[:80].strip(". ") or "item"


@lru_cache(maxsize=4096)
def _folder_clean(folder: str) -> str:
    return _UNSAFE.sub("_", folder)[:80].strip(". ") or "_"


def free_stem(record: ItemRecord) -> str:
    """A file name without suffix that no other item has: the id makes it unique, the name keeps it readable."""
    base = record.name.rpartition("/")[2]
    stem = base.rpartition(".")[0] or base
    readable = stem if stem.isalnum() and len(stem) <= 80 else _stem_clean(stem)
    return f"{readable}.{record.item[-10:]}"


def suffix_of(record: ItemRecord) -> str:
    """The suffix of an item's file, with the dot."""
    _, dot, suffix = record.name.rpartition("/")[2].rpartition(".")
    return _suffix_clean(suffix if dot else "", record.media.format)


@lru_cache(maxsize=256)
def _suffix_clean(suffix: str, form: str) -> str:
    return f".{suffix.lower()}" if _SUFFIX.fullmatch(suffix) else f".{form}"


def free_path(*, folder: str, record: ItemRecord) -> str:
    """A path that no other item has, below folders that any file system takes."""
    place = "/".join(_folder_clean(part) for part in folder.split("/")) if "/" in folder else _folder_clean(folder)
    return f"{place}/{free_stem(record)}{suffix_of(record)}"


def of_kinds(record: ItemRecord, kinds: frozenset[Any]) -> list[Annotation]:
    """The annotations of an item that a format can carry."""
    return [one for one in record.annotations if one.kind in kinds]


@dataclass
class Spool:
    """Text that is gathered on disk while pictures are sent, so that memory stays flat."""

    num_pieces: int = 0
    _file: IO[bytes] = field(default_factory=lambda: TemporaryFile(prefix="export-"))  # noqa: SIM115 - closed by `chunks`

    def add(self, piece: bytes, *, separator: bytes = b"") -> None:
        """Appends a piece, after the separator when it is not the first."""
        self._file.write(separator + piece if self.num_pieces else piece)
        self.num_pieces += 1

    def chunks(self) -> Iterator[bytes]:
        """All that was added; it can be had once."""
        self._file.seek(0)
        with self._file:
            while chunk := self._file.read(_CHUNK_BYTES):
                yield chunk


def complain(reading: Reading, place: str, code: str) -> None:
    """Notes what could not be used."""
    reading.complaints.append(Complaint(place, code))


def attach(reading: Reading, name: str, said: Iterable[Annotation]) -> None:
    """Adds annotations to an item's; what is said twice counts once."""
    before = reading.annotations.get(name, ())
    reading.annotations[name] = before + tuple(one for one in said if one not in before)


def attach_all(reading: Reading, name: str, said: Sequence[Annotation]) -> None:
    """Sets or adds an item's annotations as they are: for files that name an item once."""
    reading.annotations[name] = (*reading.annotations.get(name, ()), *said)


def looked_into(label_files: Mapping[str, bytes], *suffixes: str, count: int = 3) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the first few label files with such a suffix."""
    found = [name for name in label_files if name.lower().endswith(suffixes)]
    for name in found[:count]:
        yield name, label_files[name]
