"""Fields of a form by a template, from lines that are known: no network reads here."""

from __future__ import annotations

import random
import time
import tracemalloc

import numpy as np
import pytest

from engine.tasks.ocr.forms import FIELDS, HEIGHT_PX, PRINTED, WIDTH_PX, form, photographed
from runtime.templates import (
    ReferencesNotFoundError,
    TemplateInvalidError,
    TemplateUnknownError,
    template_parse,
    templates_named,
)
from runtime.templates._place import mapped
from runtime.templates._texts import likeness
from runtime.templates.fields import fields_read
from runtime.templates.lines import Line, lines_of
from runtime.templates.values import value_kind

_CHARACTER_PX = 11


def _line(text, left, upper, size=22, score=0.9):
    right, lower = left + 0.5 * size * len(text), upper + size
    return Line(text, np.array([(left, upper), (right, upper), (right, lower), (left, lower)], dtype=np.float64), score)


PRINTED_LINES = [_line(text, *place) for text, place in PRINTED.items()]
CONTENT = {
    "schema_version": 1,
    "width": WIDTH_PX,
    "height": HEIGHT_PX,
    "references": [{"text": line.text, "points": line.corners.tolist()} for line in PRINTED_LINES],
    "fields": [
        {"name": name, "kind": kind, "is_required": True, "box": dict(zip(("x", "y", "width", "height"), box, strict=True))}
        | {"options": options}
        for name, (kind, box, options) in FIELDS.items()
    ],
}
WRITTEN = {
    "number": "RE-2026-01834",
    "date": "27.11.2026",
    "delivery_note": "22974",
    "quantity": "3,292",
    "description": "Copper wire",
    "subtotal": "4,742.41 EUR",
    "tax": "901.06",
    "total": "$5,643.47",
    "payment": "direct deblt",
}
VALUES = {
    "number": "RE-2026-01834",
    "date": "2026-11-27",
    "delivery_note": 22974,
    "quantity": 3292,
    "description": "Copper wire",
    "subtotal": {"amount": "4742.41", "currency": "EUR"},
    "tax": {"amount": "901.06", "currency": "EUR"},
    "total": {"amount": "5643.47", "currency": "USD"},
    "payment": "direct debit",
    "customer": "Green Bakery\n7 Mill Lane",
}


@pytest.fixture(scope="module")
def template():
    return template_parse("invoice", CONTENT)


def _written():
    lines = [_line(text, FIELDS[name][1][0] + 8, FIELDS[name][1][1] + 10) for name, text in WRITTEN.items()]
    return [*lines, _line("Green Bakery", 520, 232), _line("7 Mill Lane", 520, 270)]


def _seen(lines, degrees, seed=0, perspective=0.02):
    """The lines as a photograph shows them, each corner a little off, and some letters of printed texts misread."""
    generator = np.random.default_rng(seed)
    blank = form(generator).picture.resize((8, 8)).resize((WIDTH_PX, HEIGHT_PX))
    projection = photographed(blank, generator, degrees=degrees, perspective=perspective).projection
    seen = [line._replace(corners=mapped(projection, line.corners) + generator.normal(0, 1.0, (4, 2))) for line in lines]
    return [line._replace(text=line.text.replace("rv", "w").replace("0 ", "O ")) for line in seen], projection


def _values(answer):
    return {field["name"]: field["value"] for field in answer["fields"]}


@pytest.mark.parametrize("degrees", [0, -5, 10, -10, 45, 180])
def test_a_photographed_form_gives_its_fields(template, degrees):
    lines, projection = _seen([*PRINTED_LINES, *_written()], degrees, seed=abs(degrees))
    answer = fields_read(template, lines)
    assert _values(answer) == VALUES
    assert answer["references"] == {"found": 15, "total": 15, "missing": []}
    assert answer["version"] == template.version
    for field in answer["fields"]:
        x, y, width, height = FIELDS[field["name"]][1]
        truth = mapped(
            projection, np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], dtype=np.float64)
        )
        assert np.abs(np.array(field["points"]) - truth).max() < 12
        assert field["problems"] == []
    assert 0.8 < next(field["confidence"] for field in answer["fields"] if field["name"] == "payment") < 0.9


def test_labels_and_values_read_as_one_line_are_taken_apart(template):
    merged = {"Invoice number": "number", "Delivery note": "delivery_note", "Payment by": "payment"}
    apart = [
        line
        for line in [*PRINTED_LINES, *_written()]
        if line.text not in {*merged, *(WRITTEN[each] for each in merged.values())}
    ]
    joined = []
    for text, name in merged.items():
        left, upper, size = PRINTED[text]
        end = FIELDS[name][1][0] + 8 + _CHARACTER_PX * len(WRITTEN[name])
        line = _line(f"{text}: {WRITTEN[name]}", left, upper, size)
        joined.append(line._replace(corners=np.array([(left, upper), (end, upper), (end, upper + size), (left, upper + size)])))
    lines, _ = _seen([*apart, *joined], 7)
    assert _values(fields_read(template, lines)) == VALUES


def test_other_pictures_are_refused_and_say_what_is_missing(template):
    with pytest.raises(ReferencesNotFoundError) as caught:
        fields_read(template, _written())
    assert caught.value.facts["found"] < caught.value.facts["needed"] == 5
    assert "Invoice date" in caught.value.facts["missing"]
    generator = np.random.default_rng(3)  # the right words in the wrong places
    scattered = [line._replace(corners=line.corners + generator.uniform(-600, 600, 2)) for line in PRINTED_LINES]
    with pytest.raises(ReferencesNotFoundError):
        fields_read(template, scattered)
    with pytest.raises(ReferencesNotFoundError):
        fields_read(template, [])


def test_a_plate_with_one_printed_text(template):
    line, box = _line("SERIAL NO", 40, 30, 20), {"x": 30, "y": 60, "width": 200, "height": 40}
    content = {
        **CONTENT,
        "width": 300,
        "height": 150,
        "references": [{"text": line.text, "points": line.corners.tolist()}],
        "fields": [
            {"name": "serial", "kind": "text", "box": box},
            {"name": "made", "kind": "date", "is_required": True, "box": {**box, "y": 110}},
        ],
    }
    lines, _ = _seen([line, _line("A 3071", 40, 68, 20)], 10, perspective=0.0)
    serial, made = fields_read(template_parse("plate", content), lines)["fields"]
    assert (serial["value"], serial["problems"]) == ("A 3071", [])
    assert (made["value"], made["text"], made["confidence"], made["problems"]) == (None, "", 0.0, [{"code": "missing"}])


@pytest.mark.parametrize(
    ("kind", "options", "text", "value", "codes"),
    [
        ("text", {}, "Ab 1", "Ab 1", []),
        ("number", {}, "1.234,5", 1234.5, []),
        ("number", {}, "-12", -12, []),
        ("number", {}, "0.125 kg", 0.125, []),
        ("number", {"decimal_separator": "."}, "1.234", 1.234, []),
        ("number", {}, "1.234", 1234, []),
        ("number", {}, "1O5", 105, ["characters_corrected"]),
        ("number", {}, "a lot", None, ["number_invalid"]),
        ("number", {}, "1,23,4", None, ["number_invalid"]),
        ("amount", {}, "1 234,50 €", {"amount": "1234.50", "currency": "EUR"}, []),
        ("amount", {"currency": "CHF"}, "1'234.50", {"amount": "1234.50", "currency": "CHF"}, []),
        ("amount", {}, "USD -3.00", {"amount": "-3.00", "currency": "USD"}, []),
        ("amount", {}, "￥８８．００", {"amount": "88.00", "currency": "CNY"}, []),
        ("amount", {}, "1O.SO EUR", {"amount": "10.50", "currency": "EUR"}, ["characters_corrected"]),
        ("amount", {}, "12 apples", None, ["amount_invalid"]),
        ("date", {}, "3.4.26", "2026-04-03", []),
        ("date", {"order": "mdy"}, "03/04/2026", "2026-03-04", []),
        ("date", {"order": "mdy"}, "27/04/2026", "2026-04-27", []),
        ("date", {}, "2026年11月27日", "2026-11-27", []),
        ("date", {}, "March 4, 2026", "2026-03-04", []),
        ("date", {}, "4. März 2026", "2026-03-04", []),
        ("date", {}, "2O26-11-27", "2026-11-27", ["characters_corrected"]),
        ("date", {}, "31.02.2026", None, ["date_invalid"]),
        ("choice", {"choices": ["cash", "card"]}, "CASH", "cash", []),
        ("choice", {"choices": ["现金", "银行卡"]}, "银行卡", "银行卡", []),
        ("choice", {"choices": ["cash", "card"]}, "wire", None, ["choice_unknown"]),
        ("choice", {"choices": ["caxh", "cash"]}, "cazh", None, ["choice_unknown"]),
    ],
)
def test_what_is_read_becomes_a_value(kind, options, text, value, codes):
    reading = value_kind(kind)(options).read([text])
    assert (reading.value, [each["code"] for each in reading.problems]) == (value, codes)


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": 2},
        {"references": []},
        {"fields": []},
        {"width": 0},
        {"references": [{"text": " ", "points": [[0, 0]] * 4}]},
        {"references": [{"text": "a", "points": [[0, 0]] * 3}]},
        {"fields": [CONTENT["fields"][0]] * 2},
        {"fields": [{**CONTENT["fields"][0], "kind": "colour"}]},
        {"fields": [{**CONTENT["fields"][0], "kind": "choice"}]},
        {"fields": [{**CONTENT["fields"][0], "kind": "date", "options": {"order": "dym"}}]},
        {"fields": [{**CONTENT["fields"][0], "box": {"x": 0, "y": 0, "width": float("nan"), "height": 1}}]},
    ],
)
def test_data_that_is_no_template_is_refused(change):
    with pytest.raises(TemplateInvalidError):
        template_parse("invoice", {**CONTENT, **change})


def test_templates_are_named_and_versions_follow_the_content(template):
    both = {"invoice": template, "other": template}
    assert templates_named(both, None) == both
    assert templates_named(both, "other") == {"other": template}
    for templates, name in (({}, None), ({"invoice": template}, "other")):
        with pytest.raises(TemplateUnknownError):
            templates_named(templates, name)
    assert template_parse("other", dict(reversed(CONTENT.items()))).version == template.version
    assert template_parse("invoice", {**CONTENT, "width": 901}).version != template.version


def test_a_text_that_is_said_again_and_again_takes_neither_memory_nor_time():
    """Sixty reference texts and forty lines that are all alike: 2,400 matches, 2.9 million pairs of them."""
    places = np.random.default_rng(0).uniform(0, 900, (100, 2))
    lines = [_line("Total", *place) for place in places]
    references = [{"text": "Total", "points": line.corners.tolist()} for line in lines[:60]]
    template = template_parse("t", {**CONTENT, "references": references})
    tracemalloc.start()
    try:
        with pytest.raises(ReferencesNotFoundError):
            fields_read(template, lines[60:])
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 150 * 2**20


def test_likeness_is_of_the_longest_common_subsequence_and_long_texts_cost_little():
    assert likeness("invoice", "lnvoice") == 12 / 14
    assert likeness("abcbdab", "bdcaba") == 8 / 13
    assert likeness("", "") == likeness("total", "total") == 1.0
    assert likeness("total", "tax", least=0.7) == likeness("a", "", least=0.1) == 0.0
    letters = random.Random(0)
    texts = ["".join(letters.choice("ab") for _ in range(200)) for _ in range(20)]
    begun_s = time.process_time()
    assert all(likeness(one, other) > 0.5 for one in texts for other in texts)
    assert time.process_time() - begun_s < 1.0


def test_only_lines_of_text_are_taken():
    line = {
        "kind": "polygon",
        "points": [[0, 0], [9, 0], [9, 4], [0, 4]],
        "attributes": [{"name": "text", "value": "a"}],
        "score": 0.5,
    }
    found = lines_of([line, {"kind": "box", "x": 1}, {**line, "attributes": []}, {**line, "points": [[0, 0]] * 5}])
    assert [(each.text, each.score) for each in found] == [("a", 0.5)]
