"""Tables of forms by their ruled lines, from lines of text that are known: no network reads here."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageFont

from engine.tasks.ocr.forms import photographed
from engine.tasks.ocr.invoices import invoice, template_content
from engine.tasks.ocr.layouts import INVOICE, RECEIPT
from runtime.items.image.decode import Picture
from runtime.templates import ReferencesNotFoundError, TemplateInvalidError, template_parse
from runtime.templates._place import mapped
from runtime.templates.fields import fields_of_best, fields_read
from runtime.templates.lines import Line


def _content(layout, lines, **options):
    content = template_content(layout, lines)
    content["fields"][-1]["options"] |= options
    return {"schema_version": 1, "width": layout.width, "height": layout.height, **content}


def _filled(layout, seed):
    return invoice(layout, np.random.default_rng(seed), ImageFont.load_default)


def _seen(flat, degrees, seed=0, perspective=0.02):
    """The form as a photograph shows it, and its lines, each corner a little off."""
    generator = np.random.default_rng(seed)
    photograph = photographed(flat.picture, generator, degrees=degrees, perspective=perspective)
    lines = [
        Line(line.text, mapped(photograph.projection, np.array(line.corners)) + generator.normal(0, 1.0, (4, 2)), 0.9)
        for line in flat.lines
    ]
    return lines, _decoded(photograph.picture)


def _decoded(picture):
    return Picture(np.asarray(picture), picture.width, picture.height)


def _table(answer):
    return answer["fields"][-1]


@pytest.fixture(scope="module")
def templates():
    return {
        layout.slug: template_parse(layout.slug, _content(layout, _filled(layout, 1).lines)) for layout in (INVOICE, RECEIPT)
    }


@pytest.mark.parametrize(("layout", "degrees"), [(INVOICE, 10), (INVOICE, -10), (RECEIPT, -7)])
def test_a_photographed_table_gives_its_rows_by_the_template_that_fits(templates, layout, degrees):
    flat = _filled(layout, 20 + degrees)
    answer = fields_of_best(templates, *_seen(flat, degrees, seed=abs(degrees)))
    assert answer["template"] == layout.slug
    assert {each["name"]: each["value"] for each in answer["fields"]} == flat.values
    table = _table(answer)
    assert table["problems"] == []
    assert table["cells"][0]["text"] == flat.values[table["name"]][0][layout.table.columns[0].name]
    assert {cell["row"] for cell in table["cells"]} == set(range(len(flat.values[table["name"]])))


def test_no_template_that_fits_is_said_with_what_the_nearest_lacks(templates):
    with pytest.raises(ReferencesNotFoundError) as raised:
        fields_of_best(templates, [Line("INVOICE", np.array([(0, 0), (90, 0), (90, 20), (0, 20)], dtype=np.float64), 1.0)])
    assert (raised.value.found, raised.value.needed) == (1, 6)


def test_columns_without_names_are_called_as_the_first_row_says():
    flat = _filled(RECEIPT, 3)
    template = template_parse("t", _content(RECEIPT, flat.lines, columns=[]))
    table = _table(fields_read(template, *_seen(flat, 3)))
    wanted = flat.values["items"]
    assert [list(row) for row in table["value"]] == [["item", "qty", "amount"]] * len(wanted)
    assert table["value"][0]["qty"] == str(wanted[0]["qty"])
    plain = template_parse("t", _content(RECEIPT, flat.lines, columns=[], has_header=False))
    rows = _table(fields_read(plain, *_seen(flat, 3)))["value"]
    assert rows[0] == {"column_1": "item", "column_2": "qty", "column_3": "amount"}
    assert len(rows) == len(wanted) + 1


def test_a_cell_that_is_no_value_is_named_and_the_others_stay(templates):
    flat = _filled(INVOICE, 4)
    lines, picture = _seen(flat, 2)
    quantity = f"{flat.values['lines'][1]['quantity']:,}"
    read = [line._replace(text="n/a") if line.text == quantity else line for line in lines]
    table = _table(fields_read(templates["invoice"], read, picture))
    assert table["problems"] == [{"code": "number_invalid", "row": 1, "column": "quantity"}]
    assert table["value"][1] == flat.values["lines"][1] | {"quantity": None}


def test_tables_that_are_missing_cut_or_of_other_columns_say_so(templates):
    flat = _filled(INVOICE, 5)
    lines, picture = _seen(flat, 0)
    template = templates["invoice"]
    assert _table(fields_read(template, lines))["problems"] == [{"code": "table_not_found"}]
    blank = _decoded(Image.new("RGB", (picture.width_px, picture.height_px), "white"))
    assert _table(fields_read(template, lines, blank))["value"] is None
    columns = [{"name": name} for name in ("a", "b", "c")]
    other = template_parse("t", _content(INVOICE, flat.lines, columns=columns))
    assert _table(fields_read(other, lines, picture))["problems"] == [{"code": "columns_differ"}]
    short = _content(INVOICE, flat.lines)
    short["fields"][-1]["box"]["height"] = 2.5 * INVOICE.table.row_height
    table = _table(fields_read(template_parse("t", short), lines, picture))
    assert ([each["code"] for each in table["problems"]], table["value"]) == (["table_cut"], flat.values["lines"][:1])


@pytest.mark.parametrize(
    "columns", [[{"name": "a"}, {"name": "a"}], [{"name": " "}], [{"name": "a", "kind": "table"}], [{"name": "a", "kind": "?"}]]
)
def test_columns_are_by_the_contract(columns):
    with pytest.raises(TemplateInvalidError):
        template_parse("t", _content(RECEIPT, _filled(RECEIPT, 1).lines, columns=columns))
