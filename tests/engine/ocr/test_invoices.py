"""The quick start of invoices: pictures with exact labels, and templates that read them."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest
from PIL import Image

from engine.tasks.ocr.layouts import LAYOUTS
from engine.tasks.ocr.quickstarts.invoices import write_beside, write_zip
from runtime.items.image.decode import Picture
from runtime.templates import template_parse
from runtime.templates.fields import fields_of_best
from runtime.templates.lines import Line
from tests.support.platform_process import assets_fetched


@pytest.fixture(scope="module")
def store():
    return assets_fetched("wqy_microhei")


def test_labels_of_each_picture_are_read_by_the_template_of_its_form(store, tmp_path):
    write_zip(tmp_path / "all.zip", store, num_each=1)
    write_beside(tmp_path / "beside", store)
    templates = {}
    for file in (tmp_path / "beside" / "templates").glob("*.json"):
        described = json.loads(file.read_text(encoding="utf-8"))
        with Image.open(file.with_suffix(".png")) as picture:
            size = {"schema_version": 1, "width": picture.width, "height": picture.height}
        templates[file.stem] = template_parse(file.stem, {**size, **described["content"]})
    assert set(templates) == {layout.slug for layout in LAYOUTS}
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        labelled = [line.split("\t") for line in archive.read("Label.txt").decode().splitlines()]
        assert len(labelled) == len(LAYOUTS)
        for name, text in labelled:
            lines = [Line(each["transcription"], np.array(each["points"]), 1.0) for each in json.loads(text)]
            with Image.open(io.BytesIO(archive.read(name))) as picture:
                seen = Picture(np.asarray(picture), picture.width, picture.height)
            answer = fields_of_best(templates, lines, seen)
            assert f"pictures/{answer['template']}-01.jpg" == name
            assert [field["name"] for field in answer["fields"] if field["problems"]] == []
            assert all(row["amount" if "amount" in row else list(row)[-1]] for row in answer["fields"][-1]["value"])
