"""PASCAL VOC: an XML file a picture in ``Annotations``, pictures in ``JPEGImages``, splits in ``ImageSets/Main``.

Corners are written as plain pixels from 0, as labelImg and CVAT do, and not from 1 as the 2007 devkit did. Rotated boxes are
``robndbox`` elements (roLabelImg, radians). Scores, ids and attributes stand in elements of their own, which other readers pass
over.
"""

from __future__ import annotations

import math
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from xml.etree.ElementTree import Element

from automl.contracts.annotation import Annotation, AnnotationKind, Box, RotatedBox
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.modality import Modality
from labeling.formats._files import Finder, looked_into, split_named, split_of_folders, text_of
from labeling.formats._reading import attach_all, complaining, documents, split_note
from labeling.formats._values import LabelError, attributes_of, label_text, made, score_of
from labeling.formats._writing import SPLIT_FOLDERS, Paths, Spool, suffix_of
from labeling.formats._xml import escaped, number_in, shown, text_in, value_typed, values_read, xml_of
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

TITLE = Text.same("PASCAL VOC XML")
KINDS: frozenset[AnnotationKind] = frozenset({"box", "rotated_box"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.SCORES, Facet.IDS, Facet.ATTRIBUTES, Facet.OVERLAPS, Facet.OUTLINES})
MEDIA = frozenset({Modality.IMAGE})

_FLAGS = ("difficult", "truncated", "occluded")


def is_label_file(name: str) -> bool:
    """Annotations, and the lists of splits."""
    low = name.lower()
    is_list = low.endswith(".txt") and "imagesets/" in low
    return low.endswith(".xml") or is_list or posixpath.basename(low) == "labelmap.txt"


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """An XML file whose root is ``annotation``."""
    del names
    return (
        0.9
        if any(b"<annotation>" in data[:4096] or b"<annotation " in data[:4096] for _, data in looked_into(label_files, ".xml"))
        else 0.0
    )


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads one XML file a picture; the picture is found by ``filename``, else by the XML file's own name."""
    reading = ParsedLabels()
    finder = Finder(names)
    lists = [name for name in label_files if name.lower().endswith(".txt") and "imagesets/" in name.lower()]
    listed = _lists_read({name: label_files[name] for name in lists})
    # A picture may be listed although nobody has looked at it.
    reading.splits |= {name: split for name in names if (split := _listed(name, listed)) is not None}
    for place, root in documents(
        label_files, lambda name: name.lower().endswith(".xml"), partial(xml_of, tag="annotation"), reading
    ):
        with complaining(reading, place):
            name = _picture(root, place, finder)
            attach_all(reading, name, _objects(root, place, reading, name))
            split_note(reading, name, _listed(name, listed), split_of_folders(place), split_of_folders(name))
    return reading


def _picture(root: Element, place: str, finder: Finder) -> str:
    folder = posixpath.dirname(place)
    stem = posixpath.splitext(place)[0]
    try:
        return finder.by_stem(stem, folder)
    except LabelError:
        file = text_in(root, "filename")
        if not file:
            raise
        return finder.one(file, folder)


def _lists_read(files: Mapping[str, bytes]) -> dict[str, Split]:
    """Splits by the stems in ``train.txt`` and its like, folders included; ``aeroplane_train.txt`` has a second column."""
    out: dict[str, Split] = {}
    for name, data in files.items():
        split = split_named(posixpath.basename(name).removesuffix(".txt"))
        if split is None or "trainval" in name:
            continue
        for line in text_of(data).splitlines():
            if line.strip():
                # A stem may hold spaces; a second column is -1, 0 or 1.
                stem = line.strip().rsplit(maxsplit=1)[0] if line.strip().endswith((" -1", " 0", " 1")) else line.strip()
                out.setdefault(stem.replace("\\", "/"), split)
    return out


def _listed(name: str, listed: Mapping[str, Split]) -> Split | None:
    """The split of a picture: lists name it below its folder, ``sub/deep`` for ``JPEGImages/sub/deep.jpg``."""
    parts = posixpath.splitext(name)[0].split("/")
    tails = ("/".join(parts[at:]) for at in range(len(parts)))
    return next((listed[tail] for tail in tails if tail in listed), None)


def _objects(root: Element, place: str, reading: ParsedLabels, item: str) -> list[Annotation]:
    out: list[Annotation] = []
    for index, element in enumerate(root.findall("object")):
        with complaining(reading, f"{place}: object[{index}]", item):
            out.append(_object(element))
    return out


def _object(element: Element) -> Annotation:
    flags = {name: True for name in _FLAGS if text_in(element, name) == "1"}
    typed = {
        text_in(one, "name"): (one.get("type"), one.findtext("value") or "") for one in element.findall("attributes/attribute")
    }
    common = {
        "label": label_text(text_in(element, "name")),
        "id": element.findtext("id") or None,
        "score": score_of(text_in(element, "score") or text_in(element, "confidence")),
        "attributes": attributes_of(flags) + values_read(typed),
    }
    turned = element.find("robndbox")
    if turned is not None:
        return made(
            RotatedBox,
            center_x=number_in(turned, "cx"),
            center_y=number_in(turned, "cy"),
            width=number_in(turned, "w"),
            height=number_in(turned, "h"),
            angle_deg=math.degrees(number_in(turned, "angle")),
            **common,
        )
    left, top = number_in(element, "bndbox/xmin"), number_in(element, "bndbox/ymin")
    right, bottom = number_in(element, "bndbox/xmax"), number_in(element, "bndbox/ymax")
    return made(Box, x=left, y=top, width=right - left, height=bottom - top, **common)


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes pictures, their XML files, the lists of splits and ``labelmap.txt``."""
    del blob
    paths = Paths()
    lists = {split: Spool() for split in Split}
    for record in records:
        stem = paths.stem(record)
        file = stem + suffix_of(record)
        yield ExportedFile(path=f"JPEGImages/{file}", blob=record.blob, size_bytes=record.media.size_bytes)
        yield ExportedFile(path=f"Annotations/{stem}.xml", data=_document(record, file))
        lists[record.split].add(f"{stem}\n".encode())
    for split, spool in lists.items():
        yield ExportedFile(path=f"ImageSets/Main/{SPLIT_FOLDERS[split]}.txt", chunks=spool.chunks())
    # Which labels there are beside VOC's own twenty: datumaro and CVAT ask for it.
    rows = [f"{one.name}:{','.join(map(str, bytes.fromhex(one.color[1:])))}::\n" for one in labels.labels]
    head = "# label:color_rgb:parts:actions\nbackground:0,0,0::\n"
    yield ExportedFile(path="labelmap.txt", data=(head + "".join(rows)).encode())


def _document(record: ItemRecord, file: str) -> bytes:
    media = record.media
    objects = "".join([_element(one) for one in record.annotations if one.kind in KINDS])
    original = f"<original_name>{escaped(record.name)}</original_name>" if file != record.name else ""
    return (
        f"<annotation><folder>JPEGImages</folder><filename>{escaped(file)}</filename>{original}<size><width>{media.width}</width>"
        f"<height>{media.height}</height><depth>3</depth></size><segmented>0</segmented>{objects}</annotation>\n"
    ).encode()


def _element(one: Annotation) -> str:
    """An ``object`` element of a box."""
    switches = {value.name for value in one.attributes if value.value is True and value.name in _FLAGS}
    extra = ""
    if one.id is not None:
        extra += f"<id>{escaped(one.id)}</id>"
    if one.score is not None:
        extra += f"<score>{one.score!r}</score>"
    others = [value for value in one.attributes if value.name not in switches]
    if others:
        typed = [(value.name, *value_typed(value)) for value in others]
        inner = [
            f'<attribute type="{kind}"><name>{escaped(name)}</name><value>{escaped(text)}</value></attribute>'
            for name, kind, text in typed
        ]
        extra += f"<attributes>{''.join(inner)}</attributes>"
    flags = (
        "".join([f"<{name}>{int(name in switches)}</{name}>" for name in _FLAGS])
        if switches
        else "<truncated>0</truncated><difficult>0</difficult>"
    )
    if isinstance(one, Box):
        left, top = one.x, one.y
        place = (
            f"<bndbox><xmin>{shown(left)}</xmin><ymin>{shown(top)}</ymin>"
            f"<xmax>{shown(left + one.width)}</xmax><ymax>{shown(top + one.height)}</ymax></bndbox>"
        )
    elif isinstance(one, RotatedBox):
        place = (
            f"<robndbox><cx>{one.center_x!r}</cx><cy>{one.center_y!r}</cy><w>{one.width!r}</w><h>{one.height!r}</h>"
            f"<angle>{math.radians(one.angle_deg)!r}</angle></robndbox>"
        )
    else:
        return ""
    return f"<object><name>{escaped(one.label)}</name><pose>Unspecified</pose>{flags}{place}{extra}</object>"
