"""Shards of lines ``base64<TAB>label``: pictures and labels in one file, as loaders of large sets read them.

The column with the picture is found by its content. Then come the label (several as ``a|b``; none when empty) and the name. A
download has a shard a split and a head row.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping, Sequence

from automl.contracts.annotation import Annotation, AnnotationKind, ClassLabel
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.modality import Modality
from labeling.formats._files import looked_into, split_named
from labeling.formats._reading import attach, complain
from labeling.formats._texts import Content, item_name
from labeling.formats._values import LabelError, label_text, labels_joined, labels_parted, made
from labeling.formats._writing import Paths, Spool
from studio.datasets.files.formats import ExportedFile, Facet, LabelFileProblem, ParsedLabels, ReadBlob

TITLE = Text.same("Base64 TSV")
KINDS: frozenset[AnnotationKind] = frozenset({"class"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES})
MEDIA = frozenset({Modality.IMAGE})

_HEAD = b"image_base64\tlabel\tname\n"
_MAGIC = (b"/9j/", b"iVBOR", b"UklGR", b"Qk", b"R0lGOD", b"SUkq", b"TU0AKg")
"""How pictures begin in base64: JPEG, PNG, WebP, BMP, GIF, TIFF."""
_SUFFIX = {b"/9j/": "jpg", b"iVBOR": "png", b"UklGR": "webp", b"Qk": "bmp", b"R0lGOD": "gif"}


def is_label_file(name: str) -> bool:
    """Tables with tabs between the columns."""
    return name.lower().endswith((".tsv", ".b64.txt", ".base64"))


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A table with a picture in its first rows."""
    del names
    for _, data in looked_into(label_files, ".tsv", ".b64.txt", ".base64"):
        rows = data[:1024].split(b"\n", 1)
        if any(
            _is_picture(cell)
            for line in (*rows, *data[len(rows[0]) + 1 :][:2048].split(b"\n", 1))
            for cell in line.split(b"\t")
        ):
            return 0.9
    return 0.0


def _is_picture(cell: bytes) -> bool:
    return len(cell) > 40 and cell.startswith(_MAGIC)


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads the labels; the pictures are unpacked one by one when they are wanted."""
    del names
    reading = ParsedLabels()
    places = sorted(name for name in label_files if is_label_file(name))
    for place in places:
        split = split_named(place)
        for index, cells in _lines(label_files[place]):
            picture = _column(cells)
            if picture is None:
                complain(reading, f"{place}:{index + 1}", "label_row_invalid")
                continue
            name = _name(cells, picture, place, index)
            others = [cell for at, cell in enumerate(cells) if at != picture]
            try:
                if others:
                    attach(reading, name, _annotations(others[0].decode("utf-8", "replace")))
            except LabelError as error:
                complain(reading, f"{place}:{index + 1}", error.code, name)
            if split is not None:
                reading.splits[name] = split
    reading.contents = _Pictures(places, label_files)
    return reading


def _annotations(text: str) -> list[Annotation]:
    return [made(ClassLabel, label=label_text(name)) for name in labels_parted(text)]


def _name(cells: Sequence[bytes], picture: int, place: str, index: int) -> str:
    others = [cell for at, cell in enumerate(cells) if at != picture]
    given = others[1].decode("utf-8", "replace") if len(others) > 1 else None
    suffix = next((one for magic, one in _SUFFIX.items() if cells[picture].startswith(magic)), "tif")
    return item_name(given, place, index) if given else f"{place.rpartition('.')[0]}/{index + 1:06d}.{suffix}"


def _column(cells: Sequence[bytes]) -> int | None:
    return next((at for at, cell in enumerate(cells) if _is_picture(cell)), None)


def _lines(data: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Number and cells of each line; neither a head row nor an empty line is one."""
    at = index = 0
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = data[at:end].rstrip(b"\r")
        is_head = index == 0 and (b"base64" in line[:200] or line.startswith(b"image\t"))
        if line.strip() and not is_head:
            yield index, line.split(b"\t")
        at, index = end + 1, index + 1


class _Pictures:
    """The pictures in the files, unpacked when they are wanted."""

    def __init__(self, places: Sequence[str], label_files: Mapping[str, bytes]) -> None:
        self._places, self._files = places, label_files

    def __iter__(self) -> Iterator[Content]:
        for place in self._places:
            for index, cells in _lines(self._files[place]):
                picture = _column(cells)
                if picture is None:
                    continue  # complained of when the labels were read
                try:
                    data = base64.b64decode(cells[picture], validate=True)
                except (binascii.Error, ValueError):
                    yield LabelFileProblem(f"{place}:{index + 1}", "entry_damaged")
                    continue
                yield _name(cells, picture, place, index), data


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes ``<split>.tsv``, one split after the other in the order of their first picture."""
    del labels
    spools: dict[Split, Spool] = {}
    paths = Paths(by_stem=False)
    for record in records:
        spool = spools.setdefault(record.split, Spool())
        if not spool.num_pieces:
            spool.add(_HEAD)
        names = labels_joined(one.label for one in record.annotations if isinstance(one, ClassLabel))
        path = paths.path(record, record.split.value)
        row = b"\t".join([base64.b64encode(blob(record.blob)), names.encode(), path.encode()])
        spool.add(row + b"\n")
    for split, spool in spools.items():
        yield ExportedFile(path=f"{split.value}.tsv", chunks=spool.chunks())
