"""Fields of photographed invoices by a template, with pretrained networks that read, beside the same areas without a template.

Invoices are made by code (``engine/tasks/ocr/forms.py``), so what is written in each field is known. The template is marked on
one upright form: its reference texts are lines that the networks read there, as a person clicks them. The others are turned by
0, 5 and 10 degrees to both sides, shrunk, shifted, seen in light perspective, unevenly lit, blurred and noisy. A form counts as
right if every one of its ten fields has the right value. The anchor reads the areas where the template has them, on the picture
scaled to the size of the template.

Tables: invoices and receipts with ruled lines (``engine/tasks/ocr/layouts.py``), photographed in the same way; the anchor takes
cells where they are on the flat form, on the picture scaled to its size.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image, ImageFont
from safetensors.torch import load_file

from benchmarks._digits import ASSETS_DIR
from benchmarks.harness import Claim, Options, SkippedError, main
from engine.assets.card import read_card
from engine.assets.fetch import AssetMissingError
from engine.assets.fonts import font
from engine.assets.store import weights
from engine.models.pp_ocr import network
from engine.tasks.ocr.forms import FIELDS, PRINTED, form, photographed
from engine.tasks.ocr.invoices import Fonts, invoice, template_content
from engine.tasks.ocr.layouts import LAYOUTS, Layout
from engine.training.reading.graphs import spec_of, torch_pipeline
from runtime.answers.quads import Quads
from runtime.items.image.decode import Picture
from runtime.pipelines.text_lines import PICTURE, TextLines
from runtime.templates import ReferencesNotFoundError, Template, template_parse
from runtime.templates.fields import FieldValue, fields_read
from runtime.templates.lines import Line, lines_of
from runtime.templates.values import AreaReader, value_kind

ASSET = "pp_ocr_v6_small_recogniser"
FONT = "wqy_microhei"
DEGREES = (0, -5, 5, -10, 10)
PERSPECTIVE = 0.02
"""Corners are off by so much of the form's width at most."""
SHARE = 0.98
SIDE_PX = 1_280
_THRESHOLD = 0.5


@dataclass
class _Count:
    """Of one angle."""

    num_forms: int = 0
    num_right: int = 0
    num_fields: int = 0
    num_fields_right: int = 0
    num_anchor: int = 0
    num_anchor_fields: int = 0


def measure(options: Options) -> list[Claim]:
    """The share of forms of which every field is right, at each angle and at the worst; each angle on standard error."""
    num_forms = options.pick(50, smoke=1, quick=10)
    angles = options.pick(DEGREES, smoke=(10,))
    pipeline = _pipeline(options.pick(SIDE_PX, smoke=640))
    generator = np.random.default_rng(17)
    marked = form(generator)
    template = marked_template(_lines(pipeline, marked.picture))
    counts = {degrees: _Count() for degrees in angles}
    for _ in range(num_forms):
        filled = form(generator)
        for degrees, count in counts.items():
            picture = photographed(filled.picture, generator, degrees=degrees, perspective=PERSPECTIVE).picture
            _judge(template, _lines(pipeline, picture), picture, filled.values, count)
    for degrees, each in counts.items():
        sys.stderr.write(
            f"{degrees:+} degrees: {each.num_right} of {each.num_forms} forms, "
            f"{each.num_fields_right} of {each.num_fields} fields; "
            f"without a template {each.num_anchor} forms, {each.num_anchor_fields} fields\n"
        )
    total = len(counts) * num_forms
    right, anchor = (sum(getattr(each, name) for each in counts.values()) / total for name in ("num_right", "num_anchor"))
    worst = min(each.num_right / num_forms for each in counts.values())
    what = f"{num_forms} invoices at {', '.join(map(str, sorted(angles)))} degrees whose ten fields are all right"
    return [
        Claim("ocr_templates", f"share of {what}", right, anchor, right, SHARE),
        Claim("ocr_templates", f"the same at the worst angle of {what}", worst, anchor, worst, SHARE),
        _tables_claim(pipeline, options.pick(LAYOUTS, smoke=LAYOUTS[::3]), options.pick(12, smoke=1, quick=3), angles),
    ]


def _tables_claim(pipeline: TextLines, layouts: Sequence[Layout], num_forms: int, angles: tuple[int, ...]) -> Claim:
    """The share of cells of tables whose value is right, empty ones too; each layout on standard error."""
    fonts = _fonts()
    generator = np.random.default_rng(23)
    num_cells, num_right, num_anchor = 0, 0, 0
    for layout in layouts:
        marked = invoice(layout, generator, fonts)
        content = {
            "schema_version": 1,
            "width": layout.width,
            "height": layout.height,
            **template_content(layout, marked.lines),
        }
        template = template_parse(layout.slug, content)
        own_cells, own_right = 0, 0
        for _ in range(num_forms):
            flat = invoice(layout, generator, fonts)
            for degrees in angles:
                picture = photographed(flat.picture, generator, degrees=degrees, perspective=PERSPECTIVE).picture
                truth = [value for row in flat.values[layout.table.name] for value in row.values()]
                read = _lines(pipeline, picture)
                own_cells += len(truth)
                own_right += _cells_right(truth, _ruled(template, read, picture))
                num_anchor += _cells_right(
                    truth, _unruled(layout, template, read, picture, len(flat.values[layout.table.name]))
                )
        sys.stderr.write(f"{layout.slug}: {own_right} of {own_cells} cells\n")
        num_cells, num_right = num_cells + own_cells, num_right + own_right
    right, anchor = num_right / num_cells, num_anchor / num_cells
    what = f"{num_cells} cells of tables of {len(layouts)} layouts at {', '.join(map(str, sorted(angles)))} degrees"
    return Claim("ocr_templates", f"share of {what} that are right", right, anchor, right, SHARE)


def _ruled(template: Template, lines: list[Line], picture: Image.Image) -> list[Any]:
    """Values of the cells row by row; none where the table was not found."""
    pixels = np.asarray(picture)
    try:
        answer = fields_read(template, lines, Picture(pixels, picture.width, picture.height))
    except ReferencesNotFoundError as error:
        sys.stderr.write(f"{error.detail}\n")
        return []
    rows = answer["fields"][-1]["value"] or []
    return [value for row in rows for value in row.values()]


def _unruled(layout: Layout, template: Template, lines: list[Line], picture: Image.Image, num_rows: int) -> list[Any]:
    """The same by the places that cells have on the flat form, on the picture scaled to its size."""
    scale = np.array([template.width / picture.width, template.height / picture.height])
    found = []
    for row in range(1, num_rows + 1):
        left = layout.table.left
        upper = layout.table.upper + row * layout.table.row_height
        for column in layout.table.columns:
            own = []
            for line in lines:
                x, y = line.corners.mean(axis=0) * scale
                if left <= x < left + column.width and upper <= y < upper + layout.table.row_height:
                    own.append(line.text)
            reader = value_kind(column.kind)(column.options)
            assert not isinstance(reader, AreaReader)
            found.append(reader.read(own).value if own else None)
            left += column.width
    return found


def _cells_right(truth: list[Any], found: list[Any]) -> int:
    return sum(one == other for one, other in zip(truth, found, strict=False)) if len(truth) == len(found) else 0


def _fonts() -> Fonts:
    try:
        path = font(FONT, ASSETS_DIR)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    return lru_cache(lambda size: ImageFont.truetype(path, size))


def marked_template(lines: list[Line]) -> Template:
    """A template as a person marks it on an upright form: known texts by the lines that were read, areas by hand."""
    references = [
        {"text": line.text, "points": line.corners.tolist()}
        for line in lines
        if any(_same(line.text, text) for text in PRINTED)
    ]
    fields = [
        {
            "name": name,
            "kind": kind,
            "is_required": True,
            "box": dict(zip(("x", "y", "width", "height"), box, strict=True)),
            "options": own,
        }
        for name, (kind, box, own) in FIELDS.items()
    ]
    content = {"schema_version": 1, "width": 900, "height": 1_200, "references": references, "fields": fields}
    return template_parse("invoice", content)


def _same(one: str, other: str) -> bool:
    return one.replace(" ", "").casefold() == other.replace(" ", "").casefold()


def _judge(template: Template, lines: list[Line], picture: Image.Image, truth: Any, count: _Count) -> None:
    count.num_forms += 1
    count.num_fields += len(truth)
    try:
        found: dict[str, FieldValue] = {each["name"]: each for each in fields_read(template, lines)["fields"]}
    except ReferencesNotFoundError as error:
        sys.stderr.write(f"{error.detail}\n")
        found = {}
    wrong = [name for name, value in truth.items() if name not in found or found[name]["value"] != value]
    for name in wrong:
        sys.stderr.write(f"  {name}: {truth[name]!r}, read {found[name]['text'] if name in found else None!r}\n")
    count.num_right += not wrong
    count.num_fields_right += len(truth) - len(wrong)
    plain = _without(template, lines, picture)
    right = sum(plain.get(name) == value for name, value in truth.items())
    count.num_anchor += right == len(truth)
    count.num_anchor_fields += right


def _without(template: Template, lines: list[Line], picture: Image.Image) -> dict[str, Any]:
    """Values of what stands in the fields' areas of the picture as it is, scaled to the template's size."""
    scale = np.array([template.width / picture.width, template.height / picture.height])
    found = {}
    for field in template.fields:
        own = []
        for line in lines:
            x, y = line.corners.mean(axis=0) * scale
            if field.x <= x <= field.x + field.width and field.y <= y <= field.y + field.height:
                own.append(line.text)
        assert not isinstance(field.reader, AreaReader)
        found[field.name] = field.reader.read(own).value if own else None
    return found


def _lines(pipeline: TextLines, picture: Image.Image) -> list[Line]:
    """What the networks read."""
    pixels = np.asarray(picture)
    answer = pipeline.run({PICTURE: pixels[None]})[0]
    item = Picture(pixels, picture.width, picture.height)
    return lines_of(Quads(("text",)).encode(answer, item, top=256, threshold=_THRESHOLD, thresholds={}))


def _pipeline(side_px: int) -> TextLines:
    try:
        reads = load_file(weights(ASSET, ASSETS_DIR))
        finds = read_card(ASSET).detector
        assert finds is not None
        detector = load_file(weights(finds, ASSETS_DIR))
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    symbols = network.symbols_of(reads)
    reader = network.build("small", len(symbols))
    network.load_pretrained(reader.recogniser, reads)
    network.load_pretrained(reader.detector, detector)
    return torch_pipeline(reader, spec_of(symbols, side_px))


if __name__ == "__main__":
    main(measure)
