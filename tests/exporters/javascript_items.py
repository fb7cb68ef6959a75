"""What the JavaScript packages are asked about, and what Python's runtime says of it."""

from __future__ import annotations

import base64
import io
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from exporters._javascript.package import ROOT, archive_name
from exporters.answers import one_graph_outputs
from runtime.predictor import Predictor
from runtime.run_lengths import runs_overlap
from tests.exporters.artefact_factory import LABELS, artefact_write, picture
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write

KINDS = {
    **{
        output.value: lambda folder, output=output: artefact_write(folder, output=output)
        for output in sorted(one_graph_outputs())
    },
    "row": row_artefact_write,
    "text": text_artefact_write,
}
"""An artefact for each kind of answers and of items."""
TEXTS = ("good!", "  快快 差 \n", "A text that goes on and on and on", "\ufeffmark", "§")
ROWS: tuple[dict[str, Any], ...] = (
    {"age": 34, "city": "上海", "income": "2.400,00", "since": "02.01.2021", "note": "late twice"},
    {"age": "61.5", "city": "Linz", "since": "30.06.2011", "unknown": True},
    {"city": "Graz", "income": 950.5, "note": None},
    {"age": "٤١", "since": "1.5.2020", "income": "€ 1.000"},
)


def unpacked(folder: Path, *, name: str = "birds", version: str = "1.0.0") -> Path:
    """The package in the archive that a build left in a folder."""
    with tarfile.open(folder / archive_name(name, version)) as tar:
        tar.extractall(folder, filter="data")
    return folder / ROOT


def pictures() -> dict[str, bytes]:
    """Files of several formats, colours and sizes."""
    rng = np.random.default_rng(3)
    noisy = Image.fromarray(rng.integers(0, 256, (45, 61, 3), dtype=np.uint8))
    shaded = picture(7, width=61, height=45)
    glass = shaded.convert("RGBA")
    glass.putalpha(Image.linear_gradient("L").resize(glass.size))
    deep = Image.fromarray((np.asarray(shaded.convert("L")).astype(np.uint16) << 8) + 37)
    found = {
        "plain.png": _file(noisy, "PNG"),
        "grey.png": _file(shaded.convert("L"), "PNG"),
        "deep.png": _file(deep, "PNG"),
        "palette.png": _file(shaded.quantize(40), "PNG"),
        "glass.png": _file(glass, "PNG"),
        "large.png": _file(picture(5, width=333, height=210), "PNG"),
        "shaded.jpg": _file(shaded, "JPEG", quality=90),
        "coarse.jpg": _file(noisy, "JPEG", quality=60, subsampling="4:2:0"),
        "grey.jpg": _file(shaded.convert("L"), "JPEG", quality=90),
        "progressive.jpg": _file(shaded, "JPEG", quality=80, progressive=True),
        "lossless.webp": _file(noisy, "WEBP", lossless=True),
        "lossy.webp": _file(shaded, "WEBP", quality=80),
    }
    for turn in range(2, 9):
        exif = Image.Exif()
        exif[0x0112] = turn
        found[f"turned-{turn}.jpg"] = _file(shaded, "JPEG", quality=90, exif=exif)
    return found


def _file(image: Image.Image, form: str, **options: Any) -> bytes:
    content = io.BytesIO()
    image.save(content, form, **options)
    return content.getvalue()


def items_of(predictor: Predictor) -> list[tuple[str, Any]]:
    """Names and items as JSON: bytes as ``{"base64": ...}``."""
    if predictor.items.name == "image":
        return [(name, {"base64": base64.b64encode(data).decode()}) for name, data in pictures().items()]
    return [(str(item)[:40], item) for item in (TEXTS if predictor.items.name == "text" else ROWS)]


def beside_of(predictor: Predictor, item: Any) -> dict[str, Any]:
    """What Python's runtime says beside the annotations."""
    return predictor.beside(predictor.predict(_decoded(predictor, item)))


def answer_of(predictor: Predictor, item: Any) -> list[dict[str, Any]]:
    """What Python's runtime says."""
    decoded = _decoded(predictor, item)
    return [dict(each) for each in predictor.encode(predictor.predict(decoded), decoded, threshold=0.0)]


def _decoded(predictor: Predictor, item: Any) -> Any:
    if predictor.items.name == "row":
        return predictor.items.reader.read([item])
    if predictor.items.name == "text":
        return predictor.decode(item.encode())
    return predictor.decode(base64.b64decode(item["base64"]))


def difference(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> float:
    """The largest difference of a number; 1 where the answers hold other things. Labels of equal scores may change places."""
    key = {label: place for place, label in enumerate(LABELS)}

    def sortable(each: dict[str, Any]) -> tuple[int, float]:
        return key.get(each.get("label", ""), -1), each.get("x", 0.0)

    if [(each["kind"], each.get("label")) for each in sorted(ours, key=sortable)] != [
        (each["kind"], each.get("label")) for each in sorted(theirs, key=sortable)
    ]:
        return 1.0
    worst = 0.0
    for one, other in zip(sorted(ours, key=sortable), sorted(theirs, key=sortable), strict=True):
        if one.keys() != other.keys():
            return 1.0
        worst = max([worst, *(abs(one[name] - other[name]) for name in one if isinstance(one[name], int | float))])
        if "polygons" in one:
            worst = max(worst, _outlines_apart(one, other))
        if "values" in one:
            worst = max(worst, *(abs(a - b) for a, b in zip(one["values"], other["values"], strict=True)))
        if "heat_map" in one:
            worst = max(worst, _maps_apart(one["heat_map"], other["heat_map"]))
    return worst


def _outlines_apart(ours: dict[str, Any], theirs: dict[str, Any]) -> float:
    """As of two objects: a pixel that rounding gives to the neighbour counts as nothing, a hundredth of a pixel neither."""
    boxes = max(abs(ours["box"][name] - theirs["box"][name]) for name in ours["box"])
    if boxes > 0.011 or [len(ring) for ring in ours["polygons"]] != [len(ring) for ring in theirs["polygons"]]:
        return 1.0
    sides = [sorted(tuple(point) for ring in each["polygons"] for point in ring) for each in (ours, theirs)]
    assert sides[0]
    overlap = runs_overlap(ours["counts"], theirs["counts"])
    points = max(abs(a - b) for one, other in zip(*sides, strict=True) for a, b in zip(one, other, strict=True))
    return 0.0 if overlap > 0.999 and points < 0.011 else 1.0


def _maps_apart(ours: dict[str, Any], theirs: dict[str, Any]) -> float:
    """As of two answers; a cell may be rounded to the next of its 256 levels."""
    if (ours["width"], ours["height"]) != (theirs["width"], theirs["height"]):
        return 1.0
    cells = [np.frombuffer(base64.b64decode(each["values"]), np.uint8).astype(int) for each in (ours, theirs)]
    assert len(cells[0]) == ours["width"] * ours["height"] > 1
    return max(abs(ours["score"] - theirs["score"]), max(0, int(np.abs(cells[0] - cells[1]).max()) - 1) / 255)
