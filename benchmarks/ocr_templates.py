"""Fields of photographed invoices by a template, with pretrained networks that read, beside the same areas without a template.

Invoices are made by code (``engine/tasks/ocr/forms.py``), so what is written in each field is known. The template is marked on
one upright form: its reference texts are lines that the networks read there, as a person clicks them. The others are turned by
0, 5 and 10 degrees to both sides, shrunk, shifted, seen in light perspective, unevenly lit, blurred and noisy. A form counts as
right if every one of its ten fields has the right value. The anchor reads the areas where the template has them, on the picture
scaled to the size of the template.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image
from safetensors.torch import load_file

from benchmarks._digits import ASSETS_DIR
from benchmarks.harness import Claim, Options, SkippedError, main
from engine.assets.card import read_card
from engine.assets.fetch import AssetMissingError
from engine.assets.store import weights
from engine.models.pp_ocr import network
from engine.tasks.ocr.forms import FIELDS, PRINTED, form, photographed
from engine.training.reading.graphs import spec_of, torch_pipeline
from runtime.answers.quads import Quads
from runtime.items.image.decode import Picture
from runtime.pipelines.text_lines import PICTURE, TextLines
from runtime.templates import ReferencesNotFoundError, Template, template_parse
from runtime.templates.fields import FieldValue, fields_read
from runtime.templates.lines import Line, lines_of

ASSET = "pp_ocr_v6_small_recogniser"
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
    pipeline = _pipeline()
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
    ]


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
        found[field.name] = field.reader.read(own).value if own else None
    return found


def _lines(pipeline: TextLines, picture: Image.Image) -> list[Line]:
    """What the networks read."""
    pixels = np.asarray(picture)
    answer = pipeline.run({PICTURE: pixels[None]})[0]
    item = Picture(pixels, picture.width, picture.height)
    return lines_of(Quads(("text",)).encode(answer, item, top=256, threshold=_THRESHOLD, thresholds={}))


def _pipeline() -> TextLines:
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
    return torch_pipeline(reader, spec_of(symbols, SIDE_PX))


if __name__ == "__main__":
    main(measure)
