"""LabelMe's first format (MIT, also CVAT and datumaro): an XML file a picture with polygons, boxes and masks.

Its root is called as in PASCAL VOC, but an object has a ``polygon`` of ``pt`` elements or a ``segm`` with the name of a mask
picture in place of corners. Objects that were deleted stay in the file and are passed over.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from automl.contracts.annotation import Annotation, AnnotationKind, Box, Mask, Polygon
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.modality import Modality
from labeling.formats._files import SPLITS, Finder, looked_into, png_of, split_of_folders
from labeling.formats._reading import attach_all, complaining, documents, split_note
from labeling.formats._values import LabelError, attributes_of, label_text, made, typed_text
from labeling.formats._writing import Paths, suffix_of
from labeling.formats._xml import escaped, number_in, shown, text_in, xml_of
from runtime.run_lengths import counts_of
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

TITLE = Text.same("LabelMe XML")
KINDS: frozenset[AnnotationKind] = frozenset({"box", "polygon"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.OUTLINES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})

_ATTRIBUTE = re.compile(r"(?:\\.|[^\\,])+")
_ESCAPE = re.compile(r"\\(.)")


def is_label_file(name: str) -> bool:
    """XML files, and PNG files in a folder for masks."""
    low = name.lower()
    return low.endswith(".xml") or (low.endswith(".png") and "masks" in low.split("/")[:-1])


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """An XML file whose root is ``annotation`` and which tells sizes or objects as no VOC file does."""
    del names
    heads = [data[:65_536] for _, data in looked_into(label_files, ".xml")]
    marks = (b"<pt>", b"<segm>", b"<nrows>")
    return 0.95 if any(b"<annotation>" in head and any(mark in head for mark in marks) for head in heads) else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads one XML file a picture; the picture is found by the file's own name, else by ``filename``."""
    reading = ParsedLabels()
    finder, masks = Finder(names), Finder(name for name in label_files if name.lower().endswith(".png"))
    parse = partial(xml_of, tag="annotation")
    for place, root in documents(label_files, lambda name: name.lower().endswith(".xml"), parse, reading):
        with complaining(reading, place):
            name = _picture(root, place, finder)
            annotations: list[Annotation] = []
            for index, element in enumerate(root.findall("object")):
                with complaining(reading, f"{place}: object[{index}]", name):
                    if text_in(element, "deleted") != "1":
                        annotations.append(_object(element, place, masks, label_files))
            attach_all(reading, name, annotations)
            folder = SPLITS.get(posixpath.basename(text_in(root, "folder")).lower())
            split_note(reading, name, folder, split_of_folders(place), split_of_folders(name))
    return reading


def _picture(root: Element, place: str, finder: Finder) -> str:
    folder = posixpath.dirname(place)
    beside = re.sub(r"(^|/)Annotations(/|$)", r"\1Images\2", folder)
    try:
        return finder.by_stem(posixpath.join(beside, posixpath.basename(posixpath.splitext(place)[0])), beside)
    except LabelError:
        file = text_in(root, "filename")
        if not file:
            raise
        return finder.one(file, folder)


def _object(element: Element, place: str, masks: Finder, files: Mapping[str, bytes]) -> Annotation:
    common: dict[str, Any] = {"label": label_text(text_in(element, "name")), "attributes": attributes_of(_attributes(element))}
    if element.find("segm") is not None:
        mask = masks.one(text_in(element, "segm/mask"), posixpath.dirname(place).replace("Annotations", "Masks"))
        pixels = (np.asarray(png_of(files[mask], code="annotation_invalid").convert("RGB")).max(axis=2) > 0).astype(np.uint8)
        return made(Mask, width=pixels.shape[1], height=pixels.shape[0], counts=counts_of(pixels), **common)
    points = [(number_in(point, "x"), number_in(point, "y")) for point in element.findall("polygon/pt")]
    if text_in(element, "type") == "bounding_box" and points:
        left, top = min(x for x, _ in points), min(y for _, y in points)
        size = {"width": max(x for x, _ in points) - left, "height": max(y for _, y in points) - top}
        return made(Box, x=left, y=top, **size, **common)
    return made(Polygon, points=tuple(points), **common)


def _attributes(element: Element) -> dict[str, object]:
    """``color=red, parked, n="7"``: a name alone is a switch, quotes keep a number a text."""
    out: dict[str, object] = {"occluded": True} if text_in(element, "occluded") == "yes" else {}
    for part in _ATTRIBUTE.findall(text_in(element, "attributes")):
        name, mark, value = part.strip().partition("=")
        if mark:
            is_quoted = len(value) > 1 and value[0] == value[-1] == '"'
            out[_plain(name)] = _plain(value[1:-1]) if is_quoted else typed_text(_plain(value))
        elif name:
            out[_plain(name)] = True
    return out


def _plain(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes ``Images/<split>`` and ``Annotations/<split>``."""
    del labels, blob
    paths = Paths()
    for record in records:
        folder, stem = record.split.value, paths.stem(record, record.split)
        file = stem + suffix_of(record)
        yield ExportedFile(path=f"Images/{folder}/{file}", blob=record.blob, size_bytes=record.media.size_bytes)
        objects = "".join(_element(index, one) for index, one in enumerate(record.annotations) if one.kind in KINDS)
        media = record.media
        document = (
            f"<annotation><filename>{escaped(file)}</filename><folder>{folder}</folder><source><sourceImage></sourceImage>"
            f"<sourceAnnotation>Modelyard</sourceAnnotation></source><imagesize><nrows>{media.height}</nrows>"
            f"<ncols>{media.width}</ncols></imagesize>{objects}</annotation>\n"
        )
        yield ExportedFile(path=f"Annotations/{folder}/{stem}.xml", data=document.encode())


def _element(index: int, one: Annotation) -> str:
    """An ``object`` element; of a box its four corners."""
    if isinstance(one, Box):
        right, low = one.x + one.width, one.y + one.height
        kind, points = "<type>bounding_box</type>", [(one.x, one.y), (right, one.y), (right, low), (one.x, low)]
    elif isinstance(one, Polygon):
        kind, points = "", list(one.points)
    else:
        raise TypeError(f"{one.kind} is not among KINDS")
    ring = "".join(f"<pt><x>{shown(x)}</x><y>{shown(y)}</y></pt>" for x, y in points)
    return (
        f"<object><name>{escaped(one.label)}</name><deleted>0</deleted><verified>0</verified><occluded>no</occluded>"
        f"<date></date><id>{index}</id><parts><hasparts></hasparts><ispartof></ispartof></parts>{kind}"
        f"<polygon>{ring}<username></username></polygon><attributes></attributes></object>"
    )
